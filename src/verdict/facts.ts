/**
 * What must outlive the objects it was seen on, as a value of one namespace that the judge takes in and hands out: since when a
 * node turns pods away, first and last error per node and image, first looks. Lost facts make a verdict later, never wrong.
 */
import type { Health, Reason } from '../api/reasons.ts';
import type { PullErrorKind } from './pull-errors.ts';

/** How long a fact is kept after it was last seen, in milliseconds. */
export const MEMORY = 3_600_000;

export interface TurnedAway {
  since: number;
  seen: number;
  /** The puller whose pod was refused last. */
  uid: string;
  /** The kubelet turned a pod away; else the scheduler found no room. */
  rejected: boolean;
}

/** Since when pods bound to a node do not get as far as pulling. */
export interface NotStarted {
  since: number;
  seen: number;
}

export interface RememberedError {
  kind: PullErrorKind;
  text: string;
  /** First time the registry, or the kubelet, said no: kept over errors that may pass. */
  refusedAt: number | undefined;
  /** First error in a row of this kind. */
  kindSince: number;
  /** The newest attempt known; undefined when only its failure is known. */
  at: number | undefined;
  /** The kubelet's reason at the newest look; undefined when another process looked. */
  shown: string | undefined;
  seen: number;
}

export interface FinalVerdict {
  health: Health;
  reason: Reason;
  message: string;
}

/** What is remembered of one DaemonSet, by UID. */
export interface PullerFacts {
  generation: number;
  /** The first look at this generation. */
  firstLook: number;
  /** The newest look. */
  seen: number;
  /** Since when pods are missing, when they were not at an earlier look. */
  missingSince: number | undefined;
  /** A hook's verdict that no later picture changes. */
  final: FinalVerdict | undefined;
  /** A continuous puller has been Healthy at this generation. */
  completed: boolean;
  /** First look at which an image was failed, while it stays so. */
  failedSince: ReadonlyMap<string, number>;
  /** Images that a node was seen to pull from the registry. */
  fromRegistry: ReadonlySet<string>;
  /** Nodes that are partly done: how many images, and since when. */
  progress: ReadonlyMap<string, { proven: number; at: number }>;
}

export interface Facts {
  turnedAway: ReadonlyMap<string, TurnedAway>;
  notStarted: ReadonlyMap<string, NotStarted>;
  /** By `errorKey`. */
  errors: ReadonlyMap<string, RememberedError>;
  pullers: ReadonlyMap<string, PullerFacts>;
}

export const NO_FACTS: Facts = { turnedAway: new Map(), notStarted: new Map(), errors: new Map(), pullers: new Map() };

/** A node's name cannot hold a blank, an image reference neither. */
export function errorKey(node: string, image: string): string {
  return `${node} ${image}`;
}

/** Both, the newer of two that speak of the same: how facts of several pullers of a namespace are put together again. */
export function mergeFacts(one: Facts, other: Facts): Facts {
  return {
    turnedAway: newer(one.turnedAway, other.turnedAway),
    notStarted: newer(one.notStarted, other.notStarted),
    errors: newer(one.errors, other.errors),
    pullers: newer(one.pullers, other.pullers),
  };
}

function newer<T extends { seen: number }>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): Map<string, T> {
  const merged = new Map(one);
  for (const [key, value] of other) {
    const known = merged.get(key);
    if (known === undefined || known.seen < value.seen) merged.set(key, value);
  }
  return merged;
}

/**
 * Facts without those last seen over an hour ago, and without what a person asked to forget by retry-at. What is known of the
 * puller that is looked at stays however long ago that was, or its deadline could never come.
 */
export function forget(facts: Facts, uid: string, now: number, retryAt: number): Facts {
  const from = Math.max(now - MEMORY, retryAt);
  const known = facts.pullers.get(uid);
  const pullers = recent(facts.pullers, now - MEMORY);
  return {
    turnedAway: recent(facts.turnedAway, from),
    notStarted: recent(facts.notStarted, from),
    errors: recent(facts.errors, from),
    pullers: known === undefined ? pullers : pullers.set(uid, known),
  };
}

/** What a replica remembers that does not write: nothing is decided until the one that writes has written it. */
export function withoutDecisions(facts: Facts): Facts {
  const undecided = [...facts.pullers].map(([uid, puller]): [string, PullerFacts] => [
    uid,
    { ...puller, final: undefined, completed: false },
  ]);
  return { ...facts, pullers: new Map(undecided) };
}

function recent<T extends { seen: number }>(facts: ReadonlyMap<string, T>, from: number): Map<string, T> {
  return new Map([...facts].filter(([, { seen }]) => seen >= from));
}

/** What is known at the first look at a UID or generation that began at `firstLook`. */
export function firstLookAt(generation: number, firstLook: number): PullerFacts {
  return {
    generation,
    firstLook,
    seen: firstLook,
    missingSince: undefined,
    final: undefined,
    completed: false,
    failedSince: new Map(),
    fromRegistry: new Set(),
    progress: new Map(),
  };
}
