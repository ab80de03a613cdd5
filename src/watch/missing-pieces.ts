/** What a verdict would want to know beyond pullers and pods: whose Node objects and whose events could change it or explain it. */
import type { DaemonSet, Pod } from '../verdict/snapshot.ts';
import type { NodeState, Verdict } from '../verdict/verdict.ts';

export interface MissingPieces {
  /** Names of nodes that are not done, and not simply at work. */
  nodes: string[];
  /** Those that are: one of them may be dead without a word. */
  atWork: string[];
  /** Pods whose cause only events tell. */
  pods: Pod[];
  /** Pods are missing: the DaemonSet's own events may say why. */
  refusals: boolean;
}

/** Milliseconds a bound pod may be without a sandbox before its events are asked for. */
const STARTING = 10_000;

/** States in which a container shows that its pull failed, as far as events tell more about it. */
const FAILING = /^(?:ErrImagePull|ImagePullBackOff|ImageInspectError|RegistryUnavailable)$/;

export function missingPieces(
  verdict: Verdict,
  daemonSet: DaemonSet,
  pods: readonly Pod[],
  now: number,
): MissingPieces {
  const open = verdict.nodes.filter(({ state }) => state !== 'pulled');
  const reasons = new Map(open.map(({ node, reason }) => [node, reason]));
  const isTheirs = ({ ownerUid, node }: Pod): boolean => ownerUid === daemonSet.uid && reasons.has(node);
  const isPulling = ({ node }: Pod): boolean => reasons.get(node) === 'InProgress';
  return {
    nodes: open.filter((state) => !isAtWork(state)).map(({ node }) => node),
    atWork: open.filter(isAtWork).map(({ node }) => node),
    pods: pods.filter((pod) => isTheirs(pod) && (isFailing(pod) || (isSlow(pod, now) && !isPulling(pod)))),
    refusals: lacksPods(verdict, daemonSet),
  };
}

function isAtWork({ reason }: NodeState): boolean {
  return reason === 'InProgress';
}

/** Whether pods are yet to be made, as far as anybody counted. */
export function lacksPods({ nodes, counts }: Verdict, { status, generation }: DaemonSet): boolean {
  if ((status.observedGeneration ?? -1) < generation) return true;
  const { pulled, pulling, tolerated, failed } = counts;
  return pulled + pulling + tolerated + failed > nodes.length;
}

function isFailing({ bound, phase, containers }: Pod): boolean {
  if (!bound || phase === 'Failed') return false;
  return containers.some(({ waiting }) => waiting !== undefined && FAILING.test(waiting.reason));
}

/** Bound for a while, and nothing shows that it got its sandbox. */
function isSlow({ bound, phase, sandbox, scheduled, createdAt }: Pod, now: number): boolean {
  if (!bound || phase === 'Failed' || sandbox?.status === 'True') return false;
  return now - (scheduled?.since ?? createdAt ?? now) >= STARTING;
}
