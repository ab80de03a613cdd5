/**
 * The DaemonSet controller (pkg/controller/daemon/daemon_controller.go): which change makes it look again, bursts with a slow start,
 * failed pods with back-off, rolling updates, status. Not simulated: maxSurge, adoption of orphans, ControllerRevision objects.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Api } from './api.ts';
import type { Backoff } from './backoff.ts';
import { createBackoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { DaemonPodIndex } from './daemonset-index.ts';
import { createDaemonPodIndex } from './daemonset-index.ts';
import type { Plan, Sight } from './daemonset-plan.ts';
import { countPods, oldPodsToDelete, plan } from './daemonset-plan.ts';
import type { Placement } from './daemonset-pods.ts';
import { createPlacements, newPod, templateHash } from './daemonset-pods.ts';
import { ApiError } from './errors.ts';
import { fieldsAt } from './fields.ts';
import type { KeyQueue } from './key-queue.ts';
import { createKeyQueue } from './key-queue.ts';
import { taintsOf } from './node-fit.ts';
import type { Recorder } from './recorder.ts';
import { resourceNamed } from './resources.ts';
import type { ApiObject, Change, Fields, Store } from './store.ts';
import { keyOf } from './store.ts';

const DAEMONSETS = resourceNamed('daemonsets');
const NODES = resourceNamed('nodes');
const PODS = resourceNamed('pods');

/** At most so many pods are made, and so many deleted, in one look. */
const BURST = 250;
/** Requests of the controller are limited, so that bursts come apart. */
const AFTER_BURST = 1_000;
/** Looks at a DaemonSet gather changes for so many milliseconds a node. */
const GATHER = 0.02;

export interface ControlParts {
  store: Store;
  api: Api;
  clock: Clock;
  record: Recorder;
}

interface Controller extends ControlParts {
  /** Every DaemonSet by UID. */
  known: Map<string, ApiObject>;
  pods: DaemonPodIndex;
  queue: KeyQueue;
  failed: Backoff;
  placementOf: (daemonSet: ApiObject) => (node: ApiObject) => Placement;
}

/** Runs as long as its clock. */
export function runDaemonSetController(parts: ControlParts): void {
  const { store, clock } = parts;
  const known = new Map<string, ApiObject>();
  const placements = new WeakMap<object, (node: ApiObject) => Placement>();
  const gather = (): number => Math.floor(store.list(NODES).length * GATHER);
  const controller: Controller = {
    ...parts,
    known,
    pods: createDaemonPodIndex(store, (uid) => {
      const daemonSet = known.get(uid);
      if (daemonSet !== undefined) controller.queue.add(keyOf(daemonSet.metadata));
    }),
    queue: createKeyQueue(clock, (key) => sync(controller, key), gather),
    failed: createBackoff(1_000, 900_000),
    placementOf(daemonSet) {
      // Remembered by template, which status writes do not touch.
      const template = daemonSet.spec?.template as object;
      const placement = placements.get(template) ?? createPlacements(daemonSet);
      placements.set(template, placement);
      return placement;
    },
  };
  store.history.subscribe(NODES, (change) => {
    nodeChanged(controller, change);
  });
  store.history.subscribe(DAEMONSETS, ({ type, object }) => {
    if (type === 'DELETED') known.delete(object.metadata.uid);
    else known.set(object.metadata.uid, object);
    controller.queue.add(keyOf(object.metadata));
  });
}

/** A node that is deleted makes nobody look; labels and taints do, where they change what should be there. */
function nodeChanged({ known, queue, pods, placementOf }: Controller, { type, object, previous }: Change): void {
  if (type === 'DELETED' || (previous !== undefined && sameForPods(previous, object))) return;
  for (const daemonSet of known.values()) {
    const { run, keep } = placementOf(daemonSet)(object);
    const scheduled = pods
      .on(daemonSet.metadata.uid, object.metadata.name)
      .some(({ spec }) => spec?.nodeName !== undefined);
    const misscheduled = Number(daemonSet.status?.numberMisscheduled) > 0;
    if (scheduled ? !keep || misscheduled : run) queue.add(keyOf(daemonSet.metadata));
  }
}

function sameForPods(a: ApiObject, b: ApiObject): boolean {
  return isDeepStrictEqual(a.metadata.labels, b.metadata.labels) && isDeepStrictEqual(taintsOf(a), taintsOf(b));
}

