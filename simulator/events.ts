/**
 * Events as client-go's recorder writes them (tools/record/events_cache.go): equal ones are counted in one object, many
 * similar ones are combined, and who writes too many about one object is cut off.
 */
import type { Clock } from './clock.ts';
import type { ApiObject, Fields } from './store.ts';
import { timestamp } from './store.ts';

export interface Occurrence {
  about: ApiObject;
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** Which container of a pod: `spec.containers{name}`. */
  fieldPath?: string;
}

export interface Source {
  component: string;
  /** The node, for a kubelet. */
  host?: string;
}

/** What is to be written: a new Event, or one more count on one that is there. */
export type EventWrite =
  | { action: 'create'; event: Fields }
  | { action: 'count'; namespace: string; name: string; patch: Fields; event: Fields };

/** The write an occurrence asks for; undefined when it is cut off as spam. */
export type Correlator = (occurrence: Occurrence, source: Source) => EventWrite | undefined;

const SIMILAR = 10;
const SIMILAR_WITHIN = 600_000;
const BURST = 25;
const REFILL_EVERY = 300_000;
/** Entries kept of each kind, the oldest go first. */
const REMEMBERED = 20_000;

export function createCorrelator(clock: Clock): Correlator {
  const known = new Map<string, Fields>();
  const similar = new Map<string, { messages: Set<string>; last: number }>();
  const budgets = new Map<string, { tokens: number; at: number }>();
  let serial = 0;

  /** The message an event is written with, and the key it is counted under. */
  function combined(group: string, message: string, now: number): { key: string; text: string } {
    const last = similar.get(group);
    const fresh = last === undefined || now - last.last > SIMILAR_WITHIN;
    const record = fresh ? { messages: new Set<string>(), last: now } : last;
    record.messages.add(message);
    record.last = now;
    remember(similar, group, record);
    if (record.messages.size < SIMILAR) return { key: `${group}\n${message}`, text: message };
    record.messages.delete([...record.messages][0] ?? '');
    return { key: group, text: `(combined from similar events): ${message}` };
  }

  function affordable(key: string, now: number): boolean {
    const { tokens, at } = budgets.get(key) ?? { tokens: BURST, at: now };
    const filled = Math.min(BURST, tokens + (now - at) / REFILL_EVERY);
    remember(budgets, key, { tokens: filled >= 1 ? filled - 1 : filled, at: now });
    return filled >= 1;
  }

  return (occurrence, source) => {
    const now = clock.now();
    const { about, type, reason, fieldPath = '' } = occurrence;
    const object = [source.component, source.host ?? '', about.kind, about.metadata.uid].join('\n');
    const { key, text } = combined([object, fieldPath, type, reason].join('\n'), occurrence.message, now);
    const before = known.get(key);
    serial += 1;
    const event = eventOf({ ...occurrence, message: text }, source, before, { now, serial });
    remember(known, key, event);
    if (!affordable(object, now)) return undefined;
    if (before === undefined) return { action: 'create', event };
    const { count, lastTimestamp, message } = event as Record<string, unknown>;
    const { namespace, name } = event.metadata as { namespace: string; name: string };
    return { action: 'count', namespace, name, patch: { count, lastTimestamp, message }, event };
  };
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value ?? '');
}

function eventOf(
  { about, type, reason, message, fieldPath }: Occurrence,
  source: Source,
  before: Fields | undefined,
  { now, serial }: { now: number; serial: number },
): Fields {
  const { name, namespace = 'default' } = about.metadata;
  const unique = (BigInt(Math.floor(now)) * 1_000_000n + BigInt(serial % 1_000_000)).toString(16);
  const first = { metadata: { name: `${name}.${unique}`, namespace }, firstTimestamp: timestamp(now), count: 0 };
  const { metadata, firstTimestamp, count } = (before as typeof first | undefined) ?? first;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    involvedObject: { ...referenceTo(about), ...(fieldPath === undefined ? {} : { fieldPath }) },
    reason,
    message,
    type,
    source,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
    firstTimestamp,
    lastTimestamp: timestamp(now),
    count: count + 1,
    eventTime: null,
  };
}

/** How an event names what it is about. */
export function referenceTo({ apiVersion, kind, metadata }: ApiObject): Fields {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion };
}
