/** What this process asks of the API server, as counters, and how soon a verdict follows on what the cluster said. */
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Counting } from './pull-metrics.ts';

export interface CallMetrics {
  /** An object of this kind was made, changed or removed. */
  wrote(resource: string): void;
  /** A watch ended otherwise than cleanly; everything is listed anew. */
  watchBroke(resource: string): void;
  /** The cluster said something about a puller, `namespace/name`, or about a pod of it. */
  arrived(key: string): void;
  /** A verdict stands on this puller now. */
  verdictWritten(key: string, verdict: WrittenVerdict): void;
}

/** Of the two conditions that Argo CD acts on. */
export interface WrittenVerdict {
  /** True, False, or Unknown while the wait goes on. */
  status: string;
  generation: string;
}

interface Timed extends CallMetrics {
  judged(key: string): void;
  gone(key: string): void;
}

/** Seconds: a watch event and a patch take about 10 ms. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createCallMetrics(registry: Registry, { counts, now }: Counting): Timed {
  const registers = [registry];
  const writes = new Counter({
    name: 'prepuller_writes_total',
    help: 'Writes to the API server that it took, by kind of object.',
    labelNames: ['resource'],
    registers,
  });
  const restarts = new Counter({
    name: 'prepuller_watch_restarts_total',
    help: 'Watches that broke, after which everything is listed anew.',
    labelNames: ['resource'],
    registers,
  });
  const latency = new Histogram({
    name: 'prepuller_verdict_latency_seconds',
    help: 'From the first news that a look at a puller had to take in to its verdict on the object, for verdicts that end a wait.',
    buckets: BUCKETS,
    registers,
  });
  /** Since when news wait for a look. */
  const waiting = new Map<string, number>();
  /** Since when what the last look took in had waited. */
  const takenIn = new Map<string, number>();
  /** What stands on each puller. */
  const written = new Map<string, string>();
  return {
    wrote(resource) {
      writes.inc({ resource });
    },
    watchBroke(resource) {
      restarts.inc({ resource });
    },
    arrived(key) {
      if (counts() && !waiting.has(key)) waiting.set(key, now());
    },
    judged(key) {
      const since = waiting.get(key);
      waiting.delete(key);
      if (since === undefined) takenIn.delete(key);
      else takenIn.set(key, since);
    },
    verdictWritten(key, { status, generation }) {
      const since = takenIn.get(key);
      const standing = `${status} ${generation}`;
      const isProgress = status === 'Unknown' || written.get(key) === standing;
      takenIn.delete(key);
      written.set(key, standing);
      if (since !== undefined && !isProgress) latency.observe(Math.max(0, now() - since) / 1000);
    },
    gone(key) {
      waiting.delete(key);
      takenIn.delete(key);
      written.delete(key);
    },
  };
}
