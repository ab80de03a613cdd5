/** From the states of all nodes to one health: the ladder's rungs in one ordered list, the first that speaks decides. */
import {
  OBSERVED_GENERATION_CONDITION,
  OVERRIDE_ANNOTATION,
  OVERRIDE_GENERATION_ANNOTATION,
  PULLED_CONDITION,
} from '../api/names.ts';
import type { Policy } from '../api/policy.ts';
import { isReason, type Health, type Reason } from '../api/reasons.ts';
import type { Clock } from './clock.ts';
import type { FinalVerdict, PullerFacts } from './facts.ts';
import { compose, describe } from './message.ts';
import type { Refusal } from './refusal.ts';
import type { DaemonSet } from './snapshot.ts';
import { clean, plural } from './text.ts';
import type { Counts, Decision, NodeState } from './verdict.ts';

/** A failed image must be seen failed again after this many milliseconds: one look can be a stale one. */
export const SECOND_LOOK = 10_000;

export interface Outlook {
  daemonSet: DaemonSet;
  policy: Policy;
  clock: Clock;
  puller: PullerFacts;
  floor: number;
  once: boolean;
  states: readonly NodeState[];
  counts: Counts;
  base: number;
  /** Pods to be made on nodes without a name, and since when. */
  missing: number;
  missingSince: number;
  /** The API server refuses to make pods. */
  refusal: Refusal | undefined;
  /** First look at which each image was failed, this look included. */
  failedSince: ReadonlyMap<string, number>;
}

type Rung = (outlook: Outlook) => Decision | undefined;

/** Each rung with what it decides, for docs/rules.md. */
export const LADDER: readonly { name: string; says: string; rung: Rung }[] = [
  { name: '0', says: 'a hook with a final verdict keeps it', rung: keepsFinal },
  { name: '1', says: "a person's override for this generation", rung: isOverridden },
  { name: '2', says: 'a hook deleted without a final verdict: Degraded', rung: wasDeleted },
  { name: '2a', says: 'a continuous puller that completed this generation stays Healthy', rung: wasCompleted },
  {
    name: '3',
    says: 'pods are missing and the API server refuses to make them, past rejection-grace: Degraded',
    rung: isRefusedPods,
  },
  { name: '4', says: 'generation not observed: Progressing; at the deadline: Degraded', rung: isUnobserved },
  {
    name: '5',
    says: 'a failed image seen on two looks: Degraded; anything pulling: Progressing until its deadline',
    rung: isUndecided,
  },
  { name: '6', says: 'strict and a tolerated node, or fewer than min-pulled: Degraded', rung: isTooLittle },
  { name: '7', says: 'Healthy, with every exception named', rung: isDone },
];

/** The last rung always speaks. */
export function climb(outlook: Outlook): Decision {
  for (const { rung } of LADDER) {
    const decision = rung(outlook);
    if (decision !== undefined) return decision;
  }
  return isDone(outlook);
}

function decide(
  health: Health,
  reason: Reason,
  outlook: Outlook,
  ...details: readonly (string | undefined)[]
): Decision {
  return { health, reason, message: compose(outlook.counts, ...details) };
}

function keepsFinal({ daemonSet, puller }: Outlook): Decision | undefined {
  return daemonSet.role === 'hook' ? (puller.final ?? finalOf(daemonSet)) : undefined;
}

/** The verdict that stands on the object: it survives restarts of ours. */
function finalOf({ conditions }: DaemonSet): FinalVerdict | undefined {
  const condition = conditions.find(({ type }) => type === PULLED_CONDITION);
  if (condition?.status !== 'True' && condition?.status !== 'False') return undefined;
  const health = condition.status === 'True' ? 'Healthy' : 'Degraded';
  const message = clean(condition.message, 1024) || health;
  return {
    health,
    reason: isReason(condition.reason) ? condition.reason : health === 'Healthy' ? 'Pulled' : 'GivenUp',
    message,
  };
}

function isOverridden(outlook: Outlook): Decision | undefined {
  const { annotations, generation } = outlook.daemonSet;
  if (annotations.get(OVERRIDE_GENERATION_ANNOTATION) !== String(generation)) return undefined;
  const override = annotations.get(OVERRIDE_ANNOTATION);
  const exceptions = describe(outlook.states.filter(({ state }) => state !== 'pulled'));
  if (override === 'let-through')
    return decide('Healthy', 'LetThrough', outlook, 'a person let it through', exceptions);
  if (override === 'give-up') return decide('Degraded', 'GivenUp', outlook, 'a person gave it up', exceptions);
  return undefined;
}

function wasDeleted(outlook: Outlook): Decision | undefined {
  const { role, deletedAt } = outlook.daemonSet;
  if (role !== 'hook' || deletedAt === undefined) return undefined;
  return decide('Degraded', 'PullerDeleted', outlook, 'the puller was deleted before it had a verdict; sync again');
}

function wasCompleted(outlook: Outlook): Decision | undefined {
  const { daemonSet, puller, states } = outlook;
  if (daemonSet.role !== 'continuous' || !(puller.completed || completedOnce(daemonSet))) return undefined;
  const isWorse = [isRefusedPods, isUnobserved, isUndecided, isTooLittle].some((rung) => rung(outlook) !== undefined);
  if (!isWorse) return isDone(outlook);
  return decide(
    'Healthy',
    'PulledBefore',
    outlook,
    missingWords(outlook),
    describe(states.filter(({ state }) => state !== 'pulled')),
  );
}

