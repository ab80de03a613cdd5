/** What stands on each puller, as gauges: as many series as there are pullers, whatever becomes of their tags. */
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { NODE_STATES } from '../api/reasons.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { applicationOf } from './application.ts';

export interface PullerMetrics {
  judged(daemonSet: DaemonSet, verdict: Verdict): void;
  gone(key: string): void;
}

const PULLER = ['namespace', 'name', 'app', 'role'] as const;

/** The values of `PULLER`, and the verdict that stands. */
interface Known {
  puller: Record<(typeof PULLER)[number], string>;
  verdict: { health: string; reason: string };
}

export function createPullerMetrics(registry: Registry): PullerMetrics {
  const registers = [registry];
  const failed = new Gauge({
    name: 'prepull_failed',
    help: '1 while the verdict on a puller is Degraded, else 0.',
    labelNames: PULLER,
    registers,
  });
  const standing = new Gauge({
    name: 'prepull_verdict',
    help: '1 for the verdict on a puller as it stands.',
    labelNames: [...PULLER, 'health', 'reason'],
    registers,
  });
  const nodes = new Gauge({
    name: 'prepull_nodes',
    help: 'Nodes of a puller by state.',
    labelNames: [...PULLER, 'state'],
    registers,
  });
  const known = new Map<string, Known>();

  function gone(key: string): void {
    const before = known.get(key);
    if (before === undefined) return;
    known.delete(key);
    failed.remove(before.puller);
    standing.remove({ ...before.puller, ...before.verdict });
    for (const state of NODE_STATES) nodes.remove({ ...before.puller, state });
  }

  return {
    judged(daemonSet, { health, reason, counts }) {
      const { namespace, name, role } = daemonSet;
      const key = `${namespace}/${name}`;
      const puller = { namespace, name, app: applicationOf(daemonSet), role: role ?? '' };
      const before = known.get(key);
      if (before !== undefined && !isSame(before, { puller, verdict: { health, reason } })) gone(key);
      known.set(key, { puller, verdict: { health, reason } });
      failed.set(puller, health === 'Degraded' ? 1 : 0);
      standing.set({ ...puller, health, reason }, 1);
      for (const state of NODE_STATES) nodes.set({ ...puller, state }, counts[state]);
    },
    gone,
  };
}

function isSame(one: Known, other: Known): boolean {
  return (
    PULLER.every((label) => one.puller[label] === other.puller[label]) &&
    one.verdict.health === other.verdict.health &&
    one.verdict.reason === other.verdict.reason
  );
}
