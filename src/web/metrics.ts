/**
 * The controller's metrics for Prometheus, fed with verdicts, events and calls, read at each scrape. No label holds a tag or digest.
 * Of several replicas only the one that writes verdicts tells of pullers, so that sums count them once.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { DaemonSet, Event } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { createCallMetrics } from './call-metrics.ts';
import type { CallMetrics } from './call-metrics.ts';
import { createPullMetrics } from './pull-metrics.ts';
import { createPullerMetrics } from './puller-metrics.ts';

export interface Metrics extends CallMetrics {
  judged: (daemonSet: DaemonSet, verdict: Verdict) => void;
  /** `namespace/name` of a puller that is gone, or is somebody else's to judge. */
  gone: (key: string) => void;
  /** A `Pulling` or `Pulled` event of a puller's pod. */
  heard: (event: Event) => void;
  contentType: string;
  text(): Promise<string>;
}

/** What is asked at each scrape. */
export interface ProcessState {
  pictureAge: number | undefined;
  leading: boolean;
  queued: number;
}

export interface MetricsOptions {
  state: () => ProcessState;
  /** Milliseconds since 1970, by the clock of the cluster's objects. */
  now: () => number;
  /** Of this program. */
  version: string;
}

export function createMetrics({ state, now, version }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  processGauges(registry, state);
  buildInfo(registry, version);
  const ofPullers = new Registry();
  const counting = { counts: () => state().leading, now };
  const pullers = createPullerMetrics(ofPullers);
  const pulls = createPullMetrics(ofPullers, counting);
  const calls = createCallMetrics(registry, counting);
  return {
    ...calls,
    judged(daemonSet, verdict) {
      pullers.judged(daemonSet, verdict);
      pulls.judged(daemonSet, verdict);
      calls.judged(`${daemonSet.namespace}/${daemonSet.name}`);
    },
    gone(key) {
      pullers.gone(key);
      pulls.gone(key);
      calls.gone(key);
    },
    heard: pulls.heard,
    contentType: registry.contentType,
    async text() {
      const parts = state().leading ? [registry, ofPullers] : [registry];
      const texts = await Promise.all(parts.map((part) => part.metrics()));
      return texts.join('\n');
    },
  };
}

function buildInfo(registry: Registry, version: string): void {
  const info = new Gauge({
    name: 'prepuller_build_info',
    help: '1, with the version of this program.',
    labelNames: ['version'],
    registers: [registry],
  });
  info.set({ version }, 1);
}

function processGauges(registry: Registry, state: () => ProcessState): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };
  const age = 'Seconds since the cluster last said something; -1 before everything is known.';
  gauge('prepuller_picture_age_seconds', age, () => {
    const { pictureAge } = state();
    return pictureAge === undefined ? -1 : pictureAge / 1000;
  });
  gauge('prepuller_leader', '1 while this replica writes verdicts.', () => Number(state().leading));
  gauge('prepuller_queue_length', 'Pullers that are looked at or wait for it.', () => state().queued);
}
