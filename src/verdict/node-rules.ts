/** Rows 1 to 9 of the rule table: what the node as a whole says, before any single image is asked. */
import type { Policy } from '../api/policy.ts';
import type { Clock } from './clock.ts';
import type { PullerFacts } from './facts.ts';
import type { NodeView } from './node-view.ts';
import { adviceFor } from './registries.ts';
import { isLeaving, isVirtual, otherSystem } from './placement.ts';
import { inSchedulersWords } from './scheduler-words.ts';
import type { Condition, DaemonSet, Pod } from './snapshot.ts';
import { clean, pointOf, timeText } from './text.ts';
import type { Finding } from './verdict.ts';

/** What the rules know beside the node itself. */
export interface Surroundings {
  clock: Clock;
  policy: Policy;
  daemonSet: DaemonSet;
  puller: PullerFacts;
  once: boolean;
  eventsComplete: boolean;
  /** Nothing older counts: the time of `retry-at`, or -Infinity. */
  floor: number;
  /** Images that some node has. */
  proven: ReadonlySet<string>;
  /** Images that some node pulled from the registry under this puller. */
  fromRegistry: ReadonlySet<string>;
  /** Images that every node which counts rejects for its platform. */
  rejectedByAll: ReadonlySet<string>;
}

export type NodeRule = (view: NodeView, around: Surroundings) => Finding | undefined;

/** Events live an hour; a little earlier their absence stops to say anything. */
const EVENTS_LAST = 55 * 60_000;

/** Events that say why a pod's sandbox does not come up. */
const START_PROBLEMS = /^Failed(?:CreatePodSandBox|Mount|AttachVolume|CreatePodContainer)$|^NetworkNotReady$/;

/** A grace that has begun: tolerated when it is over, and until then pulling, so that no later row fails the node. */
function afterGrace(around: Surroundings, since: number, grace: number, finding: Omit<Finding, 'state'>): Finding {
  const from = Math.max(since, around.floor);
  if (around.clock.passed(from, grace)) return { state: 'tolerated', since: from, ...finding };
  return { state: 'pulling', ...finding, reason: 'Waiting', since: from, bounded: true };
}

/** Row 1. */
export function isPulled(view: NodeView): Finding | undefined {
  if (view.images.length === 0 || view.proven < view.images.length) return undefined;
  const warned = view.images.find(({ warning }) => warning !== undefined);
  if (warned?.warning !== undefined) {
    const message = `pulled, but its container cannot run: ${pointOf(warned.warning)}`;
    return { state: 'pulled', reason: 'PulledNotStarted', image: warned.image, message };
  }
  if (view.images.some(({ proof }) => proof === 'elsewhere')) {
    return { state: 'pulled', reason: 'PulledElsewhere', message: 'pulled by another puller with the same images' };
  }
  return { state: 'pulled', reason: 'EveryImagePulled', message: `every image is on the node${pauseTrouble(view)}` };
}

/** A remark on the pause image, which nobody waits for. */
function pauseTrouble({ pod }: NodeView): string {
  const waiting = pod?.containers.find(({ name }) => name === 'pause')?.waiting;
  return waiting === undefined ? '' : `; the pause image does not start: ${pointOf(waiting.message || waiting.reason)}`;
}

/** Row 2: who joined later, by creation, or by turning Ready so late that its pod was made after that. */
export function isLate(view: NodeView, { puller }: Surroundings): Finding | undefined {
  const tolerated = (how: string, since: number): Finding => {
    const message = `${how} after the pull began; left to the continuous puller`;
    return { state: 'tolerated', reason: 'Late', message, since };
  };
  const createdAt = view.node?.createdAt;
  if (createdAt !== undefined && createdAt > puller.firstLook) return tolerated('joined', createdAt);
  const readySince = readyBeforePods(view);
  return readySince !== undefined && readySince > puller.firstLook ? tolerated('turned Ready', readySince) : undefined;
}

/** The node's last turn to Ready, if every pod of it is younger; an older pod means that the node only blinked. */
function readyBeforePods({ node, pod, old, deleting }: NodeView): number | undefined {
  if (node?.ready?.status !== 'True' || old !== undefined || deleting !== undefined) return undefined;
  const { since } = node.ready;
  return since !== undefined && pod?.createdAt !== undefined && pod.createdAt >= since ? since : undefined;
}

/** Row 3. */
export function isGoing({ node, gone }: NodeView): Finding | undefined {
  if (gone) return { state: 'tolerated', reason: 'NodeGone', message: 'the Node object is gone' };
  if (node === undefined || !isLeaving(node)) return undefined;
  return { state: 'tolerated', reason: 'Leaving', message: 'the node is being removed' };
}

/** Row 4. */
export function isImpossible({ node }: NodeView, { daemonSet }: Surroundings): Finding | undefined {
  if (node === undefined) return undefined;
  if (isVirtual(node))
    return { state: 'tolerated', reason: 'VirtualNode', message: 'a virtual node runs no pods of a DaemonSet' };
  const os = otherSystem(node, daemonSet.placement);
  if (os === undefined) return undefined;
  return {
    state: 'tolerated',
    reason: 'OtherSystem',
    message: `the node runs ${clean(os, 40)}, the images are for ${daemonSet.placement.os}`,
  };
}

/** Row 5. */
export function isOldPodStuck({ pod, old, deleting }: NodeView, around: Surroundings): Finding | undefined {
  if (pod !== undefined || old !== undefined || deleting?.deletedAt === undefined) return undefined;
  return afterGrace(around, deleting.deletedAt, around.policy.schedulingGrace, {
    reason: 'OldPodStuck',
    message: `pod ${deleting.name} is being deleted since ${timeText(deleting.deletedAt)} and does not go`,
    fix: 'If the node is dead, delete its Node object.',
  });
}

