/**
 * All pulls this process knows, from what the controller tells: those of now, and the last ones of before. A verdict is only taken
 * down when it comes; what it changed is worked out a moment later, at most twice a second, so that no verdict waits for a page.
 */
import type { DaemonSet, Event } from '../verdict/snapshot.ts';
import { timeText } from '../verdict/text.ts';
import type { NodeState, Verdict } from '../verdict/verdict.ts';
import { ownerOf } from './application.ts';
import { differences } from './differences.ts';
import { createExperience } from './experience.ts';
import type { Experience } from './experience.ts';
import { pullOf } from './pull.ts';
import type { Judged, Pull } from './pull.ts';

/** What became of one pull since the last time. */
export interface Change {
  version: number;
  /** `namespace/name`. */
  key: string;
  /** The application it belongs to, or did. */
  owner: string | undefined;
  /** Undefined: it is over. */
  known: Known | undefined;
  /** New or otherwise than before. */
  nodes: readonly NodeState[];
  removed: readonly string[];
}

export interface Known extends Judged {
  pull: Pull;
  /** Grows with each change of any pull. */
  version: number;
}

/** Pulls of one application, or of all. */
export interface PullsView {
  /** Undefined: all. */
  owner: string | undefined;
  /** By namespace and name. */
  current(): readonly Known[];
  find(namespace: string, name: string): Known | undefined;
  /** Newest first. */
  past(): readonly Pull[];
}

export interface Pulls extends PullsView {
  /** What belongs to an application of Argo CD by its tracking id. */
  of(owner: string): PullsView;
  judged(daemonSet: DaemonSet, verdict: Verdict): void;
  /** `namespace/name`. */
  gone(key: string): void;
  heard(event: Event): void;
  now(): number;
  /** Of the newest change. */
  version(): number;
  /** Called with all changes of a moment. */
  onChange(listener: (changes: readonly Change[]) => void): void;
  stop(): void;
}

/** Milliseconds of real time between two looks at what changed, and before the first. */
const EVERY = 500;
const SOON = 50;

export function createPulls(now: () => number): Pulls {
  /** What was told since the last look; undefined once it is gone. */
  const told = new Map<string, Judged | undefined>();
  const listeners: ((changes: readonly Change[]) => void)[] = [];
  const shelf = createShelf(now);
  let lookedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(key: string, judged: Judged | undefined): void {
    told.set(key, judged);
    timer ??= setTimeout(look, Math.max(SOON, lookedAt + EVERY - Date.now()));
  }

  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    if (told.size === 0) return;
    lookedAt = Date.now();
    const changes = [...told].flatMap(([key, judged]) => shelf.put(key, judged));
    told.clear();
    for (const listener of listeners) listener(changes);
  }

  function upToDate(): Shelf {
    look();
    return shelf;
  }

  return {
    ...viewOf(upToDate, undefined),
    of: (owner) => viewOf(upToDate, owner),
    judged(daemonSet, verdict) {
      tell(`${daemonSet.namespace}/${daemonSet.name}`, { daemonSet, verdict });
    },
    gone(key) {
      tell(key, undefined);
    },
    heard: (event) => {
      shelf.experience.heard(event);
    },
    now,
    version: () => upToDate().version(),
    onChange(listener) {
      listeners.push(listener);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

function viewOf(shelf: () => Shelf, owner: string | undefined): PullsView {
  const isIn = (its: string | undefined): boolean => owner === undefined || its === owner;
  return {
    owner,
    current: () =>
      [...shelf().known]
        .filter(([, { daemonSet }]) => isIn(ownerOf(daemonSet)))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, known]) => known),
    find(namespace, name) {
      const known = shelf().known.get(`${namespace}/${name}`);
      return known !== undefined && isIn(ownerOf(known.daemonSet)) ? known : undefined;
    },
    past: () =>
      shelf()
        .past()
        .filter((one) => isIn(one.owner))
        .map(({ pull }) => pull),
  };
}

interface Shelf {
  known: ReadonlyMap<string, Known>;
  experience: Experience;
  version(): number;
  past(): readonly Past[];
  /** None where nothing was, and two where the application changed: its end in one, its beginning in the other. */
  put(key: string, judged: Judged | undefined): Change[];
}

interface Past {
  pull: Pull;
  owner: string | undefined;
}

/** Past pulls that are remembered. */
const PAST = 50;

function createShelf(now: () => number): Shelf {
  const known = new Map<string, Known>();
  const experience = createExperience();
  let past: Past[] = [];
  let version = 0;

  function remember({ pull, daemonSet }: Known): void {
    experience.forget(daemonSet.uid);
    const ended = { ...pull, endedAt: pull.endedAt ?? timeText(now()) };
    past = [{ pull: ended, owner: ownerOf(daemonSet) }, ...past].slice(0, PAST);
  }

  function take(key: string, judged: Judged, before: Known | undefined): Change {
    version += 1;
    const old = before?.verdict.nodes ?? [];
    const { changed, removed } = differences(old, judged.verdict.nodes);
    experience.learn(judged, old, now());
    const pull = pullOf(judged, now(), experience.expectedEnd(judged, now()));
    const next = { ...judged, pull, version };
    known.set(key, next);
    return { version, key, owner: ownerOf(judged.daemonSet), known: next, nodes: changed, removed };
  }

  function drop(key: string, { daemonSet }: Known): Change {
    version += 1;
    known.delete(key);
    return { version, key, owner: ownerOf(daemonSet), known: undefined, nodes: [], removed: [] };
  }

  return {
    known,
    experience,
    version: () => version,
    past: () => past,
    put(key, judged) {
      const before = known.get(key);
      if (before !== undefined && !isSamePull(before, judged)) remember(before);
      const isOver = before !== undefined && (judged === undefined || !isSameOwner(before, judged));
      const end = isOver ? [drop(key, before)] : [];
      return judged === undefined ? end : [...end, take(key, judged, isOver ? undefined : before)];
    },
  };
}

function isSamePull({ daemonSet: { uid, generation } }: Known, judged: Judged | undefined): boolean {
  return judged?.daemonSet.uid === uid && judged.daemonSet.generation === generation;
}

function isSameOwner({ daemonSet }: Known, judged: Judged): boolean {
  return ownerOf(daemonSet) === ownerOf(judged.daemonSet);
}
