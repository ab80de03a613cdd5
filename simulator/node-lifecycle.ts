/**
 * Taints that follow from what a node says and from what people did to it, silence noticed, pods of a lost node marked not ready
 * (pkg/controller/nodelifecycle). Not simulated: eviction of pods that tolerate a lost node only for a while, zones.
 */
import type { Api } from './api.ts';
import type { Clock } from './clock.ts';
import type { Taint } from './node-fit.ts';
import { taintsOf } from './node-fit.ts';
import type { Condition } from './pod-conditions.ts';
import { conditionOf, isReady, transitioned } from './pod-conditions.ts';
import type { Recorder } from './recorder.ts';
import { resourceNamed } from './resources.ts';
import type { ApiObject, Change, Store } from './store.ts';
import { timestamp } from './store.ts';

const NODES = resourceNamed('nodes');
const PODS = resourceNamed('pods');
const LEASES = resourceNamed('leases');
const HEARTBEATS = 'kube-node-lease';

/** A node that renews no Lease for so long is Unknown (--node-monitor-grace-period), looked at every five seconds. */
const GRACE = 50_000;
/** One that never spoke is given so long (--node-startup-grace-period). */
const STARTUP_GRACE = 60_000;
/** By how much the taint may come behind the pods' conditions. */
const TAINT_LAG = 500;
const LOOK_EVERY = 5_000;

/** Condition, the status of it that taints, and with what. */
const TAINTS = [
  ['Ready', 'False', 'not-ready', ['NoSchedule', 'NoExecute']],
  ['Ready', 'Unknown', 'unreachable', ['NoSchedule', 'NoExecute']],
  ['MemoryPressure', 'True', 'memory-pressure', ['NoSchedule']],
  ['DiskPressure', 'True', 'disk-pressure', ['NoSchedule']],
  ['PIDPressure', 'True', 'pid-pressure', ['NoSchedule']],
  ['NetworkUnavailable', 'True', 'network-unavailable', ['NoSchedule']],
] as const;

const OURS = [...TAINTS.map(([, , name]) => name as string), 'unschedulable'].map(
  (name) => `node.kubernetes.io/${name}`,
);

export interface LifecycleParts {
  store: Store;
  api: Api;
  clock: Clock;
  record: Recorder;
  /** Numbers from 0 to 1. */
  chance: () => number;
}

export interface NodeLifecycle {
  /** The node is said to be silent now, though no Lease told: for fleets that send no heartbeats. */
  markUnknown: (name: string) => void;
}

interface Lifecycle extends LifecycleParts {
  podsOn: (node: string) => ApiObject[];
}

/** Runs as long as its clock. */
export function runNodeLifecycle(parts: LifecycleParts): NodeLifecycle {
  const { store, clock } = parts;
  const heard = new Map<string, number>();
  const lifecycle = { ...parts, podsOn: podsByNode(store) };

  function markUnknown(name: string): void {
    const node = store.get(NODES, name);
    if (node === undefined || conditionOf(node, 'Ready')?.status === 'Unknown') return;
    setUnknown(lifecycle, node, ['NodeStatusUnknown', 'Kubelet stopped posting node status.']);
  }

  function look(): void {
    const late = clock.now() - GRACE;
    for (const [name, last] of heard) if (last < late) markUnknown(name);
    clock.after(LOOK_EVERY, look);
  }

  clock.after(LOOK_EVERY, look);
  store.history.subscribe(NODES, (change) => {
    if (change.type === 'DELETED') heard.delete(change.object.metadata.name);
    else nodeChanged(lifecycle, change);
  });
  store.history.subscribe(LEASES, ({ type, object }) => {
    const { name, namespace } = object.metadata;
    if (namespace === HEARTBEATS && type !== 'DELETED') heard.set(name, clock.now());
  });
  return { markUnknown };
}

function nodeChanged(lifecycle: Lifecycle, { type, object, previous }: Change): void {
  const { clock, chance } = lifecycle;
  if (type === 'ADDED') {
    clock.after(STARTUP_GRACE, () => {
      neverSpoke(lifecycle, object.metadata.name);
    });
  }
  const lost = previous !== undefined && isReady(previous) && conditionOf(object, 'Ready')?.status === 'Unknown';
  // Only of a node that fell silent; one that says itself that it is not ready speaks for its pods itself.
  if (lost) markPodsNotReady(lifecycle, object);
  // Two loops race here: the DaemonSet controller may look at the lost pods while the node has no taint yet, and then not again.
  if (lost && chance() < 0.5) {
    clock.after(TAINT_LAG, () => {
      taint(lifecycle, object.metadata.name);
    });
  } else taint(lifecycle, object.metadata.name);
}

