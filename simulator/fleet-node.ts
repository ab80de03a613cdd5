/** One scripted node: the pods the API shows for it, a worker for each, its images. */
import type { Clock } from './clock.ts';
import type { StartOutcome } from './container-start.ts';
import type { NodeImages, Registry } from './node-images.ts';
import { createNodeImages } from './node-images.ts';
import type { NodeSpec } from './node-object.ts';
import type { Behaviour, PodWorker, WorkerParts } from './pod-worker.ts';
import { startPodWorker } from './pod-worker.ts';
import type { PodWriter } from './pod-writer.ts';
import type { ApiObject } from './store.ts';

export interface FleetNode {
  /** The pod as the API shows it now. */
  seen(pod: ApiObject): void;
  gone(uid: string): void;
  /** Behind a fresh list: pods that are not in it went unseen. */
  only(uids: ReadonlySet<string>): void;
  behave(change: Partial<Behaviour>): void;
  isDead(): boolean;
  halt(): void;
}

export interface FleetNodeParts {
  clock: Clock;
  registry: Registry;
  startOf: (image: string) => StartOutcome;
  write: PodWriter;
  events: boolean;
}

export function createFleetNode(spec: NodeSpec, parts: FleetNodeParts): FleetNode {
  const behaviour: Behaviour = { ...spec.behaviour };
  const { clock, registry } = parts;
  const images = createNodeImages({ clock, node: spec.name, present: spec.images ?? [], registry, behaviour });
  const pods = new Map<string, ApiObject>();
  const workers = new Map<string, PodWorker>();
  const workerParts = partsFor(spec.name, behaviour, images, parts);
  const isDead = (): boolean => behaviour.dead === true;

  function seen(pod: ApiObject): void {
    const { uid } = pod.metadata;
    pods.set(uid, pod);
    if (isDead()) return;
    const worker = workers.get(uid);
    if (worker !== undefined) worker.update(pod);
    else if (pod.status?.phase !== 'Failed') workers.set(uid, startPodWorker(pod, workerParts));
  }

  function gone(uid: string): void {
    workers.get(uid)?.stop();
    workers.delete(uid);
    pods.delete(uid);
  }

  function halt(): void {
    for (const worker of workers.values()) worker.stop();
    workers.clear();
    images.stop();
  }

  return {
    seen,
    gone,
    only(uids) {
      for (const uid of pods.keys()) if (!uids.has(uid)) gone(uid);
    },
    behave(change) {
      const wasDead = isDead();
      Object.assign(behaviour, change);
      if (!wasDead && isDead()) halt();
      if (wasDead && !isDead()) for (const pod of pods.values()) seen(pod);
    },
    isDead,
    halt,
  };
}

/** What the node's workers do with the world: nothing while it is dead. */
function partsFor(node: string, behaviour: Behaviour, images: NodeImages, parts: FleetNodeParts): WorkerParts {
  const { clock, startOf, write, events } = parts;
  return {
    clock,
    behaviour,
    images,
    startOf,
    writeStatus(pod, status) {
      if (behaviour.dead !== true) write.status(pod, status);
    },
    remove(pod) {
      if (behaviour.dead !== true) write.remove(pod);
    },
    tell(about, event) {
      if (behaviour.dead !== true && events) write.event({ about, ...event }, node);
    },
  };
}
