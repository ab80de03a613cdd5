/**
 * The verdict annotation: a summary for people's eyes and what cannot be derived again after a restart, JSON of at most 4 KiB
 * however many nodes there are. What does not fit is forgotten: later, never wrong.
 */
import { VERDICT_ANNOTATION } from '../api/names.ts';
import { at as fieldAt, countAt, listAt, textAt, timeAt } from './fields.ts';
import { firstLookAt, NO_FACTS, type Facts, type PullerFacts, type RememberedError } from './facts.ts';
import { PULL_ERROR_KINDS } from './pull-errors.ts';
import type { DaemonSet } from './snapshot.ts';
import { clean, timeText } from './text.ts';
import type { NodeState, Verdict } from './verdict.ts';

const LIMIT = 4096;
/** Facts leave room for the nodes. */
const FACTS_LIMIT = 2800;
const SEVERITY: Readonly<Record<NodeState['state'], number>> = { failed: 0, pulling: 1, tolerated: 2, pulled: 3 };

/** The annotation's text; the present one where only the time of writing would differ, so that an idle puller costs no write. */
export function printAnnotation(verdict: Verdict, daemonSet: DaemonSet, now: Date): string {
  const body = bodyOf(verdict, daemonSet);
  const present = daemonSet.annotations.get(VERDICT_ANNOTATION);
  if (present !== undefined && withoutTime(present) === body) return present;
  return `{"at":"${timeText(now.getTime())}",${body.slice(1)}`;
}

function withoutTime(text: string): string {
  return text.replace(/^\{"at":"[^"]*",/, '{');
}

function bodyOf({ health, reason, counts, facts, nodes }: Verdict, daemonSet: DaemonSet): string {
  const puller = facts.pullers.get(daemonSet.uid);
  const budget = { left: FACTS_LIMIT };
  const head = {
    uid: daemonSet.uid,
    generation: daemonSet.generation,
    health,
    reason,
    counts,
    ...(puller && pullerFields(puller, budget)),
  };
  budget.left -= byteLength(JSON.stringify(head));
  const half = { left: budget.left / 2 };
  const turnedAway = fit(half, turnedAwayOf(facts, daemonSet));
  budget.left = budget.left / 2 + half.left;
  const errors = fit(budget, errorsOf(facts, daemonSet));
  budget.left += LIMIT - FACTS_LIMIT - 160; // the braces, names and the time around it all
  const open = nodes
    .filter(({ state }) => state !== 'pulled')
    .sort((one, other) => SEVERITY[one.state] - SEVERITY[other.state]);
  const shown = fit(
    budget,
    open.map(({ node, state, reason: why, image }) => [
      clean(node, 253),
      state,
      why,
      ...(image === undefined ? [] : [clean(image, 200)]),
    ]),
  );
  return JSON.stringify({ ...head, turnedAway, errors, nodes: shown, more: open.length - shown.length });
}

function byteLength(text: string): number {
  return Buffer.byteLength(text) + 1;
}

/** The first entries that the budget holds. */
function fit<T>(budget: { left: number }, entries: readonly T[]): T[] {
  const kept: T[] = [];
  for (const entry of entries) {
    const size = byteLength(JSON.stringify(entry));
    if (size > budget.left) break;
    budget.left -= size;
    kept.push(entry);
  }
  return kept;
}

function pullerFields(
  { firstLook, missingSince, failedSince, fromRegistry }: PullerFacts,
  budget: { left: number },
): object {
  const images = { left: budget.left / 2 };
  return {
    firstLook,
    ...(missingSince !== undefined && { missingSince }),
    failedSince: fit(images, [...failedSince].sort()),
    fromRegistry: fit(images, [...fromRegistry].sort()),
  };
}

function turnedAwayOf(facts: Facts, { uid }: DaemonSet): unknown[] {
  const own = [...facts.turnedAway].filter(([, record]) => record.uid === uid);
  return own.map(([node, { since, rejected }]) => [node, since, rejected]).sort();
}

/** Of each image one node first, then a second of each: any node's window is the puller's. */
function errorsOf(facts: Facts, { wanted }: DaemonSet): unknown[] {
  const images = new Set(wanted.map(({ image }) => image));
  const turns = new Map<string, number>();
  const own = [...facts.errors]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .filter(([key]) => images.has(imageOf(key)));
  const ranked = own.map(([key, error]) => {
    const turn = turns.get(imageOf(key)) ?? 0;
    turns.set(imageOf(key), turn + 1);
    return { turn, entry: errorFields(key, error) };
  });
  return ranked.sort((one, other) => one.turn - other.turn).map(({ entry }) => entry);
}

function imageOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function errorFields(key: string, { kind, text, refusedAt, kindSince, at }: RememberedError): unknown[] {
  return [key, kind, clean(text, 160), refusedAt ?? null, kindSince, at ?? null];
}

/** What the annotation of this UID remembers, as facts; nothing where it is another's, broken or absent. */
export function readAnnotation(daemonSet: DaemonSet, now: Date): Facts {
  const value = parse(daemonSet.annotations.get(VERDICT_ANNOTATION) ?? '');
  const seen = timeAt(value, 'at');
  if (seen === undefined || textAt(value, 'uid') !== daemonSet.uid) return NO_FACTS;
  return {
    turnedAway: new Map(listAt(value, 'turnedAway').flatMap((entry) => readTurnedAway(entry, daemonSet.uid, seen))),
    notStarted: new Map(),
    errors: new Map(listAt(value, 'errors').flatMap((entry) => readError(entry, seen))),
    pullers: new Map([[daemonSet.uid, readPuller(value, now.getTime())]]),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readTurnedAway(
  entry: unknown,
  uid: string,
  seen: number,
): [string, { since: number; seen: number; uid: string; rejected: boolean }][] {
  const [node, since, rejected] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return typeof node === 'string' && typeof since === 'number'
    ? [[node, { since, seen, uid, rejected: rejected === true }]]
    : [];
}

function readError(entry: unknown, seen: number): [string, RememberedError][] {
  const [key, name, text, refusedAt, kindSince, at] = Array.isArray(entry) ? (entry as unknown[]) : [];
  const kind = PULL_ERROR_KINDS.find((known) => known === name);
  if (typeof key !== 'string' || typeof text !== 'string' || typeof kindSince !== 'number' || kind === undefined)
    return [];
  const time = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  return [[key, { kind, text, refusedAt: time(refusedAt), kindSince, at: time(at), shown: undefined, seen }]];
}

/** The first look is kept however old it is: it belongs to the object that carries it. */
function readPuller(value: unknown, now: number): PullerFacts {
  const strings = (name: string): string[] => listAt(value, name).filter((entry) => typeof entry === 'string');
  const pairs = listAt(value, 'failedSince').filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number',
  );
  const missingSince = fieldAt(value, 'missingSince');
  return {
    ...firstLookAt(countAt(value, 'generation') ?? 0, Math.min(countAt(value, 'firstLook') ?? now, now)),
    seen: now,
    missingSince: typeof missingSince === 'number' ? missingSince : undefined,
    failedSince: new Map(pairs),
    fromRegistry: new Set(strings('fromRegistry')),
  };
}
