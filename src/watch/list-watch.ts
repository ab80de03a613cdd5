/**
 * One collection kept up to date: a list in pages, then a watch with bookmarks from there on. After a clean end the watch goes on
 * where it was; after any other end everything is listed again, so that what follows is judged on a whole picture (client-go's reflector).
 */
import { createBackOff } from './back-off.ts';
import type { Clock } from './clock.ts';
import { isStopped, pause } from './clock.ts';
import { codeOf, KubeError } from './kube-api.ts';
import type { KubeClient, Query } from './kube-api.ts';

/** Where the objects go. */
export interface Sink {
  /** A list begins: what it does not name is gone at its end. */
  begin(): void;
  page(objects: readonly unknown[]): void;
  end(): void;
  /** One change. */
  put(object: unknown): void;
  remove(object: unknown): void;
}

export interface Collected {
  path: string;
  query: Query;
  sink: Sink;
}

export interface ListWatchOptions {
  client: KubeClient;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  /** Told of each failure, once. */
  failed: (error: unknown) => void;
  /** The collection is whole again, or not any more. */
  changed: () => void;
}

export interface ListWatch {
  /** Everything is known and the watch is open, or between two clean ends. */
  isLive(): boolean;
  /** When the server last said something, in milliseconds; undefined before the first whole list. */
  heardAt(): number | undefined;
  /** When the watch opened on the last whole list, in milliseconds: until then nothing can have gone unseen. */
  wholeAt(): number | undefined;
  /** The last failure, while it lasts. */
  failure(): unknown;
  /** Gives the watch up, which may be silent without a word, and lists everything anew; not live until that is done. */
  again(): void;
  /** Resolves when stopped by the signal. */
  readonly done: Promise<void>;
}

const PAGE = 500;
const BACK_OFF = { first: 500, most: 30_000 };

/** Seconds after which the server ends a watch cleanly: at least these, at most twice. */
const WATCH_SECONDS = 300;

/** A clean end that is not followed by an open watch within this many milliseconds was none. */
const RENEWAL = 5_000;

/** A watch that ends sooner without a word is a failure: servers let them run for minutes. Milliseconds. */
const SHORTEST = 1_000;

/** What went well for longer begins its back-off anew. Milliseconds. */
const SOUND = 30_000;

interface State {
  live: boolean;
  heardAt: number | undefined;
  wholeAt: number | undefined;
  failure: unknown;
  /** Ends this list and its watch. */
  round: AbortController;
}

export function listAndWatch(collected: Collected, options: ListWatchOptions): ListWatch {
  const state: State = {
    live: false,
    heardAt: undefined,
    wholeAt: undefined,
    failure: undefined,
    round: new AbortController(),
  };
  return {
    isLive: () => state.live,
    heardAt: () => state.heardAt,
    wholeAt: () => state.wholeAt,
    failure: () => state.failure,
    again() {
      state.live = false;
      state.round.abort();
      options.changed();
    },
    done: follow(collected, options, state),
  };
}

async function follow(collected: Collected, options: ListWatchOptions, state: State): Promise<void> {
  const { clock, signal, random, failed, changed } = options;
  const backOff = createBackOff(BACK_OFF, random);
  while (!isStopped(signal)) {
    const began = clock.now();
    const { signal: ended } = (state.round = new AbortController());
    const watching = { ...options, signal: AbortSignal.any([signal, ended]), state };
    try {
      const version = await listAll(collected, watching);
      state.heardAt = clock.now();
      await watchOn(version, collected, watching);
    } catch (error) {
      if (isStopped(signal)) return;
      if (isStopped(ended)) continue;
      state.live = false;
      // Too old a version is no failure: the list that follows mends it.
      if (codeOf(error) !== 410) {
        state.failure = error;
        failed(error);
      }
      changed();
      if (clock.now() - began > SOUND) backOff.reset();
      await pause(clock, Math.max(backOff.next(), retryAfter(error)), signal);
    }
  }
}

function retryAfter(error: unknown): number {
  return error instanceof KubeError ? (error.retryAfter ?? 0) : 0;
}

/** The version of the whole list. A page that expired in between begins the list anew, by the error it throws. */
async function listAll({ path, query, sink }: Collected, { client, signal }: ListWatchOptions): Promise<string> {
  sink.begin();
  for (let next: string | undefined; ;) {
    const page = await client.list(path, { ...query, limit: PAGE, continue: next }, signal);
    signal.throwIfAborted();
    sink.page(page.items);
    next = page.next;
    if (next !== undefined) continue;
    sink.end();
    return page.resourceVersion;
  }
}

interface Watching extends ListWatchOptions {
  state: State;
}

/** Watches from `version` on, again and again, until something other than a clean end happens. */
async function watchOn(version: string, collected: Collected, watching: Watching): Promise<void> {
  const { client, clock, random, signal, state, changed } = watching;
  const position = { version };
  let isFirst = true;
  while (!isStopped(signal)) {
    const began = { at: clock.now(), version: position.version };
    const overdue = renewal(watching);
    const handler = {
      opened() {
        overdue();
        state.heardAt = clock.now();
        if (isFirst) state.wholeAt = clock.now();
        isFirst = false;
        state.live = true;
        state.failure = undefined;
        changed();
      },
      event(type: string, object: unknown) {
        state.heardAt = clock.now();
        position.version = versionOf(object) ?? position.version;
        if (type === 'DELETED') collected.sink.remove(object);
        else if (type !== 'BOOKMARK') collected.sink.put(object);
      },
    };
    const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + random()));
    const query = { ...collected.query, resourceVersion: position.version, timeoutSeconds };
    try {
      await client.watch(collected.path, query, handler, signal);
    } finally {
      overdue();
    }
    const inVain = position.version === began.version && clock.now() - began.at < SHORTEST;
    if (inVain && !isStopped(signal)) throw new KubeError(`GET ${collected.path} ended at once`, undefined);
  }
}

/** The picture counts as live over a renewal only while that is short. The answer ends the wait. */
function renewal({ clock, state, changed }: Watching): () => void {
  return clock.after(RENEWAL, () => {
    state.live = false;
    changed();
  });
}

function versionOf(object: unknown): string | undefined {
  return (object as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion;
}
