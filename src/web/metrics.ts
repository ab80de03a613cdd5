/** The controller's metrics for Prometheus: one registry, fed with verdicts, read at each scrape. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { HEALTHS, NODE_STATES } from '../api/reasons.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { applicationOf } from './application.ts';

export interface Metrics {
  judged(daemonSet: DaemonSet, verdict: Verdict): void;
  /** `namespace/name` of a puller that is gone, or is somebody else's to judge. */
  gone(key: string): void;
  contentType: string;
  text(): Promise<string>;
}

/** What is asked at each scrape. */
export interface ProcessState {
  pictureAge: number | undefined;
  leading: boolean;
  queued: number;
}

const PULLER = ['namespace', 'name', 'app'] as const;

export function createMetrics(state: () => ProcessState): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  processGauges(registry, state);
  const failed = new Gauge({
    name: 'prepull_failed',
    help: '1 while the verdict on a puller is Degraded, else 0.',
    labelNames: PULLER,
    registers: [registry],
  });
  const health = new Gauge({
    name: 'prepull_health',
    help: '1 for the health of a puller, 0 for the others.',
    labelNames: [...PULLER, 'health'],
    registers: [registry],
  });
  const nodes = new Gauge({
    name: 'prepull_nodes',
    help: 'Nodes of a puller by state.',
    labelNames: [...PULLER, 'state'],
    registers: [registry],
  });
  const known = new Map<string, Record<(typeof PULLER)[number], string>>();

  function gone(key: string): void {
    const labels = known.get(key);
    if (labels === undefined) return;
    known.delete(key);
    failed.remove(labels);
    for (const one of HEALTHS) health.remove({ ...labels, health: one });
    for (const one of NODE_STATES) nodes.remove({ ...labels, state: one });
  }

  return {
    judged(daemonSet, verdict) {
      const { namespace, name } = daemonSet;
      const labels = { namespace, name, app: applicationOf(daemonSet) };
      if (known.get(`${namespace}/${name}`)?.app !== labels.app) gone(`${namespace}/${name}`);
      known.set(`${namespace}/${name}`, labels);
      failed.set(labels, verdict.health === 'Degraded' ? 1 : 0);
      for (const one of HEALTHS) health.set({ ...labels, health: one }, one === verdict.health ? 1 : 0);
      for (const one of NODE_STATES) nodes.set({ ...labels, state: one }, verdict.counts[one]);
    },
    gone,
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
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