function completedOnce({ conditions, generation }: DaemonSet): boolean {
  const has = (type: string, field: 'status' | 'reason', value: string): boolean =>
    conditions.some((condition) => condition.type === type && condition[field] === value);
  return (
    has(PULLED_CONDITION, 'status', 'True') && has(OBSERVED_GENERATION_CONDITION, 'reason', `Generation${generation}`)
  );
}

function isRefusedPods(outlook: Outlook): Decision | undefined {
  const { refusal, clock, policy } = outlook;
  if (refusal === undefined || refusal.mayPass || !clock.passed(refusal.since, policy.rejectionGrace)) return undefined;
  return decide(
    'Degraded',
    'PodsRefused',
    outlook,
    sentences(refusal.message, 'Create what is named, or free the quota, and sync again.'),
  );
}

function isUnobserved(outlook: Outlook): Decision | undefined {
  const { daemonSet, clock, puller, floor, policy, refusal } = outlook;
  const { observedGeneration } = daemonSet.status;
  if (observedGeneration !== undefined && observedGeneration >= daemonSet.generation) return undefined;
  const words = 'the DaemonSet controller has not looked at this generation yet';
  if (!clock.passed(Math.max(puller.firstLook, floor), policy.deadline)) {
    return decide('Progressing', 'NotObserved', outlook, words, refusal?.message);
  }
  return decide(
    'Degraded',
    'NeverObserved',
    outlook,
    words,
    'check that kube-controller-manager runs',
    refusal?.message,
  );
}

function isUndecided(outlook: Outlook): Decision | undefined {
  const failed = outlook.states.filter(({ state }) => state === 'failed');
  const confirmed = failed.filter((state) => isConfirmed(state, outlook));
  const [worst] = confirmed;
  if (worst !== undefined) {
    const fix = confirmed.find(({ reason, fix: advice }) => reason === worst.reason && advice !== undefined)?.fix;
    return decide('Degraded', worst.reason, outlook, sentences(describe(confirmed), fix));
  }
  if (failed.length > 0)
    return decide('Progressing', 'Confirming', outlook, describe(failed), 'to be confirmed by a second look');
  const late = isMissingTooLong(outlook);
  if (late && outlook.policy.onDeadline === 'fail')
    return decide('Degraded', 'DeadlineExceeded', outlook, missingWords(outlook));
  if (outlook.counts.pulling === 0) return undefined;
  const pulling = outlook.states.filter(({ state }) => state === 'pulling');
  return decide('Progressing', 'Pulling', outlook, missingWords(outlook), describe(pulling));
}

function sentences(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first}. ${second}`;
}

/** Pods that were not made until the deadline. */
export function isMissingTooLong({
  missing,
  missingSince,
  clock,
  policy,
}: Pick<Outlook, 'missing' | 'missingSince' | 'clock' | 'policy'>): boolean {
  return missing > 0 && clock.passed(missingSince, policy.deadline);
}

function missingWords({ missing, refusal }: Outlook): string | undefined {
  if (missing === 0 && refusal === undefined) return undefined;
  const words = `${plural(missing, 'pod')} not made yet`;
  return refusal === undefined ? words : `${words}: ${refusal.message}`;
}

/** Two looks; or, where there is only one, an error that stood as long beyond its window. A deadline needs no second look. */
function isConfirmed({ reason, image, since }: NodeState, { clock, once, failedSince, policy }: Outlook): boolean {
  if (reason === 'DeadlineExceeded') return true;
  if (!once) return clock.passed(failedSince.get(image ?? '') ?? clock.now, SECOND_LOOK);
  const window = reason === 'ImageInvalid' || reason === 'ImageNeverPulled' ? 0 : policy.missingImageWindow;
  return clock.passed(since ?? clock.now, window + SECOND_LOOK);
}

function isTooLittle(outlook: Outlook): Decision | undefined {
  const { policy, states, counts, missing, base } = outlook;
  const counted = states.filter((state) => state.counts);
  if (policy.strict && counted.length + missing > 0) {
    return decide('Degraded', 'ToleratedInStrict', outlook, 'strict is set', missingWords(outlook), describe(counted));
  }
  const demanded =
    'nodes' in policy.minPulled
      ? policy.minPulled.nodes
      : counts.eligible === 0
        ? 0
        : (policy.minPulled.percent * base) / 100;
  if (counts.pulled >= demanded) return undefined;
  const text =
    'nodes' in policy.minPulled
      ? String(policy.minPulled.nodes)
      : `${policy.minPulled.percent}% of ${plural(base, 'node')}`;
  return decide('Degraded', 'TooFewPulled', outlook, `min-pulled demands ${text}`, describe(exceptionsOf(outlook)));
}

function isDone(outlook: Outlook): Decision {
  const { counts } = outlook;
  const exceptions = describe(exceptionsOf(outlook));
  if (counts.eligible === 0 && counts.pulled === 0)
    return decide('Healthy', 'NoEligibleNodes', outlook, 'no node to pull on', exceptions);
  return decide('Healthy', 'Pulled', outlook, missingWords(outlook), exceptions);
}

function exceptionsOf({ states }: Outlook): NodeState[] {
  return states.filter(({ state, reason }) => state !== 'pulled' || reason === 'PulledNotStarted');
}
