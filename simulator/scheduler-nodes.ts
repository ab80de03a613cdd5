/** What the scheduler knows of the nodes (its cache), what keeps a pod off one, and whom it would have to make room (its filter and preemption plugins). */
import { matchesNodeAffinity, untolerated } from './node-fit.ts';
import type { Request } from './quantities.ts';
import { parseQuantity, requestOf } from './quantities.ts';
import type { ApiObject } from './store.ts';

export interface SchedulerNode {
  node: ApiObject;
  /** Pods that hold room on it: bound and not ended, and those it is promised to. */
  pods: Map<string, ApiObject>;
}

/** Why a node cannot take a pod, in the scheduler's words. `final`: making room would not help. */
export interface Obstacle {
  reasons: string[];
  final: boolean;
}

/** Undefined when the pod fits. */
export function obstacle(pod: ApiObject, { node, pods }: SchedulerNode): Obstacle | undefined {
  const spec = pod.spec ?? {};
  const cordon = node.spec?.unschedulable === true && untoleratedCordon(pod);
  if (cordon) return { reasons: ['node(s) were unschedulable'], final: true };
  if (untolerated(node, spec, ['NoSchedule', 'NoExecute']) !== undefined)
    return { reasons: ['node(s) had untolerated taint(s)'], final: true };
  if (!matchesNodeAffinity(node, spec))
    return { reasons: ["node(s) didn't match Pod's node affinity/selector"], final: true };
  const others = [...pods.values()].filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
  const reasons = lacking(pod, node, others);
  return reasons.length === 0 ? undefined : { reasons, final: false };
}

function untoleratedCordon(pod: ApiObject): boolean {
  const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const node = { spec: { taints: [taint] } } as unknown as ApiObject;
  return untolerated(node, pod.spec ?? {}, ['NoSchedule']) !== undefined;
}

/** Resources the node has too little of beside `others` (noderesources' Fit). */
function lacking(pod: ApiObject, node: ApiObject, others: readonly ApiObject[]): string[] {
  const room = (node.status?.allocatable ?? {}) as Record<string, string>;
  const asked = requestOf(pod.spec ?? {});
  const reasons: string[] = [];
  if (others.length + 1 > Number(room.pods ?? 0)) reasons.push('Too many pods');
  for (const resource of ['cpu', 'memory'] as const) {
    const used = others.reduce((sum, other) => sum + cachedRequest(other)[resource], 0);
    const all = parseQuantity(room[resource]);
    if (asked[resource] > 0 && asked[resource] > all - used) reasons.push(`Insufficient ${resource}`);
  }
  return reasons;
}

const requests = new WeakMap<ApiObject, Request>();

function cachedRequest(pod: ApiObject): Request {
  const known = requests.get(pod) ?? requestOf(pod.spec ?? {});
  requests.set(pod, known);
  return known;
}

export function priorityOf(pod: ApiObject): number {
  return (pod.spec?.priority as number | undefined) ?? 0;
}

/** The pods of lower priority that must go so that the pod fits: as few as possible, the least important ones. Empty: none would help. */
export function victims(pod: ApiObject, { node, pods }: SchedulerNode): ApiObject[] {
  const lower = [...pods.values()].filter(
    (other) => other.spec?.nodeName !== undefined && priorityOf(other) < priorityOf(pod),
  );
  const rest = [...pods.values()].filter((other) => !lower.includes(other) && other.metadata.uid !== pod.metadata.uid);
  if (lower.length === 0 || lacking(pod, node, rest).length > 0) return [];
  const chosen: ApiObject[] = [];
  for (const candidate of lower.sort(moreImportantFirst)) {
    if (lacking(pod, node, [...rest, candidate]).length > 0) chosen.push(candidate);
    else rest.push(candidate);
  }
  return chosen;
}

function moreImportantFirst(a: ApiObject, b: ApiObject): number {
  if (priorityOf(a) !== priorityOf(b)) return priorityOf(b) - priorityOf(a);
  return a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1;
}

/** `0/4 nodes are available: 1 Too many pods, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].` (framework.FitError) */
export function unavailable(nodes: number, reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${String(count)} ${reason}`).sort();
  return `0/${String(nodes)} nodes are available: ${parts.join(', ')}.`;
}
