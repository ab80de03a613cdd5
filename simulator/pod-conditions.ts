/** Reading and writing the conditions of pods and nodes, as every component does it: one a type, the transition's time kept while the status stays. */
import type { ApiObject } from './store.ts';
import { timestamp } from './store.ts';

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastHeartbeatTime?: string;
}

export function conditionOf(object: ApiObject, type: string): Condition | undefined {
  return (object.status?.conditions as Condition[] | undefined)?.find((one) => one.type === type);
}

export function isReady(object: ApiObject): boolean {
  return conditionOf(object, 'Ready')?.status === 'True';
}

/** Ready for at least so many seconds (podutil.IsPodAvailable). */
export function isAvailable(pod: ApiObject, minReadySeconds: number, now: number): boolean {
  const ready = conditionOf(pod, 'Ready');
  if (ready?.status !== 'True') return false;
  return minReadySeconds === 0 || Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 <= now;
}

/** The condition with its transition's time: now, or since when the status has been the same. */
export function transitioned(before: ApiObject, condition: Condition, now: number): Condition {
  const old = conditionOf(before, condition.type);
  const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
  return { ...condition, lastTransitionTime: since ?? timestamp(now) };
}
