/**
 * Events, which say what pods do not: asked for pod by pod where a cause is unknown, and for a DaemonSet whose pods are not made.
 * The namespace's `Pulling` and `Pulled` events are watched while a puller there is under way: a pull that goes on, and some images
 * that are there, leave no other trace.
 */
import { listAndWatch } from './list-watch.ts';
import type { ListWatch, ListWatchOptions, Sink } from './list-watch.ts';
import { pathOf } from './kube-api.ts';
import type { Permitted } from './permission.ts';
import { inTurns } from './turns.ts';
import { earliest } from '../verdict/fields.ts';
import { readEvent } from '../verdict/read-pod.ts';
import type { Event } from '../verdict/snapshot.ts';

/** Whom events are about. */
export interface About {
  namespace: string;
  uid: string;
}

export interface EventLookup {
  /** All that is known in a namespace. */
  knownIn(namespace: string): Event[];
  /** Asks for events of those that were not asked for within `age` milliseconds; true when any was. Never fails. */
  ask(objects: readonly About[], age: number): Promise<boolean>;
  /** From now on, or no longer, the namespace's `Pulling` and `Pulled` events are watched. */
  follow(namespace: string, on: boolean): void;
  /** What is followed is listed anew. */
  listAgain(namespace: string): void;
  /** They are all known: one that is not there did not happen. */
  isComplete(namespace: string): boolean;
  /** They are known, cannot be had, or were waited for long enough. */
  isFollowing(namespace: string): boolean;
  /** What is known of objects that are no more is dropped. */
  retain(exists: (uid: string) => boolean): void;
}

export interface EventLookupOptions {
  permitted: Permitted;
  watching: Omit<ListWatchOptions, 'signal' | 'changed'>;
  /** A `Pulling` or `Pulled` event about a pod of this UID came; the answer says whether it is one of ours. */
  pulled: (about: About) => boolean;
  /** A followed event of a pod of ours, whole; what is kept of it is less. */
  heard?: ((event: Event) => void) | undefined;
  /** The watch of a namespace came or went. */
  changed: (namespace: string) => void;
}

const PAGE = 100;
const AT_ONCE = 50;

/** Milliseconds after which nobody waits for them any more. */
const PATIENCE = 30_000;

interface Following {
  stop: AbortController;
  since: number;
  listWatches: readonly ListWatch[];
  /** By UID of the pod. */
  events: Map<string, Event[]>;
}

interface Asked {
  namespace: string;
  askedAt: number;
  events: Event[];
}

export function createEventLookup(options: EventLookupOptions): EventLookup {
  const { permitted } = options;
  const asked = new Map<string, Asked>();
  const following = new Map<string, Following>();
  return {
    knownIn: (namespace) => [
      ...[...asked.values()].filter((one) => one.namespace === namespace).flatMap(({ events }) => events),
      ...[...(following.get(namespace)?.events.values() ?? [])].flat(),
    ],
    async ask(objects, age) {
      const before = permitted.clock.now() - age;
      const askedAt = ({ uid }: About): number => asked.get(uid)?.askedAt ?? -Infinity;
      const due = objects.filter((about) => askedAt(about) <= before);
      const first = due.sort((one, other) => askedAt(one) - askedAt(other)).slice(0, AT_ONCE);
      if (first.length === 0 || permitted.isForbidden()) return false;
      await inTurns(first, async (about) => {
        await permitted.attempt(async () => {
          asked.set(about.uid, await askOne(about, permitted));
        });
      });
      return true;
    },
    follow(namespace, on) {
      const known = following.get(namespace);
      if (on && known === undefined) following.set(namespace, followPulls(namespace, options));
      if (on || known === undefined) return;
      known.stop.abort();
      following.delete(namespace);
    },
    listAgain(namespace) {
      for (const list of following.get(namespace)?.listWatches ?? []) list.again();
    },
    isFollowing(namespace) {
      const known = following.get(namespace);
      if (known === undefined) return false;
      const { listWatches, since } = known;
      const isThrough = (one: ListWatch): boolean => one.isLive() || one.failure() !== undefined;
      return listWatches.every(isThrough) || permitted.clock.now() - since > PATIENCE;
    },
    isComplete: (namespace) => following.get(namespace)?.listWatches.every((one) => one.isLive()) === true,
    retain(exists) {
      for (const uid of asked.keys()) if (!exists(uid)) asked.delete(uid);
    },
  };
}

async function askOne({ namespace, uid }: About, { client, clock, signal }: Permitted): Promise<Asked> {
  const query = { fieldSelector: `involvedObject.uid=${uid}`, limit: PAGE };
  const page = await client.list(pathOf('events', namespace), query, signal);
  return { namespace, askedAt: clock.now(), events: page.items.map(readEvent) };
}

/** A field selector knows no "or": one watch a reason. */
const FOLLOWED = ['Pulling', 'Pulled'];

function followPulls(namespace: string, options: EventLookupOptions): Following {
  const stop = new AbortController();
  const events = new Map<string, Event[]>();
  const watching = {
    ...options.watching,
    signal: AbortSignal.any([stop.signal, options.permitted.signal]),
    changed: () => {
      options.changed(namespace);
    },
  };
  const listWatches = FOLLOWED.map((reason) => {
    const query = { fieldSelector: `reason=${reason},involvedObject.kind=Pod` };
    return listAndWatch({ path: pathOf('events', namespace), query, sink: pullsSink(events, options) }, watching);
  });
  return { stop, since: options.permitted.clock.now(), listWatches, events };
}

/** Most pods of a namespace are not ours, and an event is not taken back: nothing is removed until the watch ends. */
function pullsSink(events: Map<string, Event[]>, { pulled, heard }: EventLookupOptions): Sink {
  const put = (object: unknown): void => {
    const whole = readEvent(object);
    if (!pulled(whole)) return;
    heard?.(whole);
    const event = shorten(whole);
    const known = events.get(event.uid) ?? [];
    const same = known.findIndex(({ message }) => message === event.message);
    if (same < 0) known.push(event);
    else known[same] = { ...event, first: earliest(event.first, known[same]?.first) };
    events.set(event.uid, known);
  };
  return {
    begin: () => undefined,
    page(objects) {
      for (const object of objects) put(object);
    },
    end: () => undefined,
    put,
    remove: () => undefined,
  };
}

/** `Pulling image "x"`, `Successfully pulled image "x"` and `Container image "x"` are all that counts; times and sizes behind it differ in every event. */
function shorten(event: Event): Event {
  const end = event.message.indexOf('"', event.message.indexOf('"') + 1);
  return end < 0 ? event : { ...event, message: event.message.slice(0, end + 1) };
}
