/** What a look adds to the facts and what it takes away: nodes that turn pods away, errors, progress of nodes that are half done. */
import { errorKey, type Facts, type PullerFacts, type RememberedError, type TurnedAway } from './facts.ts';
import type { Frame, NodeView } from './node-view.ts';
import { madeAt, notStartedSince, rejectedAt, unschedulable } from './node-rules.ts';
import type { Pod } from './snapshot.ts';

/** The facts of the namespace after this look; those of other pullers and nodes are kept as they are. */
export function remember(frame: Frame, views: readonly NodeView[], puller: PullerFacts): Facts {
  const turnedAway = new Map(frame.facts.turnedAway);
  const notStarted = new Map(frame.facts.notStarted);
  const errors = new Map(frame.facts.errors);
  const moment = { puller: frame.puller, now: frame.now, eventsComplete: frame.snapshot.eventsComplete };
  for (const view of views) {
    const { name, pod } = view;
    if (pod === undefined) continue;
    const refused = turnedAwayNow(frame, view, pod);
    if (refused !== undefined) turnedAway.set(name, refused);
    else if (hasStartedSince(view, pod, frame)) turnedAway.delete(name);
    const since = notStartedSince(view, moment);
    if (since !== undefined) notStarted.set(name, { since, seen: frame.now });
    else if (view.begun) notStarted.delete(name);
    rememberErrors(errors, view);
  }
  const pullers = new Map(frame.facts.pullers).set(frame.snapshot.daemonSet.uid, {
    ...puller,
    seen: frame.now,
    progress: frame.snapshot.once ? puller.progress : progress(frame, views),
  });
  return { turnedAway, notStarted, errors, pullers };
}

function turnedAwayNow(frame: Frame, { turnedAway }: NodeView, pod: Pod): TurnedAway | undefined {
  const { uid } = frame.snapshot.daemonSet;
  const own = refusedAt(pod, frame);
  if (own === undefined) return undefined;
  const wasRejected = turnedAway?.uid === uid && turnedAway.rejected;
  return {
    since: Math.min(own, turnedAway?.since ?? own),
    seen: frame.now,
    uid,
    rejected: wasRejected || pod.phase === 'Failed',
  };
}

function refusedAt(pod: Pod, frame: Frame): number | undefined {
  if (pod.phase === 'Failed') return rejectedAt(pod, frame);
  const condition = unschedulable(pod);
  return condition === undefined ? undefined : (condition.since ?? madeAt(pod, frame));
}

/** A pod of another puller may run on a node since long before it turned this one away. */
function hasStartedSince({ begun, turnedAway }: NodeView, pod: Pod, frame: Frame): boolean {
  if (!begun || turnedAway === undefined) return false;
  return (
    turnedAway.uid === frame.snapshot.daemonSet.uid || (pod.sandbox?.since ?? pod.createdAt ?? 0) > turnedAway.seen
  );
}

function rememberErrors(errors: Map<string, RememberedError>, { name, images }: NodeView): void {
  for (const { reference, proof, error } of images) {
    if (error !== undefined) errors.set(errorKey(name, reference), error);
    else if (proof !== undefined) errors.delete(errorKey(name, reference));
  }
}

/** Only nodes with some of their images, whose newest progress may show nowhere else. */
function progress({ puller }: Frame, views: readonly NodeView[]): PullerFacts['progress'] {
  const kept = new Map<string, { proven: number; at: number }>();
  for (const { name, proven, images, progressAt } of views) {
    if (proven === 0 || proven === images.length) continue;
    kept.set(name, { proven: Math.max(proven, puller.progress.get(name)?.proven ?? 0), at: progressAt });
  }
  return kept;
}