function taint({ store, clock }: Lifecycle, name: string): void {
  const node = store.get(NODES, name);
  if (node === undefined) return;
  const wanted = wantedTaints(node, clock.now());
  if (sameTaints(wanted, taintsOf(node))) return;
  const spec = { ...node.spec, taints: wanted };
  if (wanted.length === 0) Reflect.deleteProperty(spec, 'taints');
  store.replace(NODES, { ...node, spec });
}

function neverSpoke(lifecycle: Lifecycle, name: string): void {
  const node = lifecycle.store.get(NODES, name);
  if (node === undefined || conditionOf(node, 'Ready') !== undefined) return;
  setUnknown(lifecycle, node, ['NodeStatusNeverUpdated', 'Kubelet never posted node status.']);
}

function setUnknown({ store, clock }: Lifecycle, node: ApiObject, [reason, message]: [string, string]): void {
  const unknown = (type: string): Condition => ({
    ...transitioned(node, { type, status: 'Unknown' }, clock.now()),
    reason,
    message,
  });
  const told = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];
  const others = ((node.status?.conditions ?? []) as Condition[]).filter(({ type }) => !told.includes(type));
  store.replace(NODES, { ...node, status: { ...node.status, conditions: [...others, ...told.map(unknown)] } });
}

function markPodsNotReady({ api, clock, record, podsOn }: Lifecycle, node: ApiObject): void {
  for (const pod of podsOn(node.metadata.name).filter(isReady)) {
    record({ about: pod, type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' });
    const lost = transitioned(pod, { type: 'Ready', status: 'False' }, clock.now());
    const conditions = (pod.status?.conditions as Condition[]).map((one) =>
      one.type === 'Ready' ? { ...one, ...lost } : one,
    );
    const { name, namespace } = pod.metadata;
    const target = { resource: PODS, namespace, name, subresource: 'status' as const };
    const status = { ...pod.status, conditions };
    // A blind write, as the controller's patch of one condition: the kubelet may write at the same time.
    api.update(target, { ...pod, metadata: { ...pod.metadata, resourceVersion: '' }, status });
  }
}

/** The node's own taints, and those its conditions and its cordon ask for; timeAdded stays with the taint. */
function wantedTaints(node: ApiObject, now: number): Taint[] {
  const present = taintsOf(node);
  const wanted: Taint[] = [];
  const add = (name: string, effect: 'NoSchedule' | 'NoExecute'): void => {
    const key = `node.kubernetes.io/${name}`;
    const known = present.find((taint) => taint.key === key && taint.effect === effect);
    wanted.push(known ?? { key, effect, timeAdded: timestamp(now) });
  };
  for (const [type, status, name, effects] of TAINTS) {
    if (conditionOf(node, type)?.status === status) for (const effect of effects) add(name, effect);
  }
  if (node.spec?.unschedulable === true) add('unschedulable', 'NoSchedule');
  return [...present.filter(({ key }) => !OURS.includes(key)), ...wanted];
}

function sameTaints(a: readonly Taint[], b: readonly Taint[]): boolean {
  const names = (taints: readonly Taint[]): string =>
    taints
      .map(({ key, effect }) => `${key}:${effect}`)
      .sort()
      .join();
  return names(a) === names(b);
}

/** Bound pods by node, kept from changes. */
function podsByNode(store: Store): (node: string) => ApiObject[] {
  const nodes = new Map<string, Map<string, ApiObject>>();
  store.history.subscribe(PODS, ({ type, object }) => {
    const node = object.spec?.nodeName as string | undefined;
    if (node === undefined) return;
    const pods = nodes.get(node) ?? new Map<string, ApiObject>();
    if (type === 'DELETED') pods.delete(object.metadata.uid);
    else pods.set(object.metadata.uid, object);
    if (pods.size === 0) nodes.delete(node);
    else nodes.set(node, pods);
  });
  return (node) => [...(nodes.get(node)?.values() ?? [])];
}
