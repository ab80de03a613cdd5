/** Pods that are not made because the API server refuses them: the DaemonSet controller says so in an event and nowhere else. */
import type { Grouped } from './pods-by-node.ts';
import type { DaemonSet, Event } from './snapshot.ts';
import { clean } from './text.ts';

export interface Refusal {
  /** The admission's own words. */
  message: string;
  /** Since when no pod was made: milliseconds. */
  since: number;
  /** A webhook or an API server that does not answer, which is not the puller's fault and may pass. */
  mayPass: boolean;
}

const MAY_PASS =
  /failed calling webhook|timed? ?out|context deadline exceeded|connection refused|too many requests|etcdserver/i;

interface RefusalInput {
  daemonSet: DaemonSet;
  events: readonly Event[];
  grouped: Grouped;
  /** Pods to be made on nodes that nothing else is known of. */
  missing: number;
  firstLook: number;
  floor: number;
}

/** The newest refusal, if pods are missing now and no pod was made after it. */
export function findRefusal(input: RefusalInput): Refusal | undefined {
  const { daemonSet, events, firstLook, floor } = input;
  const { newestPod = -Infinity } = input.grouped;
  const [newest] = lacksPods(input) ? events.filter((event) => isFailedCreate(event, daemonSet)).sort(byNewest) : [];
  if (newest === undefined || (newestPod !== -Infinity && (newest.last ?? -Infinity) <= newestPod)) return undefined;
  return {
    message: clean(newest.message, 400) || 'the API server refuses the pods',
    since: Math.max(newest.first ?? firstLook, newestPod, floor),
    mayPass: MAY_PASS.test(newest.message),
  };
}

/** Before the controller has counted, no pod at all is what tells. */
function lacksPods({ daemonSet, grouped, missing }: RefusalInput): boolean {
  const isObserved = (daemonSet.status.observedGeneration ?? -1) >= daemonSet.generation;
  return isObserved ? missing > 0 : !grouped.hasCurrent;
}

function isFailedCreate({ kind, reason, uid, name, namespace }: Event, daemonSet: DaemonSet): boolean {
  if (kind !== 'DaemonSet' || reason !== 'FailedCreate') return false;
  return uid === '' ? name === daemonSet.name && namespace === daemonSet.namespace : uid === daemonSet.uid;
}

function byNewest(one: Event, other: Event): number {
  const time = (other.last ?? 0) - (one.last ?? 0);
  return time === 0 ? (one.message < other.message ? -1 : 1) : time;
}
