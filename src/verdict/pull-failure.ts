/** One image's failing pull on one node: what the kubelet shows now, its events and what is remembered, put into one error. */
import { earliest, latest } from './fields.ts';
import type { RememberedError } from './facts.ts';
import type { classify, PullErrorKind } from './pull-errors.ts';
import type { Event } from './snapshot.ts';

/** Waiting reasons of a container whose image cannot be had: kubelet's pkg/kubelet/images/types.go, and CRI-O's own. */
const PULL_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** Answers about the image itself: they come again until somebody changes something. */
const REFUSALS: ReadonlySet<PullErrorKind> = new Set([
  'platform',
  'setup',
  'credentials',
  'invalid',
  'never',
  'missing',
]);

/** When the kubelet tries again after a failed pull, in milliseconds since the first: back-off 10 s doubling up to 5 minutes. */
const ATTEMPTS = [0, 10_000, 30_000, 70_000, 150_000, 310_000];
const SLOWEST_ATTEMPT = 300_000;
const SLACK = 60_000;

export function isPullReason(reason: string): boolean {
  return PULL_REASONS.has(reason);
}

interface Seen {
  kind: PullErrorKind;
  text: string;
  first: number | undefined;
  at: number | undefined;
}

export interface FailureInput {
  image: string;
  waiting: { reason: string; message: string };
  /** Events of the pod. */
  events: readonly Event[];
  remembered: RememberedError | undefined;
  /** When an error began of which neither memory nor events tell. */
  fallback: number;
  /** The class of an error; it may remember texts. */
  classify: typeof classify;
  once: boolean;
  /** Nothing older counts: the time of `retry-at`, or -Infinity. */
  floor: number;
  now: number;
}

/** The error to judge by and to remember. A newest text of the kubelet goes before events and memory. */
export function readFailure(input: FailureInput): RememberedError {
  const { remembered, now, floor } = input;
  const events = failedPulls(input);
  const known = remembered === undefined ? events : [...events, { ...remembered, first: remembered.kindSince }];
  const current = settle(shownNow(input) ?? newest(known), known);
  const first = earliest(...events.filter(({ kind }) => REFUSALS.has(kind)).map((event) => event.first));
  const refusedAt = remembered?.refusedAt ?? (REFUSALS.has(current.kind) ? (first ?? fallbackOf(input)) : undefined);
  return {
    kind: current.kind,
    text: current.text,
    refusedAt: refusedAt === undefined ? undefined : Math.max(refusedAt, floor),
    kindSince: Math.max(kindSince(current.kind, events, input), floor),
    at: latest(...known.map(({ at }) => at), showsNewAttempt(input) ? now : undefined),
    shown: input.waiting.reason,
    seen: now,
  };
}

/** Back-off is no attempt; the reason of one may stand for long while the pod's next image is pulled, so only its coming counts. */
function showsNewAttempt({ waiting, remembered, once }: FailureInput): boolean {
  if (waiting.reason === 'ImagePullBackOff') return false;
  return once || (remembered?.shown !== undefined && remembered.shown !== waiting.reason);
}

function fallbackOf({ remembered, fallback, now }: FailureInput): number {
  return remembered === undefined ? fallback : now;
}

function kindSince(kind: PullErrorKind, events: readonly Seen[], input: FailureInput): number {
  if (input.remembered?.kind === kind) return input.remembered.kindSince;
  const first = earliest(...events.filter((event) => event.kind === kind).map((event) => event.first));
  return first ?? fallbackOf(input);
}

/** `Back-off pulling image "x"` alone hides the cause; newer kubelets repeat it behind (kubernetes PR 127918). */
function shownNow({ waiting, image, classify: kindOf }: FailureInput): Seen | undefined {
  const text = waiting.message.replace(/^Back-off pulling image "[^"]*"(?:: )?(?:ErrImagePull: )?/, '');
  if (waiting.reason === 'ImagePullBackOff' && text === '') return undefined;
  return { kind: kindOf(waiting.reason, text, image), text, first: undefined, at: undefined };
}

function failedPulls({ events, image, classify: kindOf }: FailureInput): Seen[] {
  const opening = `Failed to pull image "${image}": `;
  return events
    .filter(({ reason, message }) => reason === 'Failed' && message.startsWith(opening))
    .map(({ message, first, last }) => {
      const text = message.slice(opening.length);
      return { kind: kindOf('', text, image), text, first, at: last };
    });
}

function newest(known: readonly Seen[]): Seen {
  const [first] = [...known].sort(byNewest);
  return (
    first ?? {
      kind: 'unknown',
      text: 'the kubelet does not show the cause here: see the events of the pod',
      first: undefined,
      at: undefined,
    }
  );
}

/** Newest first; of the same time an answer before an error that may pass, so that the order of events decides nothing. */
function byNewest(one: Seen, other: Seen): number {
  const time = (other.at ?? -Infinity) - (one.at ?? -Infinity);
  if (!Number.isNaN(time) && time !== 0) return time;
  const rank = Number(REFUSALS.has(other.kind)) - Number(REFUSALS.has(one.kind));
  return rank || (one.text < other.text ? -1 : 1);
}

/** A registry that cannot be reached any more has not taken back what it said about credentials. */
function settle(current: Seen, known: readonly Seen[]): Seen {
  if (current.kind !== 'connection') return current;
  const refused = known.filter(({ kind }) => kind === 'credentials');
  return refused.length === 0 ? current : newest(refused);
}

export interface Patience {
  /** Milliseconds a missing image may be on its way. */
  window: number;
  once: boolean;
  /** The kubelet may be pulling another image of the pod, so that it does not try this one again. */
  busy: boolean;
}

/**
 * Milliseconds after the first refusal at which it is final: the newest attempt was made after the window and failed too. Where
 * no such attempt was seen the kubelet's slowest rhythm says when one must have been; Infinity while that cannot be told.
 */
export function finalAfter(error: RememberedError, { window, once, busy }: Patience): number {
  const { kind, refusedAt = Infinity, at = refusedAt } = error;
  if (kind === 'invalid' || kind === 'never') return 0;
  if (at - refusedAt >= window) return window;
  if (once) return attemptAfter(window);
  return busy ? Infinity : Math.max(window, at - refusedAt + SLOWEST_ATTEMPT + SLACK);
}

function attemptAfter(window: number): number {
  const early = ATTEMPTS.find((attempt) => attempt >= window);
  return early ?? 310_000 + Math.ceil((window - 310_000) / SLOWEST_ATTEMPT) * SLOWEST_ATTEMPT;
}
