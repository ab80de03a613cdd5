/**
 * What one look at a DaemonSet decides, without doing it: pods to make, pods to delete, the status to write
 * (pkg/controller/daemon: podsShouldBeOnNode, rollingUpdate without surge, updateDaemonSetStatus).
 */
import type { Placement } from './daemonset-pods.ts';
import { isUpdated } from './daemonset-pods.ts';
import { fieldsAt } from './fields.ts';
import { isAvailable, isReady } from './pod-conditions.ts';
import type { ApiObject, Fields } from './store.ts';

export interface Sight {
  daemonSet: ApiObject;
  hash: string;
  nodes: readonly ApiObject[];
  placement: (node: ApiObject) => Placement;
  /** Pods of this DaemonSet by the node they are for; terminal ones that are being deleted are left out. */
  pods: ReadonlyMap<string, readonly ApiObject[]>;
  now: number;
}

export interface Plan {
  /** Names of nodes that need a pod. */
  create: string[];
  delete: ApiObject[];
  /** Failed or succeeded pods among `delete`, which are told about in events. */
  ended: ApiObject[];
}

/** Pods the nodes lack or should not have. `failedMayGo` says whether a failed pod may be deleted now, or has to wait for its node's back-off. */
export function plan(sight: Sight, failedMayGo: (node: string) => boolean): Plan {
  const result: Plan = { create: [], delete: [], ended: [] };
  for (const node of sight.nodes) {
    const pods = sight.pods.get(node.metadata.name);
    const { run, keep } = sight.placement(node);
    if (run && pods === undefined) result.create.push(node.metadata.name);
    else if (keep) planKept(result, node.metadata.name, pods ?? [], failedMayGo);
    else result.delete.push(...(pods ?? []).filter(alive));
  }
  result.delete.push(...unscheduledWithoutNode(sight));
  return result;
}

/** On a node that may hold one: ended pods go (and are made anew once gone), of several running ones the oldest stays. */
function planKept(
  result: Plan,
  node: string,
  pods: readonly ApiObject[],
  failedMayGo: (node: string) => boolean,
): void {
  const running: ApiObject[] = [];
  for (const pod of pods.filter(alive)) {
    const phase = pod.status?.phase as string;
    if (phase === 'Failed' && !failedMayGo(node)) continue;
    if (phase === 'Failed' || phase === 'Succeeded') {
      result.delete.push(pod);
      result.ended.push(pod);
    } else running.push(pod);
  }
  result.delete.push(...running.sort(scheduledThenOldest).slice(1));
}

/** Pods that wait for a node that is gone: nobody else would take them away. */
function unscheduledWithoutNode({ nodes, pods }: Sight): ApiObject[] {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return [...pods]
    .filter(([node]) => !names.has(node))
    .flatMap(([, list]) => list.filter(({ spec }) => spec?.nodeName === undefined));
}

function alive(pod: ApiObject): boolean {
  return pod.metadata.deletionTimestamp === undefined;
}

function scheduledThenOldest(a: ApiObject, b: ApiObject): number {
  const bound = Number(b.spec?.nodeName !== undefined) - Number(a.spec?.nodeName !== undefined);
  if (bound !== 0) return bound;
  const [left, right] = [a.metadata, b.metadata];
  if (left.creationTimestamp !== right.creationTimestamp) {
    return left.creationTimestamp < right.creationTimestamp ? -1 : 1;
  }
  return left.name < right.name ? -1 : 1;
}

/** Old pods that a rolling update deletes now: those that are not available at once, others while maxUnavailable allows. */
export function oldPodsToDelete(sight: Sight): ApiObject[] {
  const running = sight.nodes.filter((node) => sight.placement(node).run).map(({ metadata }) => metadata.name);
  const byNode = new Map(sight.pods);
  for (const node of running) if (!byNode.has(node)) byNode.set(node, []);
  const maxUnavailable = unavailableCount(sight.daemonSet, running.length);
  let unavailable = 0;
  const replaced: ApiObject[] = [];
  const candidates: ApiObject[] = [];
  for (const pods of byNode.values()) {
    const { standing, old } = standingOf(sight, pods);
    if (standing !== 'available') unavailable += 1;
    if (standing === 'replaceable' && old !== undefined) replaced.push(old);
    if (standing === 'available' && old !== undefined && unavailable < maxUnavailable) candidates.push(old);
  }
  return [...replaced, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))];
}

/** What a node's pods count as: only one pod that is available does not use up maxUnavailable. */
function standingOf(
  sight: Sight,
  pods: readonly ApiObject[],
): { standing: 'available' | 'unavailable' | 'replaceable'; old: ApiObject | undefined } {
  const { fresh, old, several } = updatedPods(sight, pods);
  const one = several || (fresh === undefined) === (old === undefined) ? undefined : (fresh ?? old);
  if (one !== undefined && isAvailable(one, minReadySeconds(sight), sight.now)) return { standing: 'available', old };
  // Two pods, or none, are for the other loop; an old one that is not available may go at once.
  return { standing: one !== undefined && one === old ? 'replaceable' : 'unavailable', old };
}

function minReadySeconds({ daemonSet }: Sight): number {
  return (daemonSet.spec?.minReadySeconds as number | undefined) ?? 0;
}

function updatedPods(
  { daemonSet, hash }: Sight,
  pods: readonly ApiObject[],
): { fresh: ApiObject | undefined; old: ApiObject | undefined; several: boolean } {
  const living = pods.filter(alive);
  const fresh = living.filter((pod) => isUpdated(pod, daemonSet, hash));
  const old = living.filter((pod) => !isUpdated(pod, daemonSet, hash));
  return { fresh: fresh[0], old: old[0], several: fresh.length > 1 || old.length > 1 };
}

/** maxUnavailable, percentages rounded up; 0 is read as 1, since surge is not simulated. */
function unavailableCount(daemonSet: ApiObject, desired: number): number {
  const rolling = fieldsAt(daemonSet.spec, 'updateStrategy', 'rollingUpdate');
  const given = rolling.maxUnavailable as number | string | undefined;
  const count = typeof given === 'string' ? Math.ceil((Number.parseInt(given) / 100) * desired) : (given ?? 0);
  return desired > 0 && count === 0 ? 1 : count;
}

/** The numbers of a DaemonSet's status; a pod counts for its node whether it is bound or not. */
export function countPods(sight: Sight): Fields {
  const count = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of sight.nodes) {
    const pods = sight.pods.get(node.metadata.name) ?? [];
    if (sight.placement(node).run) {
      count.desired += 1;
      countPod(count, sight, [...pods].sort(scheduledThenOldest)[0]);
    } else if (pods.length > 0) count.misscheduled += 1;
  }
  return printed(count);
}

type Count = Record<'desired' | 'current' | 'misscheduled' | 'ready' | 'updated' | 'available', number>;

function countPod(count: Count, sight: Sight, pod: ApiObject | undefined): void {
  if (pod === undefined) return;
  count.current += 1;
  if (isReady(pod)) count.ready += 1;
  if (isAvailable(pod, minReadySeconds(sight), sight.now)) count.available += 1;
  if (isUpdated(pod, sight.daemonSet, sight.hash)) count.updated += 1;
}

/** As Go's omitempty writes them: four numbers always, three only when they are not 0. */
function printed(count: Count): Fields {
  const optional = {
    updatedNumberScheduled: count.updated,
    numberAvailable: count.available,
    numberUnavailable: count.desired - count.available,
  };
  return {
    currentNumberScheduled: count.current,
    numberMisscheduled: count.misscheduled,
    desiredNumberScheduled: count.desired,
    numberReady: count.ready,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== 0)),
  };
}
