/** A failed hook on a simulated cluster, judged through the counted client: a metric and an event show it, and what it took is counted. */
import { countCalls } from '../../src/counted-client.ts';
import type { KubeClient } from '../../src/watch/kube-api.ts';
import { createMetrics } from '../../src/web/metrics.ts';
import type { Metrics } from '../../src/web/metrics.ts';
import { simulatedClient } from '../watch/simulated-client.ts';
import { threeNodes } from '../watch/simulation.ts';
import type { Simulation } from '../watch/simulation.ts';
import { startWatcher, stopWatcher } from '../watch/watchers.ts';
import type { Watcher } from '../watch/watchers.ts';

interface Counted {
  watcher: Watcher;
  metrics: Metrics;
  /** The value of a series; undefined when there is none. */
  value: (series: string) => Promise<number | undefined>;
}

function start(simulation: Simulation, identity: string): Counted {
  const { server, clock } = simulation;
  const metrics = createMetrics({ state: () => watcher.state(), now: () => clock.now(), version: '1.2.3' });
  const client = countCalls(simulatedClient(server, clock, identity), metrics);
  const { judged, gone, heard } = metrics;
  const watcher = startWatcher(simulation, identity, { client, judged, gone, heard });
  return {
    watcher,
    metrics,
    async value(series) {
      const line = (await metrics.text()).split('\n').find((one) => one.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length));
    },
  };
}

const PULLER = 'namespace="hub",name="pull",app="",role="hook"';

test('a failed hook is shown by a metric and an event, by the next replica too, and by neither when it is gone', async () => {
  const simulation = threeNodes('missing');
  const one = start(simulation, 'one');
  await simulation.clock.advance(1_000);
  expect(await one.value(`prepull_failed{${PULLER}}`)).toBe(0);
  await simulation.clock.advance(10 * 60_000);
  expect(simulation.events()).toEqual(['Normal Pulling', 'Warning ImageMissing']);
  expect(await one.value(`prepull_failed{${PULLER}}`)).toBe(1);
  expect(await one.value(`prepull_verdict{${PULLER},health="Degraded",reason="ImageMissing"}`)).toBe(1);
  expect(await one.value('prepull_hook_verdict_duration_seconds_count{health="Degraded"}')).toBe(1);
  await stopWatcher(simulation, one.watcher);
  const two = start(simulation, 'two');
  await simulation.clock.advance(60_000);
  expect(await two.value(`prepull_failed{${PULLER}}`)).toBe(1);
  expect(await two.value('prepull_hook_verdict_duration_seconds_count{health="Degraded"}')).toBe(0);
  simulation.removePuller('pull');
  await simulation.clock.advance(1_000);
  expect(await two.value(`prepull_failed{${PULLER}}`)).toBeUndefined();
  await stopWatcher(simulation, two.watcher);
});

test('what was asked is counted: writes that were taken, watches that broke, and how soon the verdict stood', async () => {
  const simulation = threeNodes();
  const { watcher, value } = start(simulation, 'one');
  await simulation.clock.advance(30_000);
  const before = simulation.writes();
  expect(await value('prepuller_writes_total{resource="daemonsets"}')).toBe(before.patches);
  expect(await value('prepuller_writes_total{resource="events"}')).toBe(before.events);
  expect(before.patches).toBeGreaterThan(0);
  expect(await value('prepuller_watch_restarts_total{resource="pods"}')).toBeUndefined();
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
  await simulation.clock.advance(10_000);
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect(await value('prepuller_verdict_latency_seconds_count')).toBe(1);
  expect(await value('prepuller_verdict_latency_seconds_bucket{le="1"}')).toBe(1);
  await stopWatcher(simulation, watcher);
  expect(await value('prepuller_watch_restarts_total{resource="pods"}')).toBeUndefined();
});

test.each([
  ['/api/v1/pods', 'pods'],
  ['/api/v1/namespaces/hub/pods', 'pods'],
  ['/apis/apps/v1/namespaces/hub/daemonsets', 'daemonsets'],
  ['/apis/coordination.k8s.io/v1/namespaces/prepuller/leases/prepuller', 'leases'],
  ['/api/v1/nodes/user-01', 'nodes'],
  ['/api/v1/namespaces/hub', 'namespaces'],
])('a watch on %s that breaks is one of %s, and its error goes on', async (path, resource) => {
  const told: string[] = [];
  const nothing = (): void => undefined;
  const metrics = {
    wrote: nothing,
    arrived: nothing,
    verdictWritten: nothing,
    watchBroke: (name: string) => void told.push(name),
  };
  const broken = { watch: () => Promise.reject(new Error('gone')) } as unknown as KubeClient;
  const handler = { opened: nothing, event: nothing };
  const stop = new AbortController();
  const watch = (): Promise<void> => countCalls(broken, metrics).watch(path, {}, handler, stop.signal);
  await expect(watch()).rejects.toThrow('gone');
  expect(told).toEqual([resource]);
  stop.abort();
  await expect(watch()).rejects.toThrow('gone');
  expect(told).toEqual([resource]);
});
