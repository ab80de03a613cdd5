/** Watches: where they begin, what they show of a change to whoever selects only some objects, bookmarks, and how they end. */
import type { Clock } from './clock.ts';
import { badRequest, expired, statusOf } from './errors.ts';
import { SYSTEM } from './faults.ts';
import { selectorOf } from './listing.ts';
import type { Resource } from './resources.ts';
import { apiVersionOf } from './resources.ts';
import type { Predicate } from './selectors.ts';
import type { ApiObject, Change, Fields, Store } from './store.ts';
import { keyOf } from './store.ts';

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: Fields;
}

/** Starts a watch: events come in batches, `end` once when the server is through with it. The answer stops it from the client's side. */
export type OpenWatch = (send: (events: WatchEvent[]) => void, end: () => void) => () => void;

export interface WatchRequest {
  resource: Resource;
  namespace: string | undefined;
  query: URLSearchParams;
  user: string;
}

/** Cuts and silence spare the cluster's own parts. */
export interface Watches {
  open(request: WatchRequest): OpenWatch;
  /** Ends every watch, as a server that restarts does. */
  cut(): void;
  /** Silent watches stay open and say nothing more, not even when the silence is over; new ones then speak again. */
  silence(on: boolean): void;
  /** How many run, the cluster's own not among them. */
  count(): number;
}

const BOOKMARK_EVERY = 60_000;
/** The last bookmark comes this long before the server ends a watch (cacheWatcher's deadline). */
const BOOKMARK_BEFORE_END = 2_000;
/** Without timeoutSeconds a watch lives for --min-request-timeout up to twice that; here always one and a half. */
const DEFAULT_TIMEOUT = 2_700;

interface Watch {
  spared: boolean;
  end: () => void;
  mute: () => void;
}

export function createWatches(store: Store, clock: Clock): Watches {
  const running = new Set<Watch>();
  let silent = false;
  const clients = (): Watch[] => [...running].filter(({ spared }) => !spared);

  function open({ resource, namespace, query, user }: WatchRequest): OpenWatch {
    const spared = user.startsWith(SYSTEM);
    const plan = readPlan(store, clock, resource, query);
    const matches = selectorOf(query, resource);
    const selects: Predicate = (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) && matches(object);
    return (send, end) => {
      const batches = batched(send);
      if (silent && !spared) batches.close();
      // Read in the same moment in which changes begin to be told, so that none falls in between.
      const first = firstEvents(plan, selects);
      batches.add(first);
      const cancels = [follow(plan, selects, batches), clock.after(plan.timeout, finish), bookmarks(plan, batches)];
      const watch: Watch = { spared, end: finish, mute: batches.close };
      function stop(): void {
        batches.close();
        running.delete(watch);
        for (const cancel of cancels.splice(0)) cancel();
      }
      function finish(): void {
        batches.flush();
        stop();
        end();
      }
      running.add(watch);
      if (first[0]?.type === 'ERROR') queueMicrotask(finish);
      return stop;
    };
  }

  return {
    open,
    cut() {
      for (const watch of clients()) watch.end();
    },
    silence(on) {
      silent = on;
      if (on) for (const watch of clients()) watch.mute();
    },
    count: () => clients().length,
  };
}

/** What a watch was asked for. */
interface WatchPlan {
  store: Store;
  clock: Clock;
  resource: Resource;
  /** The version behind which it begins; 0: with everything that is there. */
  from: number;
  /** Milliseconds after which it ends. */
  timeout: number;
  bookmarks: boolean;
}

function readPlan(store: Store, clock: Clock, resource: Resource, query: URLSearchParams): WatchPlan {
  const from = query.get('resourceVersion') ?? '';
  if (!/^\d*$/.test(from)) throw badRequest(`Invalid value: "${from}": resourceVersion must be a number`);
  const timeout = 1000 * Number(query.get('timeoutSeconds') ?? DEFAULT_TIMEOUT);
  return {
    store,
    clock,
    resource,
    from: Number(from),
    timeout,
    bookmarks: query.get('allowWatchBookmarks') === 'true',
  };
}

function follow({ store, resource }: WatchPlan, selects: Predicate, batches: Batches): () => void {
  return store.history.subscribe(resource, (change) => {
    const event = eventOf(change, selects);
    if (event !== undefined) batches.add([event]);
  });
}

/** Events of one moment go out together, behind the code that caused them, so that no writer runs a reader's code. */
function batched(send: (events: WatchEvent[]) => void): Batches {
  let waiting: WatchEvent[] = [];
  let open = true;
  function flush(): void {
    const events = waiting;
    waiting = [];
    if (open && events.length > 0) send(events);
  }
  return {
    add(events) {
      if (!open || events.length === 0) return;
      if (waiting.length === 0) queueMicrotask(flush);
      waiting.push(...events);
    },
    flush,
    close() {
      open = false;
    },
  };
}

interface Batches {
  add: (events: WatchEvent[]) => void;
  flush: () => void;
  close: () => void;
}

/** What is there for a watch without a version, else what changed since; an ERROR when the history no longer knows. */
function firstEvents({ store, resource, from }: WatchPlan, selects: Predicate): WatchEvent[] {
  if (from === 0) {
    const objects = store.list(resource).filter(selects);
    const sorted = objects.sort((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
    return sorted.map((object) => ({ type: 'ADDED', object }));
  }
  const changes = store.history.since(resource, from);
  if (changes !== undefined)
    return changes.map((change) => eventOf(change, selects)).filter((event) => event !== undefined);
  return [
    {
      type: 'ERROR',
      object: statusOf(expired(`too old resource version: ${String(from)} (${String(store.version())})`)),
    },
  ];
}

/** An object that begins to match is ADDED, one that no longer does is DELETED, whatever happened to it. */
function eventOf({ type, object, previous }: Change, selects: Predicate): WatchEvent | undefined {
  const before = previous !== undefined && selects(previous);
  const now = type !== 'DELETED' && selects(object);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object };
  // The last state that matched, under the version of the change that ended it.
  return before ? { type: 'DELETED', object: type === 'DELETED' ? object : lastMatching(previous, object) } : undefined;
}

function lastMatching(previous: ApiObject, object: ApiObject): ApiObject {
  return { ...previous, metadata: { ...previous.metadata, resourceVersion: object.metadata.resourceVersion } };
}

/** Says every minute, and shortly before the end, up to which version nothing was missed. */
function bookmarks({ store, clock, resource, timeout, bookmarks: wanted }: WatchPlan, batches: Batches): () => void {
  const end = clock.now() + timeout - BOOKMARK_BEFORE_END;
  let cancel = (): void => undefined;
  function next(): void {
    const now = clock.now();
    if (!wanted || now >= end) return;
    cancel = clock.after(Math.min(BOOKMARK_EVERY, end - now), () => {
      const metadata = { resourceVersion: String(store.version()), creationTimestamp: null };
      batches.add([
        { type: 'BOOKMARK', object: { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata } },
      ]);
      next();
    });
  }
  next();
  return () => {
    cancel();
  };
}
