/** How the control plane's own parts write Events: straight into the API, old ones forgotten after an hour as the server does (--event-ttl). */
import type { Api } from './api.ts';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';
import type { Occurrence, Source } from './events.ts';
import { createCorrelator, referenceTo } from './events.ts';
import { resourceNamed } from './resources.ts';
import type { ApiObject, Fields, Metadata, Store } from './store.ts';
import { microTimestamp } from './store.ts';

export type Recorder = (occurrence: Occurrence) => void;

const EVENTS = resourceNamed('events');

/** A recorder for one component. */
export function createRecorder(api: Api, clock: Clock, source: Source): Recorder {
  const correlate = createCorrelator(clock);
  return (occurrence) => {
    const write = correlate(occurrence, source);
    if (write === undefined) return;
    try {
      if (write.action === 'count') {
        const target = { resource: EVENTS, namespace: write.namespace, name: write.name };
        api.patch(target, 'application/merge-patch+json', write.patch);
        return;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    createEvent(api, write.event);
  };
}

/** Events in the style of events.k8s.io as the core API shows them: no count, no timestamps but eventTime. The scheduler writes these. */
export function createNewStyleRecorder(api: Api, clock: Clock, component: string): Recorder {
  let serial = 0;
  return ({ about, type, reason, message }) => {
    serial += 1;
    const { name, namespace = 'default' } = about.metadata;
    createEvent(api, {
      metadata: { name: `${name}.${(clock.now() * 4096 + serial).toString(16)}`, namespace },
      involvedObject: referenceTo(about),
      reason,
      message,
      type,
      action: reason === 'Preempted' ? 'Preempting' : reason === 'Scheduled' ? 'Binding' : 'Scheduling',
      source: {},
      reportingComponent: component,
      reportingInstance: `${component}-simulated`,
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: microTimestamp(clock.now()),
    });
  };
}

/** An event that cannot be written is lost, as it is for every component: its namespace may be going. */
function createEvent(api: Api, event: Fields): void {
  try {
    api.create(EVENTS, (event.metadata as Metadata).namespace, event);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

const EVENT_TTL = 3_600_000;
const SWEEP_EVERY = 600_000;

/** Forgets events an hour after they were last written. Runs as long as its clock. */
export function expireEvents(store: Store, clock: Clock): void {
  function sweep(): void {
    const old = clock.now() - EVENT_TTL;
    for (const event of store.list(EVENTS)) if (writtenAt(event) < old) store.remove(EVENTS, event);
    clock.after(SWEEP_EVERY, sweep);
  }
  clock.after(SWEEP_EVERY, sweep);
}

function writtenAt(event: ApiObject): number {
  const { lastTimestamp, eventTime } = event as { lastTimestamp?: string | null; eventTime?: string | null };
  return Date.parse(lastTimestamp ?? eventTime ?? event.metadata.creationTimestamp);
}
