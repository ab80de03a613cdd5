/** The judge: one picture of a puller, its policy and the time in; health, reason, nodes and facts to remember out. */
import { RETRY_AT_ANNOTATION } from '../api/names.ts';
import type { Policy } from '../api/policy.ts';
import { clockAt } from './clock.ts';
import { firstLookAt, forget, type PullerFacts } from './facts.ts';
import { climb, isMissingTooLong, type Outlook } from './ladder.ts';
import type { Frame } from './node-view.ts';
import { groupPods, type Grouped } from './pods-by-node.ts';
import { classifier } from './pull-errors.ts';
import { findRefusal } from './refusal.ts';
import { remember } from './remember.ts';
import { stateAtDeadline } from './rules.ts';
import type { Snapshot } from './snapshot.ts';
import { survey, type Survey } from './survey.ts';
import type { Counts, Decision, NodeState, Verdict } from './verdict.ts';

/**
 * What the puller's pods, nodes and events add up to. Pure: the same arguments give the same verdict in whatever order objects
 * are listed, time comes in as `now` and deadlines go out as `recheckAfterMs`. Never throws.
 */
export function judge(snapshot: Snapshot, policy: Policy, now: Date): Verdict {
  const clock = clockAt(now.getTime());
  const grouped = groupPods(snapshot);
  const frame = frameOf(snapshot, grouped, clock.now);
  const surveyed = survey(frame, grouped, clock, policy);
  const { states, missing } = surveyed;
  const puller = { ...frame.puller, ...seenNow(frame, surveyed) };
  const missingSince = Math.max(puller.missingSince ?? puller.firstLook, frame.floor);
  const late = isMissingTooLong({ missing, missingSince, clock, policy });
  const outlook: Outlook = {
    daemonSet: snapshot.daemonSet,
    policy,
    clock,
    puller,
    floor: frame.floor,
    once: snapshot.once,
    states,
    counts: count(snapshot.daemonSet.status.desired, states, {
      number: missing,
      state: late ? stateAtDeadline(policy) : 'pulling',
    }),
    base: surveyed.base,
    missing,
    missingSince,
    refusal: findRefusal({
      daemonSet: snapshot.daemonSet,
      events: snapshot.events,
      grouped,
      missing,
      firstLook: puller.firstLook,
      floor: frame.floor,
    }),
    failedSince: puller.failedSince,
  };
  const decision = climb(outlook);
  const facts = remember(frame, surveyed.views, { ...puller, ...ended(decision, snapshot, puller) });
  return {
    ...decision,
    counts: outlook.counts,
    images: snapshot.daemonSet.wanted.map(({ image }, index) => ({ image, nodes: surveyed.provenOn[index] ?? 0 })),
    nodes: states,
    facts,
    ...recheck(decision, snapshot, clock.untilNext()),
  };
}

/** What is known before this look; a person's retry-at hides what is older. A time to come hides nothing. */
function frameOf(snapshot: Snapshot, grouped: Grouped, now: number): Frame {
  const retryAt = Date.parse(snapshot.daemonSet.annotations.get(RETRY_AT_ANNOTATION) ?? '');
  const floor = retryAt <= now ? retryAt : -Infinity;
  const { uid, generation } = snapshot.daemonSet;
  const facts = forget(snapshot.facts, uid, now, floor);
  const known = facts.pullers.get(uid);
  const lookedBefore = known !== undefined && (known.generation === generation || known.final !== undefined);
  const puller = lookedBefore ? known : firstLookAt(generation, snapshot.once ? begunAt(snapshot, grouped, now) : now);
  return { snapshot, now, floor, facts, puller, lookedBefore, classify: classifier() };
}

/** For a single look: when this generation began, as far as objects tell. */
function begunAt({ daemonSet }: Snapshot, { oldestCurrent }: Grouped, now: number): number {
  return (daemonSet.generation <= 1 ? daemonSet.createdAt : oldestCurrent) ?? now;
}

function seenNow(
  frame: Frame,
  { states, missing, fromRegistry }: Survey,
): Pick<PullerFacts, 'missingSince' | 'failedSince' | 'fromRegistry'> {
  const { puller, now, lookedBefore } = frame;
  const failed = states.filter(({ state, reason }) => state === 'failed' && reason !== 'DeadlineExceeded');
  return {
    missingSince: missing === 0 ? undefined : (puller.missingSince ?? (lookedBefore ? now : puller.firstLook)),
    failedSince: new Map(failed.map(({ image = '' }) => [image, puller.failedSince.get(image) ?? now])),
    fromRegistry,
  };
}

function count(
  eligible: number,
  states: readonly NodeState[],
  missing: { number: number; state: NodeState['state'] },
): Counts {
  const counts: Counts = { eligible, pulled: 0, pulling: 0, tolerated: 0, failed: 0 };
  for (const { state } of states) counts[state] += 1;
  counts[missing.state] += missing.number;
  return counts;
}

/** A hook's verdict is final; a continuous puller's generation is done with its first completion. */
function ended(
  { health, reason, message }: Decision,
  { daemonSet, once }: Snapshot,
  known: PullerFacts,
): Partial<PullerFacts> {
  if (once || health === 'Progressing') return {};
  if (daemonSet.role === 'hook') return { final: known.final ?? { health, reason, message } };
  return { completed: known.completed || (health === 'Healthy' && reason !== 'LetThrough') };
}

function recheck(
  { health }: Decision,
  { daemonSet, once }: Snapshot,
  untilNext: number | undefined,
): { recheckAfterMs?: number } {
  const isFinal = daemonSet.role === 'hook' && health !== 'Progressing' && !once;
  return isFinal || untilNext === undefined ? {} : { recheckAfterMs: untilNext };
}
