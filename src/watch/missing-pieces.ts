/** What a verdict would want to know beyond pullers and pods: whose Node objects and whose events could change it or explain it. */
import type { DaemonSet, Pod } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';

export interface MissingPieces {
  /** Names of nodes that are not done. */
  nodes: string[];
  /** Pods whose cause only events tell. */
  pods: Pod[];
  /** Pods are missing: the DaemonSet's own events may say why. */
  refusals: boolean;
}

/** Milliseconds a bound pod may be without a sandbox before its events are asked for. */
const STARTING = 10_000;

/** States in which a container shows that its pull failed, as far as events tell more about it. */
const FAILING = /^(?:ErrImagePull|ImagePullBackOff|ImageInspectError|RegistryUnavailable)$/;

/** A settled verdict wants nothing: what it rests on is known. */
export function missingPieces(
  verdict: Verdict,
  daemonSet: DaemonSet,
  pods: readonly Pod[],
  now: number,
): MissingPieces {
  const open = verdict.nodes.filter(({ state }) => state !== 'pulled');
  const names = new Set(open.map(({ node }) => node));
  const own = pods.filter(({ ownerUid, node }) => ownerUid === daemonSet.uid && names.has(node));
  const named = verdict.nodes.length;
  const missing = verdict.counts.pulled + verdict.counts.pulling + verdict.counts.tolerated + verdict.counts.failed;
  const observed = (daemonSet.status.observedGeneration ?? -1) >= daemonSet.generation;
  return {
    nodes: open.sort((one, other) => rank(one.reason) - rank(other.reason)).map(({ node }) => node),
    pods: own.filter((pod) => isUnclear(pod, now)),
    refusals: !observed || missing > named || open.some(({ reason }) => reason === 'PodMissing'),
  };
}

/** Nodes that are simply at work are asked last. */
function rank(reason: string): number {
  return reason === 'InProgress' ? 1 : 0;
}

function isUnclear(pod: Pod, now: number): boolean {
  if (!pod.bound || pod.phase === 'Failed') return false;
  if (pod.containers.some(({ waiting }) => waiting !== undefined && FAILING.test(waiting.reason))) return true;
  if (pod.sandbox?.status === 'True') return false;
  return now - (pod.scheduled?.since ?? pod.createdAt ?? now) >= STARTING;
}
