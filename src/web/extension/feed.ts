/**
 * The pulls of one application, asked for once and then followed by events, for everything on Argo CD's page that shows them. A line
 * that breaks is taken up where it was; an application without pulls is left in peace until something happens to it.
 */
import type { GoneEvent, PullEvent } from '../events.ts';
import type { Pull, PullNode } from '../pull.ts';
import { LINE } from '../words.ts';
import type { Application } from './argocd.ts';
import { relay, Refused } from './relay.ts';
import { readEvents } from './server-events.ts';
import type { ServerEvent } from './server-events.ts';

export interface Feed {
  /** As Argo CD gave it last. */
  application: Application;
  /** By `namespace/name`. */
  pulls: Map<string, Pull>;
  past: readonly Pull[];
  /** What to say of the line; empty until something is known. */
  line: string;
  /** Somebody said no: there is nothing to show, and nothing to wait for. */
  refused: boolean;
  /** Milliseconds by which the server's clock is ahead of this one. */
  ahead: number;
  /** Of the newest event in all this; empty before the first answer. */
  lastId: string;
  listeners: Set<Listener>;
  /** Ends what runs; undefined while nothing does. */
  end: AbortController | undefined;
}

export interface Listener {
  /** Listens even where nothing is to be seen yet. */
  eager: boolean;
  /** All may be new. */
  listed: () => void;
  /** One pull is. */
  heard: (event: PullEvent) => void;
  /** What is said of the line is. */
  said: () => void;
}

/** Milliseconds: the first wait after a break, the longest one, and how long a line that says nothing is believed in. */
const SOON = 1_000;
const LATE = 30_000;
const SILENCE = 40_000;

const feeds = new Map<string, Feed>();

/** Begins, or joins, what follows the application's pulls; gives what leaves it again. */
export function follow(application: Application, listener: Listener): { feed: Feed; leave: () => void } {
  const key = nameOf(application);
  const feed = feeds.get(key) ?? createFeed(application);
  feeds.set(key, feed);
  feed.listeners.add(listener);
  wake(application);
  const leave = (): void => {
    feed.listeners.delete(listener);
    if (feed.listeners.size > 0) return;
    feed.end?.abort();
    feeds.delete(key);
  };
  return { feed, leave };
}

function nameOf({ metadata: { namespace = '', name } }: Application): string {
  return `${namespace}/${name}`;
}

function createFeed(application: Application): Feed {
  const known = { pulls: new Map<string, Pull>(), past: [], line: '', refused: false, ahead: 0, lastId: '' };
  return { application, ...known, listeners: new Set(), end: undefined };
}

/** Something has happened to the application: where nothing was to be seen, something may be now. */
export function wake(application: Application): void {
  const feed = feeds.get(nameOf(application));
  if (feed === undefined) return;
  feed.application = application;
  if (feed.end !== undefined || feed.refused) return;
  const end = new AbortController();
  feed.end = end;
  void run(feed, end.signal).finally(() => {
    feed.end = undefined;
  });
}

export function nowOf({ ahead }: Feed): number {
  return Date.now() + ahead;
}

export interface PullWithNodes {
  pull: Pull;
  nodes: PullNode[];
}

/** A pull with all its nodes, or with the one named; throws where it is not there any more. */
export async function askFor(feed: Feed, { namespace, name }: GoneEvent, node?: string): Promise<PullWithNodes> {
  const only = node === undefined ? '' : `&node=${encodeURIComponent(node)}`;
  const path = `pulls/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}?limit=1000${only}`;
  const nodes: PullNode[] = [];
  for (let next = ''; ;) {
    const response = await relay(feed.application, next === '' ? path : `${path}&continue=${next}`);
    const page = (await response.json()) as PullWithNodes & { continue?: string };
    nodes.push(...page.nodes);
    if (page.continue === undefined) return { pull: page.pull, nodes };
    next = page.continue;
  }
}

async function run(feed: Feed, end: AbortSignal): Promise<void> {
  let wait = SOON;
  const opened = (): void => {
    wait = SOON;
    tell(feed, LINE.live);
  };
  const isOver = (): boolean => end.aborted;
  while (!isOver()) {
    try {
      if (feed.lastId === '') await load(feed, end);
      if (isIdle(feed)) {
        feed.lastId = '';
        return;
      }
      await listen(feed, end, opened);
    } catch (error) {
      if (error instanceof Refused) {
        feed.refused = true;
        tell(feed, error.message);
        return;
      }
    }
    if (isOver()) return;
    tell(feed, LINE.down);
    await pause(wait, end);
    wait = Math.min(wait * 2, LATE);
  }
}

/** Nothing is there, nobody has asked for it on purpose, and no sync runs that may bring something. */
function isIdle({ pulls, past, listeners, application }: Feed): boolean {
  const isAsked = [...listeners].some(({ eager }) => eager);
  return pulls.size + past.length === 0 && !isAsked && application.status?.operationState?.phase !== 'Running';
}

function tell(feed: Feed, line: string): void {
  feed.line = line;
  for (const { said } of feed.listeners) said();
}

async function load(feed: Feed, signal: AbortSignal): Promise<void> {
  const response = await relay(feed.application, 'pulls?limit=1000', { signal });
  const { pulls } = (await response.json()) as { pulls: Pull[] };
  const { pulls: past } = (await (await relay(feed.application, 'pulls?past=true', { signal })).json()) as {
    pulls: Pull[];
  };
  feed.ahead = Date.parse(response.headers.get('date') ?? '') - Date.now() || 0;
  feed.pulls = new Map(pulls.map((pull) => [`${pull.namespace}/${pull.name}`, pull]));
  feed.past = past;
  feed.lastId = (response.headers.get('etag') ?? '').replaceAll(/^W\/|"/g, '');
  for (const { listed } of feed.listeners) listed();
}

/** Until the line breaks, or says nothing for too long. */
async function listen(feed: Feed, end: AbortSignal, opened: () => void): Promise<void> {
  const cut = new AbortController();
  const signal = AbortSignal.any([end, cut.signal]);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const alive = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      cut.abort();
    }, SILENCE);
  };
  const again = (): void => {
    load(feed, signal).catch(() => {
      feed.lastId = '';
      cut.abort();
    });
  };
  try {
    alive();
    const { body } = await relay(feed.application, 'events', { signal, headers: { 'Last-Event-ID': feed.lastId } });
    opened();
    const heard = (event: ServerEvent): void => {
      take(feed, event, again);
    };
    if (body !== null) await readEvents(body, heard, alive);
  } finally {
    clearTimeout(silence);
  }
}

/** `stale` and `reset` say only that something changed, `gone` that a list did. */
function take(feed: Feed, { id, name, data }: ServerEvent, again: () => void): void {
  feed.lastId = id;
  if (name !== 'pull') {
    if (name === 'gone') feed.pulls.delete(keyOf(JSON.parse(data) as GoneEvent));
    again();
    return;
  }
  const event = JSON.parse(data) as PullEvent;
  feed.ahead = Date.parse(event.at) - Date.now();
  feed.pulls.set(keyOf(event.pull), event.pull);
  for (const { heard } of feed.listeners) heard(event);
}

function keyOf({ namespace, name }: GoneEvent): string {
  return `${namespace}/${name}`;
}

function pause(milliseconds: number, end: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, milliseconds * (0.75 + Math.random() / 2));
  end.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve(undefined);
  });
  return promise.then(() => undefined);
}
