/** Bound pods of the whole cluster from one list and one watch, begun again when either ends. */
import type { ApiClient } from './api-client.ts';
import type { Clock } from './clock.ts';
import type { ApiObject } from './store.ts';
import type { WatchEvent } from './watches.ts';

export interface PodFeed {
  /** Shows the pods of a node once more: one that has just joined has not seen them. */
  again(node: string): void;
  stop(): void;
}

export interface PodFeedHandlers {
  seen: (pod: ApiObject) => void;
  gone: (pod: ApiObject) => void;
  /** UIDs of all pods, behind a fresh list. */
  all: (uids: ReadonlySet<string>) => void;
}

const BOUND = 'spec.nodeName!=';
const PAGE = 500;
const RETRY_AFTER = 1_000;

export function followPods(client: ApiClient, clock: Clock, handlers: PodFeedHandlers): PodFeed {
  const known = new Map<string, ApiObject>();
  let stopped = false;
  let stopWatch = (): void => undefined;

  async function begin(): Promise<void> {
    const { pods, resourceVersion } = await listBound(client);
    if (stopped) return;
    for (const pod of pods) show(known, handlers, pod);
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const uid of known.keys()) if (!uids.has(uid)) known.delete(uid);
    handlers.all(uids);
    watch(resourceVersion);
  }

  /** Goes on where a watch ended; begins anew where the server no longer knows that version. */
  function watch(from: string): void {
    let resourceVersion = from;
    const query = { fieldSelector: BOUND, resourceVersion, allowWatchBookmarks: true };
    stopWatch = client.watch('pods', query, {
      events(events) {
        for (const event of stopped ? [] : events) resourceVersion = take(known, handlers, event);
      },
      end(error) {
        if (stopped) return;
        if (error !== undefined || resourceVersion === '') clock.after(RETRY_AFTER, start);
        else watch(resourceVersion);
      },
    });
  }

  function start(): void {
    begin().catch(() => clock.after(RETRY_AFTER, start));
  }

  start();
  return {
    again(node) {
      for (const pod of known.values()) if (pod.spec?.nodeName === node) handlers.seen(pod);
    },
    stop() {
      stopped = true;
      stopWatch();
    },
  };
}

async function listBound(client: ApiClient): Promise<{ pods: ApiObject[]; resourceVersion: string }> {
  const pods: ApiObject[] = [];
  let next: string | undefined;
  for (;;) {
    const from = next === undefined ? {} : { continue: next };
    const { items, metadata } = await client.list('pods', { fieldSelector: BOUND, limit: PAGE, ...from });
    pods.push(...items);
    next = metadata.continue;
    if (next === undefined || next === '') return { pods, resourceVersion: metadata.resourceVersion };
  }
}

function show(known: Map<string, ApiObject>, handlers: PodFeedHandlers, pod: ApiObject): void {
  known.set(pod.metadata.uid, pod);
  handlers.seen(pod);
}

/** The version up to which nothing was missed; empty when only a fresh list helps. */
function take(known: Map<string, ApiObject>, handlers: PodFeedHandlers, { type, object }: WatchEvent): string {
  if (type === 'ERROR') return '';
  const pod = object as ApiObject;
  if (type === 'DELETED') {
    known.delete(pod.metadata.uid);
    handlers.gone(pod);
  } else if (type !== 'BOOKMARK') show(known, handlers, pod);
  return pod.metadata.resourceVersion;
}