/** Row 6. */
export function isUnschedulable({ pod, turnedAway }: NodeView, around: Surroundings): Finding | undefined {
  const condition = pod === undefined ? undefined : unschedulable(pod);
  if (pod === undefined || condition === undefined) return undefined;
  const own = condition.since ?? madeAt(pod, around);
  return afterGrace(around, Math.min(own, turnedAway?.since ?? own), around.policy.schedulingGrace, {
    ...inSchedulersWords(condition.message),
    fix: 'Make room on the node, or keep the puller off it with a node selector.',
  });
}

/** When a pod was made. */
export function madeAt({ createdAt }: Pod, { puller }: { puller: PullerFacts }): number {
  return createdAt ?? puller.firstLook;
}

/** The condition of a pod the scheduler has tried and not placed. */
export function unschedulable({ bound, scheduled }: Pod): Condition | undefined {
  if (bound || scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return undefined;
  return scheduled;
}

/** Row 7: the pod was turned away, or one before it was and this one has not started either; or the disk is full. */
export function isRejecting(view: NodeView, around: Surroundings): Finding | undefined {
  const since = rejectedSince(view, around);
  if (since === undefined) return isDiskFull(view, around);
  const { pod } = view;
  const words =
    pod?.phase === 'Failed' ? clean(`${pod.reason}: ${pod.message}`, 200) : 'pods are replaced again and again';
  return afterGrace(around, since, around.policy.rejectionGrace, {
    reason: 'Rejecting',
    message: `the node turns the pod away: ${words}`,
    fix: 'Make room on the node: its limit of pods, CPU, memory or disk.',
  });
}

function rejectedSince({ pod, turnedAway, begun }: NodeView, around: Surroundings): number | undefined {
  if (pod?.phase === 'Failed') return Math.min(turnedAway?.since ?? Infinity, rejectedAt(pod, around));
  const isAgain = turnedAway?.rejected === true && turnedAway.uid === around.daemonSet.uid && !begun;
  return isAgain ? turnedAway.since : undefined;
}

function isDiskFull(view: NodeView, around: Surroundings): Finding | undefined {
  const full = view.images.find(({ error }) => error?.kind === 'disk');
  if (full?.error === undefined) return undefined;
  const message = `no disk space for it: ${pointOf(full.error.text)}`;
  const fix = adviceFor('disk', full.reference);
  return afterGrace(around, full.error.kindSince, around.policy.rejectionGrace, {
    reason: 'DiskFull',
    image: full.image,
    message,
    fix,
  });
}

/** When a failed pod failed, as far as it shows. */
export function rejectedAt(pod: Pod, around: { puller: PullerFacts }): number {
  return Math.max(madeAt(pod, around), pod.lastTransition ?? -Infinity);
}

/** Row 8. */
export function isNotReady({ node }: NodeView, around: Surroundings): Finding | undefined {
  if (node?.ready === undefined || node.ready.status === 'True') return undefined;
  const since = node.ready.since ?? around.puller.firstLook;
  const fix = 'Repair the node, or delete its Node object.';
  return afterGrace(around, since, around.policy.schedulingGrace, {
    reason: 'NodeNotReady',
    message: notReady(node.ready),
    fix,
  });
}

/** In the words of the node's own condition. */
export function notReady({ since, message, reason }: Condition): string {
  const when = since === undefined ? '' : ` since ${timeText(since)}`;
  return `the node is not ready${when}: ${clean(message, 160) || clean(reason, 60) || 'no reason given'}`;
}

/** Row 9. */
export function cannotStart(view: NodeView, around: Surroundings): Finding | undefined {
  const since = notStartedSince(view, { ...around, now: around.clock.now });
  if (since === undefined) return undefined;
  return afterGrace(around, since, around.policy.schedulingGrace, {
    reason: 'CannotStartPods',
    message: `the node does not start the pod${view.node?.cordoned === true ? ' (it is cordoned)' : ''}: ${startProblem(view)}`,
    fix: 'Look at the kubelet, the container runtime and the network plugin of the node.',
  });
}

interface Moment {
  puller: PullerFacts;
  eventsComplete: boolean;
  now: number;
}

/**
 * Since when the node has a pod of which nothing has begun. Only the absence of events shows that, if all are known and one would
 * not have expired: a sandbox condition that is not True says nothing, it is so during a first pull as well. Noticed in time it
 * stays true.
 */
export function notStartedSince({ pod, begun, notStarted }: NodeView, moment: Moment): number | undefined {
  if (pod?.bound !== true || begun || pod.phase === 'Failed') return undefined;
  const own = boundAt(pod, moment);
  if (notStarted !== undefined) return Math.min(own, notStarted.since);
  const isSilent = moment.eventsComplete && moment.now - own < EVENTS_LAST;
  return isSilent ? own : undefined;
}

function startProblem({ events }: NodeView): string {
  const [problem] = events
    .filter(({ reason }) => START_PROBLEMS.test(reason))
    .sort((one, other) => (other.last ?? 0) - (one.last ?? 0) || (one.message < other.message ? -1 : 1));
  return problem === undefined ? 'no pull has begun' : `${problem.reason}: ${clean(problem.message, 200)}`;
}

/** When a pod was bound to its node. */
function boundAt(pod: Pod, around: { puller: PullerFacts }): number {
  return pod.scheduled?.since ?? madeAt(pod, around);
}
