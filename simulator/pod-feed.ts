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
  seen(pod: ApiObject): void;
  gone(pod: ApiObject): void;
  /** UIDs of all pods, behind a fresh list. */
  all(uids: ReadonlySet<string>): void;
}

const BOUND = 'spec.nodeName!=';
const PAGE = 500;
const RETRY_AFTER = 1_000;

export function followPods(client: ApiClient, clock: Clock, handlers: PodFeedHandlers): PodFeed {
  const known = new Map<string, ApiObject>();
  let stopped = false;
  let stopWatch = (): void => undefined;

  async function begin(): Promise<void> {
    const uids = new Set<string>();
    let next = '';
    let resourceVersion = '';
    do {
      const page = await client.list('pods', { fieldSelector: BOUND, limit: PAGE, ...(next === '' ? {} : { continue: next }) });
      for (const item of page.items) {
        uids.add(item.metadata.uid);
        seen(item);
      }
      next = page.metadata.continue ?? '';
      ({ resourceVersion } = page.metadata);
    } while (next !== '' && !stopped);
    for (const uid of known.keys()) if (!uids.has(uid)) known.delete(uid);
    handlers.all(uids);
    watch(resourceVersion);
  }

  function seen(pod: ApiObject): void {
    known.set(pod.metadata.uid, pod);
    handlers.seen(pod);
  }

  function watch(from: string): void {
    if (stopped) return;
    let resourceVersion = from;
    stopWatch = client.watch(
      'pods',
      { fieldSelector: BOUND, resourceVersion, allowWatchBookmarks: true },
      {
        events(events) {
          for (const event of events) resourceVersion = take(event) ?? resourceVersion;
        },
        end(error) {
          if (error !== undefined || resourceVersion === '') retry();
          else watch(resourceVersion);
        },
      },
    );
  }

  /** The version up to which nothing was missed; empty when only a fresh list helps. */
  function take({ type, object }: WatchEvent): string | undefined {
    if (stopped) return undefined;
    if (type === 'ERROR') return '';
    const pod = object as ApiObject;
    if (type === 'DELETED') {
      known.delete(pod.metadata.uid);
      handlers.gone(pod);
    } else if (type !== 'BOOKMARK') seen(pod);
    return pod.metadata.resourceVersion;
  }

  function retry(): void {
    if (!stopped) clock.after(RETRY_AFTER, start);
  }

  function start(): void {
    begin().catch(retry);
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
