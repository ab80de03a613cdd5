/**
 * The DaemonSet controller (pkg/controller/daemon/daemon_controller.go): which change makes it look again, bursts with a slow start,
 * failed pods with back-off, rolling updates, status. Not simulated: maxSurge, adoption of orphans, ControllerRevision objects.
 */
import type { Api } from './api.ts';
import { createBackoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import { createDaemonPodIndex } from './daemonset-index.ts';
import type { Plan, Sight } from './daemonset-plan.ts';
import { countPods, oldPodsToDelete, plan } from './daemonset-plan.ts';
import type { Placement } from './daemonset-pods.ts';
import { createPlacements, newPod, templateHash } from './daemonset-pods.ts';
import { ApiError } from './errors.ts';
import { createKeyQueue } from './key-queue.ts';
import { taintsOf } from './node-fit.ts';
import type { Recorder } from './recorder.ts';
import { resourceNamed } from './resources.ts';
import type { ApiObject, Change, Fields, Store } from './store.ts';
import { keyOf } from './store.ts';
import { isDeepStrictEqual } from 'node:util';

const [DAEMONSETS, NODES, PODS] = ['daemonsets', 'nodes', 'pods'].map(resourceNamed) as [never, never, never];

/** At most so many pods are made, and so many deleted, in one look. */
const BURST = 250;
/** Requests of the controller are limited, so that bursts come apart. */
const AFTER_BURST = 1_000;

export interface ControlParts {
  store: Store;
  api: Api;
  clock: Clock;
  record: Recorder;
}

/** Runs until the answer is called. */
export function runDaemonSetController({ store, api, clock, record }: ControlParts): () => void {
  const pods = createDaemonPodIndex(store, (uid) => {
    const daemonSet = known.get(uid);
    if (daemonSet !== undefined) queue.add(keyOf(daemonSet.metadata));
  });
  const known = new Map<string, ApiObject>();
  const placements = new WeakMap<object, (node: ApiObject) => Placement>();
  const failed = createBackoff(1_000, 900_000);
  const queue = createKeyQueue(clock, sync, () => store.list(NODES).length / 50);

  /** Remembered by template, which status writes do not touch. */
  function placementOf(daemonSet: ApiObject): (node: ApiObject) => Placement {
    const template = daemonSet.spec?.template as object;
    const placement = placements.get(template) ?? createPlacements(daemonSet);
    placements.set(template, placement);
    return placement;
  }

  function nodeChanged({ type, object, previous }: Change): void {
    if (type === 'DELETED') return;
    const same = previous !== undefined && isDeepStrictEqual(previous.metadata.labels, object.metadata.labels);
    if (same && isDeepStrictEqual(taintsOf(previous), taintsOf(object))) return;
    for (const daemonSet of known.values()) {
      const { run, keep } = placementOf(daemonSet)(object);
      const scheduled = pods.on(daemonSet.metadata.uid, object.metadata.name).some((pod) => pod.spec?.nodeName);
      const misscheduled = (daemonSet.status?.numberMisscheduled as number) > 0;
      if ((run && !scheduled) || (!keep && scheduled) || (scheduled && misscheduled)) queue.add(keyOf(daemonSet.metadata));
    }
  }

  function daemonSetChanged({ type, object, previous }: Change): void {
    if (previous !== undefined && previous.metadata.uid !== object.metadata.uid) known.delete(previous.metadata.uid);
    if (type === 'DELETED') known.delete(object.metadata.uid);
    else known.set(object.metadata.uid, object);
    queue.add(keyOf(object.metadata));
  }

  function look(daemonSet: ApiObject): Sight {
    return {
      daemonSet,
      hash: templateHash(daemonSet),
      nodes: store.list(NODES),
      placement: placementOf(daemonSet),
      pods: pods.byNode(daemonSet.metadata.uid),
      now: clock.now(),
    };
  }

  /** One look at a DaemonSet. False: something was refused, look again after a back-off. */
  function sync(key: string): boolean {
    const [namespace = '', name = ''] = key.split('/');
    const daemonSet = store.get(DAEMONSETS, name, namespace);
    if (daemonSet?.metadata.deletionTimestamp !== undefined || daemonSet === undefined) return true;
    const first = look(daemonSet);
    const wanted = plan(first, (node) => failedMayGo(daemonSet, node));
    const told = carryOut(first, wanted);
    const rolling = (daemonSet.spec?.updateStrategy as Fields).type === 'RollingUpdate';
    // What was just made or deleted has to be seen first (expectations): the roll-out goes on in the next look.
    if (told && rolling && wanted.create.length + wanted.delete.length === 0) deletePods(oldPodsToDelete(first));
    writeStatus(daemonSet);
    return told;
  }

  function failedMayGo({ metadata, status }: ApiObject, node: string): boolean {
    const key = `${metadata.uid}/${String(status?.observedGeneration)}/${node}`;
    const wait = failed.left(key, clock.now());
    if (wait > 0) queue.addAfter(keyOf(metadata), wait);
    else failed.next(key, clock.now());
    return wait === 0;
  }

  function carryOut(sight: Sight, wanted: Plan): boolean {
    for (const pod of wanted.ended) tellEnded(sight.daemonSet, pod);
    const made = createPods(sight, wanted.create.slice(0, BURST));
    deletePods(wanted.delete);
    if (wanted.create.length > BURST) queue.addAfter(keyOf(sight.daemonSet.metadata), AFTER_BURST);
    return made;
  }

  function tellEnded(about: ApiObject, pod: ApiObject): void {
    const { namespace = '', name } = pod.metadata;
    const on = `daemon pod ${namespace}/${name} on node ${String(pod.spec?.nodeName)}`;
    if (pod.status?.phase === 'Failed') {
      const message = `Found failed ${on}, will try to kill it`;
      record({ about, type: 'Warning', reason: 'FailedDaemonPod', message });
    } else {
      const message = `Found succeeded ${on}, will try to delete it`;
      record({ about, type: 'Normal', reason: 'SucceededDaemonPod', message });
    }
  }

  /** Slow start: one, two, four …, given up behind the first batch with a failure in it. */
  function createPods({ daemonSet, hash }: Sight, nodes: string[]): boolean {
    for (let at = 0, size = 1; at < nodes.length; at += size, size *= 2) {
      const made = nodes.slice(at, at + size).map((node) => createPod(daemonSet, newPod(daemonSet, hash, node)));
      if (made.includes(false)) return false;
    }
    return true;
  }

  function createPod(about: ApiObject, pod: Fields): boolean {
    try {
      const { name } = api.create(PODS, about.metadata.namespace, pod).metadata;
      record({ about, type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      record({ about, type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${error.message}` });
      return false;
    }
  }

  function deletePods(list: readonly ApiObject[]): void {
    for (const pod of list.slice(0, BURST)) {
      const { name, namespace } = pod.metadata;
      if (store.get(PODS, name, namespace) !== undefined) api.delete({ resource: PODS, namespace, name }, {});
    }
  }

  function writeStatus(daemonSet: ApiObject): void {
    const { name, namespace, generation } = daemonSet.metadata;
    const latest = store.get(DAEMONSETS, name, namespace) ?? daemonSet;
    const counted = countPods(look(latest));
    const others = Object.entries(latest.status ?? {}).filter(([field]) => !COUNTED.has(field));
    const status = { ...Object.fromEntries(others), ...counted, observedGeneration: generation };
    api.update({ resource: DAEMONSETS, namespace, name, subresource: 'status' }, { ...latest, status });
  }

  const stops = [
    store.history.subscribe(NODES, nodeChanged),
    store.history.subscribe(DAEMONSETS, daemonSetChanged),
    pods.stop,
    queue.stop,
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const COUNTED = new Set([
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'observedGeneration',
]);
