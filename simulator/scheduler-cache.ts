/** What the scheduler knows: nodes, the pods that take room on them, and the pods that wait, kept from changes. */
import type { Clock } from './clock.ts';
import { targetNode } from './node-fit.ts';
import { resourceNamed } from './resources.ts';
import type { SchedulerNode } from './scheduler-nodes.ts';
import { priorityOf } from './scheduler-nodes.ts';
import type { ApiObject, Change, Store } from './store.ts';
import { keyOf } from './store.ts';

const NODES = resourceNamed('nodes');
const PODS = resourceNamed('pods');

/** A pod that did not fit is not tried again sooner (podInitialBackoffSeconds). */
const RETRY_AFTER = 1_000;

export interface SchedulerCache {
  nodes: ReadonlyMap<string, SchedulerNode>;
  /** The pod did not fit: tried again when something changes on the node it is for, or on any. */
  park(pod: ApiObject): void;
}

type Room = Map<string, ApiObject>;

/** `schedule` is called with pods that wait, the most important first. */
export function createSchedulerCache(store: Store, clock: Clock, schedule: (pod: ApiObject) => void): SchedulerCache {
  const nodes = new Map<string, SchedulerNode>();
  /** Pods of nodes that are not there yet, or no more. */
  const homeless = new Map<string, Room>();
  const queue = createSchedulingQueue(store, clock, schedule);

  function roomOn(name: string): Room {
    const room = nodes.get(name)?.pods ?? homeless.get(name) ?? new Map<string, ApiObject>();
    if (!nodes.has(name)) homeless.set(name, room);
    return room;
  }

  store.history.subscribe(NODES, ({ type, object }) => {
    const { name } = object.metadata;
    const pods = roomOn(name);
    if (type === 'DELETED') {
      nodes.delete(name);
      homeless.set(name, pods);
    } else {
      nodes.set(name, { node: object, pods });
      homeless.delete(name);
    }
    if (type === 'MODIFIED') queue.retry(name);
    else queue.retryAll();
  });

  store.history.subscribe(PODS, (change) => {
    const { type, object } = change;
    for (const node of left(change)) {
      roomOn(node).delete(object.metadata.uid);
      queue.retry(node);
    }
    if (type === 'DELETED') return;
    const node = holds(object);
    if (node !== undefined) roomOn(node).set(object.metadata.uid, object);
    if (type === 'ADDED' && isPending(object)) queue.add(object);
  });

  return { nodes, park: queue.park };
}

/** Nodes on which the pod no longer takes room, nor is promised any. */
function left({ type, object, previous }: Change): string[] {
  const before = previous === undefined ? undefined : holds(previous);
  const moved = before !== undefined && (type === 'DELETED' || holds(object) !== before) ? [before] : [];
  const promised = object.status?.nominatedNodeName as string | undefined;
  return type === 'DELETED' && promised !== undefined ? [...moved, promised] : moved;
}

/** The node on which a pod takes room: the one it is bound to, until it has ended. */
function holds(pod: ApiObject): string | undefined {
  const ended = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
  return ended ? undefined : (pod.spec?.nodeName as string | undefined);
}

function isPending(pod: ApiObject): boolean {
  return pod.spec?.nodeName === undefined && pod.metadata.deletionTimestamp === undefined;
}

interface SchedulingQueue {
  add(pod: ApiObject): void;
  park: (pod: ApiObject) => void;
  /** Something changed on this node. */
  retry(node: string): void;
  retryAll(): void;
}

function createSchedulingQueue(store: Store, clock: Clock, schedule: (pod: ApiObject) => void): SchedulingQueue {
  const waiting = new Set<string>();
  /** Keys of pods that did not fit, by the one node that could take them; '' for those any node could. */
  const parked = new Map<string, Set<string>>();
  let planned = false;

  function plan(keys: Iterable<string>): void {
    for (const key of keys) waiting.add(key);
    if (planned || waiting.size === 0) return;
    planned = true;
    clock.after(0, () => {
      planned = false;
      const pods = [...waiting].map((key) => current(store, key)).filter((pod) => pod !== undefined);
      waiting.clear();
      for (const pod of pods.sort((a, b) => priorityOf(b) - priorityOf(a))) schedule(pod);
    });
  }

  function release(places: readonly string[]): void {
    const keys = places.flatMap((place) => [...(parked.get(place) ?? [])]);
    if (keys.length === 0) return;
    for (const place of places) parked.delete(place);
    clock.after(RETRY_AFTER, () => {
      plan(keys);
    });
  }

  return {
    add(pod) {
      plan([keyOf(pod.metadata)]);
    },
    park: (pod) => {
      const place = targetNode(pod) ?? '';
      parked.set(place, (parked.get(place) ?? new Set()).add(keyOf(pod.metadata)));
    },
    retry(node) {
      release([node, '']);
    },
    retryAll() {
      release([...parked.keys()]);
    },
  };
}

function current(store: Store, key: string): ApiObject | undefined {
  const [namespace = '', name = ''] = key.split('/');
  const pod = store.get(PODS, name, namespace);
  return pod !== undefined && isPending(pod) ? pod : undefined;
}
