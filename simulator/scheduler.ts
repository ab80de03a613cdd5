/**
 * The scheduler (pkg/scheduler): binds pods, says in its own words why it cannot, makes room for higher priority, tries again
 * when something changed. A DaemonSet's pod names its node in its affinity, so only that node is looked at.
 */
import type { Api } from './api.ts';
import type { Clock } from './clock.ts';
import { targetNode } from './node-fit.ts';
import type { Condition } from './pod-conditions.ts';
import { conditionOf, transitioned } from './pod-conditions.ts';
import type { Recorder } from './recorder.ts';
import { resourceNamed } from './resources.ts';
import type { Obstacle, SchedulerNode } from './scheduler-nodes.ts';
import { obstacle, priorityOf, unavailable, victims } from './scheduler-nodes.ts';
import type { ApiObject, Change, Fields, Store } from './store.ts';
import { keyOf } from './store.ts';

const NODES = resourceNamed('nodes');
const PODS = resourceNamed('pods');

/** A pod that did not fit is not tried again sooner (podInitialBackoffSeconds). */
const RETRY_AFTER = 1_000;

export interface SchedulerParts {
  store: Store;
  api: Api;
  clock: Clock;
  record: Recorder;
}

/** Runs until the answer is called. */
export function runScheduler({ store, api, clock, record }: SchedulerParts): () => void {
  const nodes = new Map<string, SchedulerNode>();
  /** Pods of nodes that are not there yet, or no more. */
  const homeless = new Map<string, Map<string, ApiObject>>();
  const queue = new Set<string>();
  /** Keys of pods that did not fit, by the one node that could take them; '' for those any node could. */
  const parked = new Map<string, Set<string>>();
  let cancelRound: (() => void) | undefined;
  const cancelRetries = new Set<() => void>();

  function enqueue(pod: ApiObject): void {
    queue.add(keyOf(pod.metadata));
    cancelRound ??= clock.after(0, round);
  }

  function retry(node: string): void {
    const keys = [...(parked.get(node) ?? []), ...(parked.get('') ?? [])];
    if (keys.length === 0) return;
    parked.delete(node);
    parked.delete('');
    const cancel = clock.after(RETRY_AFTER, () => {
      cancelRetries.delete(cancel);
      for (const key of keys) queue.add(key);
      cancelRound ??= clock.after(0, round);
    });
    cancelRetries.add(cancel);
  }

  function nodeChanged({ type, object }: Change): void {
    const { name } = object.metadata;
    const pods = nodes.get(name)?.pods ?? homeless.get(name) ?? new Map<string, ApiObject>();
    if (type === 'DELETED') {
      nodes.delete(name);
      homeless.set(name, pods);
    } else {
      nodes.set(name, { node: object, pods });
      homeless.delete(name);
    }
    retry(name);
  }

  function roomOn(name: string): Map<string, ApiObject> {
    const pods = nodes.get(name)?.pods ?? homeless.get(name) ?? new Map<string, ApiObject>();
    if (!nodes.has(name)) homeless.set(name, pods);
    return pods;
  }

  function podChanged({ type, object, previous }: Change): void {
    const node = holds(object);
    const before = previous === undefined ? undefined : holds(previous);
    if (before !== undefined && (before !== node || type === 'DELETED')) {
      roomOn(before).delete(object.metadata.uid);
      retry(before);
    }
    const promised = object.status?.nominatedNodeName as string | undefined;
    if (type === 'DELETED' && promised !== undefined) roomOn(promised).delete(object.metadata.uid);
    if (type === 'DELETED') return;
    if (node !== undefined) roomOn(node).set(object.metadata.uid, object);
    if (type === 'ADDED' && isPending(object)) enqueue(object);
  }

  /** Everything that waits, the most important first. */
  function round(): void {
    cancelRound = undefined;
    const pods = [...queue].map(current).filter((pod) => pod !== undefined);
    queue.clear();
    for (const pod of pods.sort(byPriority)) schedule(pod);
  }

  function current(key: string): ApiObject | undefined {
    const [namespace = '', name = ''] = key.split('/');
    const pod = store.get(PODS, name, namespace);
    return pod !== undefined && isPending(pod) ? pod : undefined;
  }

  function schedule(pod: ApiObject): void {
    const only = targetNode(pod);
    const candidates = only === undefined ? [...nodes.values()] : [nodes.get(only)].filter((node) => node !== undefined);
    const obstacles = candidates.map((node) => ({ node, obstacle: obstacle(pod, node) }));
    const fitting = obstacles.filter((one) => one.obstacle === undefined).map(({ node }) => node);
    const chosen = fitting.sort((a, b) => a.pods.size - b.pods.size)[0];
    if (chosen === undefined) turnAway(pod, only, obstacles as { node: SchedulerNode; obstacle: Obstacle }[]);
    else bind(pod, chosen.node.metadata.name);
  }

  function bind(pod: ApiObject, node: string): void {
    const { namespace = '', name } = pod.metadata;
    const status = withCondition(pod, { type: 'PodScheduled', status: 'True' }, clock.now());
    const bound = store.replace(PODS, { ...pod, spec: { ...pod.spec, nodeName: node }, status });
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    record({ about: bound, type: 'Normal', reason: 'Scheduled', message });
  }

  function turnAway(pod: ApiObject, only: string | undefined, tried: { node: SchedulerNode; obstacle: Obstacle }[]): void {
    const place = only ?? '';
    parked.set(place, (parked.get(place) ?? new Set()).add(keyOf(pod.metadata)));
    const absent = nodes.size - tried.length;
    const reasons = tried.flatMap((one) => one.obstacle.reasons);
    const others = Array<string>(absent).fill("node(s) didn't satisfy plugin(s) [NodeAffinity]");
    const outcome = preempt(pod, tried, absent);
    const message = [unavailable(nodes.size, [...reasons, ...others]), outcome.text].filter((part) => part !== '').join(' ');
    const condition: Condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    const status = withCondition(pod, condition, clock.now());
    if (outcome.node !== undefined) status.nominatedNodeName = outcome.node;
    const told = conditionOf(pod, 'PodScheduled')?.message === message;
    const { name, namespace } = pod.metadata;
    api.update({ resource: PODS, namespace, name, subresource: 'status' }, { ...pod, status });
    if (!told) record({ about: pod, type: 'Warning', reason: 'FailedScheduling', message });
  }

  /** Makes room on the node where it costs least; the text says why nowhere. */
  function preempt(pod: ApiObject, tried: { node: SchedulerNode; obstacle: Obstacle }[], absent: number): { node?: string; text: string } {
    if (pod.spec?.preemptionPolicy === 'Never') return { text: 'preemption: not eligible due to preemptionPolicy=Never.' };
    const nominated = nodes.get((pod.status?.nominatedNodeName as string | undefined) ?? '');
    const leaving = [...(nominated?.pods.values() ?? [])].some(
      (other) => other.metadata.deletionTimestamp !== undefined && priorityOf(other) < priorityOf(pod),
    );
    if (leaving) return { text: 'preemption: not eligible due to a terminating pod on the nominated node.' };
    const plans = tried
      .filter((one) => !one.obstacle.final)
      .map(({ node }) => ({ node, chosen: victims(pod, node) }))
      .filter(({ chosen }) => chosen.length > 0)
      .sort((a, b) => a.chosen.length - b.chosen.length);
    if (plans[0] !== undefined) {
      evict(pod, plans[0].node, plans[0].chosen);
      return { node: plans[0].node.node.metadata.name, text: '' };
    }
    const reasons = tried.map((one) =>
      one.obstacle.final ? 'Preemption is not helpful for scheduling' : 'No preemption victims found for incoming pod',
    );
    const others = Array<string>(absent).fill('Preemption is not helpful for scheduling');
    return { text: `preemption: ${unavailable(nodes.size, [...reasons, ...others])}` };
  }

  function evict(pod: ApiObject, room: SchedulerNode, chosen: readonly ApiObject[]): void {
    // The room is promised: pods of lower priority do not get it meanwhile.
    room.pods.set(pod.metadata.uid, pod);
    const node = room.node.metadata.name;
    for (const victim of chosen) {
      const condition: Condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: 'default-scheduler: preempting to accommodate a higher priority pod',
      };
      const status = withCondition(victim, condition, clock.now());
      const told = store.replace(PODS, { ...victim, status });
      record({ about: told, type: 'Normal', reason: 'Preempted', message: `Preempted by pod ${pod.metadata.uid} on node ${node}` });
      const { name, namespace } = victim.metadata;
      api.delete({ resource: PODS, namespace, name }, {});
    }
  }

  const stops = [store.history.subscribe(NODES, nodeChanged), store.history.subscribe(PODS, podChanged)];
  return () => {
    cancelRound?.();
    for (const stop of [...stops, ...cancelRetries]) stop();
  };
}

/** The node on which a pod takes room: the one it is bound to, until it has ended. */
function holds(pod: ApiObject): string | undefined {
  const ended = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
  return ended ? undefined : (pod.spec?.nodeName as string | undefined);
}

function isPending(pod: ApiObject): boolean {
  return pod.spec?.nodeName === undefined && pod.metadata.deletionTimestamp === undefined;
}

function byPriority(a: ApiObject, b: ApiObject): number {
  return priorityOf(b) - priorityOf(a);
}

function withCondition(pod: ApiObject, condition: Condition, now: number): Fields {
  const others = ((pod.status?.conditions ?? []) as Condition[]).filter(({ type }) => type !== condition.type);
  return { ...pod.status, conditions: [...others, transitioned(pod, condition, now)] };
}