/** One look at a DaemonSet. False: something was refused, look again after a back-off. */
function sync(controller: Controller, key: string): boolean {
  const [namespace = '', name = ''] = key.split('/');
  const daemonSet = controller.store.get(DAEMONSETS, name, namespace);
  if (daemonSet === undefined || daemonSet.metadata.deletionTimestamp !== undefined) return true;
  const sight = look(controller, daemonSet);
  const wanted = plan(sight, (node) => failedMayGo(controller, daemonSet, node));
  const made = carryOut(controller, sight, wanted);
  const rolling = fieldsAt(daemonSet.spec, 'updateStrategy').type === 'RollingUpdate';
  // What was just made or deleted has to be seen first (expectations): the roll-out goes on in the next look.
  const calm = wanted.create.length + wanted.delete.length === 0;
  if (made && rolling && calm) deletePods(controller, oldPodsToDelete(sight));
  writeStatus(controller, daemonSet);
  return made;
}

function look({ store, placementOf, pods, clock }: Controller, daemonSet: ApiObject): Sight {
  return {
    daemonSet,
    hash: templateHash(daemonSet),
    nodes: store.list(NODES),
    placement: placementOf(daemonSet),
    pods: pods.byNode(daemonSet.metadata.uid),
    now: clock.now(),
  };
}

function failedMayGo({ failed, queue, clock }: Controller, { metadata, status }: ApiObject, node: string): boolean {
  const key = `${metadata.uid}/${String(status?.observedGeneration)}/${node}`;
  const wait = failed.left(key, clock.now());
  if (wait > 0) queue.addAfter(keyOf(metadata), wait);
  else failed.next(key, clock.now());
  return wait === 0;
}

function carryOut(controller: Controller, sight: Sight, wanted: Plan): boolean {
  for (const pod of wanted.ended) tellEnded(controller, sight.daemonSet, pod);
  const made = createPods(controller, sight, wanted.create.slice(0, BURST));
  deletePods(controller, wanted.delete);
  const more = Math.max(wanted.create.length, wanted.delete.length) > BURST;
  if (more) controller.queue.addAfter(keyOf(sight.daemonSet.metadata), AFTER_BURST);
  return made;
}

function tellEnded({ record }: Controller, about: ApiObject, { metadata, spec, status }: ApiObject): void {
  const on = `daemon pod ${metadata.namespace ?? ''}/${metadata.name} on node ${String(spec?.nodeName)}`;
  if (status?.phase === 'Failed') {
    record({ about, type: 'Warning', reason: 'FailedDaemonPod', message: `Found failed ${on}, will try to kill it` });
    return;
  }
  const message = `Found succeeded ${on}, will try to delete it`;
  record({ about, type: 'Normal', reason: 'SucceededDaemonPod', message });
}

/** Slow start: one, two, four …, given up behind the first batch with a failure in it. */
function createPods(controller: Controller, { daemonSet, hash }: Sight, nodes: readonly string[]): boolean {
  for (let at = 0, size = 1; at < nodes.length; at += size, size *= 2) {
    const batch = nodes.slice(at, at + size);
    const made = batch.map((node) => createPod(controller, daemonSet, newPod(daemonSet, hash, node)));
    if (made.includes(false)) return false;
  }
  return true;
}

function createPod({ api, record }: Controller, about: ApiObject, pod: Fields): boolean {
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

function deletePods({ store, api }: Controller, list: readonly ApiObject[]): void {
  for (const { metadata } of list.slice(0, BURST)) {
    const { name, namespace } = metadata;
    if (store.get(PODS, name, namespace) !== undefined) api.delete({ resource: PODS, namespace, name }, {});
  }
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

/** Its own fields only: conditions that others wrote there stay. */
function writeStatus(controller: Controller, daemonSet: ApiObject): void {
  const { name, namespace, generation } = daemonSet.metadata;
  const latest = controller.store.get(DAEMONSETS, name, namespace) ?? daemonSet;
  const counted = countPods(look(controller, latest));
  const others = Object.entries(latest.status ?? {}).filter(([field]) => !COUNTED.has(field));
  const status = { ...Object.fromEntries(others), ...counted, observedGeneration: generation };
  const target = { resource: DAEMONSETS, namespace, name, subresource: 'status' as const };
  controller.api.update(target, { ...latest, status });
}
