/** Restarts at any moment and several replicas: one writes, and the verdict is the one that an undisturbed reconciler comes to. */
import { PREFIX, PULLED_CONDITION, VERDICT_ANNOTATION } from '../../src/api/names.ts';
import type { KubeClient } from '../../src/watch/kube-api.ts';
import { resourceNamed } from '../../simulator/resources.ts';
import type { PodState } from './puller-objects.ts';
import { threeNodes } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { simulatedClient } from './simulated-client.ts';
import { startWatcher, stopWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';

const MINUTE = 60_000;

/** Every status the condition ever had, equal ones in a row once. */
function recordStatuses({ store }: Simulation): string[] {
  const seen: string[] = [];
  store.history.subscribe(resourceNamed('daemonsets'), ({ object }) => {
    const conditions = (object.status?.conditions ?? []) as { type: string; status: string }[];
    const status = conditions.find(({ type }) => type === PULLED_CONDITION)?.status ?? 'none';
    if (seen.at(-1) !== status) seen.push(status);
  });
  return seen;
}

test('two replicas: one writes, the other takes over when it dies, without a flap', async () => {
  const simulation = threeNodes();
  const statuses = recordStatuses(simulation);
  const one = startWatcher(simulation, 'one');
  await simulation.clock.advance(1_000);
  const two = startWatcher(simulation, 'two');
  await simulation.clock.advance(MINUTE);
  expect([one.state().leading, two.state().leading]).toEqual([true, false]);
  expect(simulation.server.traffic.total({ user: 'two', verb: 'patch' }).requests).toBe(0);
  await one.stop();
  await simulation.clock.advance(5_000);
  expect(two.state().leading).toBe(true);
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
  await simulation.clock.advance(5_000);
  await two.stop();
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect(statuses).toEqual(['Unknown', 'True']);
});

/** What a page shows: health, and each node's state. */
function shown(watcher: Watcher): string {
  const { verdict } = watcher.verdicts.at(-1)!;
  return `${verdict.health} ${verdict.reason} ${verdict.nodes.map(({ node, state }) => `${node}:${state}`).join(' ')}`;
}

test.each<[string, PodState[], string]>([
  ['under way', ['pulled', 'pulling', 'pulling'], 'Progressing Pulling a:pulled b:pulling c:pulling'],
  ['done', ['pulled', 'pulled', 'pulled'], 'Healthy Pulled a:pulled b:pulled c:pulled'],
  ['a missing image', ['missing', 'pulled', 'pulled'], 'Degraded ImageMissing a:failed b:pulled c:pulled'],
  ['a full node', ['full', 'pulled', 'pulled'], 'Healthy Pulled a:tolerated b:pulled c:pulled'],
])('the replica that does not write tells the same and writes nothing: %s', async (_story, states, expected) => {
  const simulation = threeNodes();
  const one = startWatcher(simulation, 'one');
  await simulation.clock.advance(1_000);
  const two = startWatcher(simulation, 'two');
  await simulation.clock.advance(20_000);
  for (const [index, state] of states.entries()) simulation.pod('pull', 'abc'[index]!, state);
  await simulation.clock.advance(10 * MINUTE);
  expect([shown(one), shown(two)]).toEqual([expected, expected]);
  const { traffic } = simulation.server;
  for (const verb of ['patch', 'create'] as const) expect(traffic.total({ user: 'two', verb }).requests).toBe(0);
  const leases = traffic.total({ user: 'two', verb: 'update', resource: 'leases' }).requests;
  expect([leases, traffic.total({ user: 'two', verb: 'update' }).requests]).toEqual([0, 0]);
  await Promise.all([one.stop(), two.stop()]);
});

test('who takes over goes on from what stands on the object, not from what it saw by itself', async () => {
  const simulation = threeNodes('none');
  simulation.annotate('daemonsets', 'pull', { [`${PREFIX}/deadline`]: '5m' });
  simulation.observe('pull');
  const one = startWatcher(simulation, 'one');
  await simulation.clock.advance(1_000);
  const two = startWatcher(simulation, 'two');
  await simulation.clock.advance(MINUTE);
  await one.stop();
  // As if the other had looked first much later: its deadline is the one that counts.
  const { [VERDICT_ANNOTATION]: written = '' } = simulation.daemonSet('pull')!.metadata.annotations ?? {};
  const firstLook = simulation.clock.now();
  simulation.annotate('daemonsets', 'pull', {
    [VERDICT_ANNOTATION]: written
      .replace(/"firstLook":\d+/, `"firstLook":${firstLook}`)
      .replace(/"missingSince":\d+/, `"missingSince":${firstLook}`),
  });
  await simulation.clock.advance(4.5 * MINUTE);
  expect(simulation.condition('pull')).toMatch(/^Unknown/);
  await simulation.clock.advance(MINUTE);
  expect(simulation.condition('pull')).toBe('False DeadlineExceeded');
  await two.stop();
});

test('a replica that sees it otherwise shows, in the end, what was written', async () => {
  const simulation = threeNodes();
  const one = startWatcher(simulation, 'one');
  await simulation.clock.advance(1_000);
  const two = startWatcher(simulation, 'two');
  await simulation.clock.advance(MINUTE);
  simulation.server.faults.revoked.push({ verb: 'patch', resource: 'daemonsets' });
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'missing');
  await simulation.clock.advance(10 * MINUTE);
  expect(shown(two)).toMatch(/^Degraded ImageMissing/);
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
  await simulation.clock.advance(1_000);
  // A hook's verdict is final for who writes it, and for nobody else before it is written.
  expect(shown(two)).toBe('Healthy Pulled a:pulled b:pulled c:pulled');
  simulation.server.faults.revoked.pop();
  await simulation.clock.advance(2 * MINUTE);
  expect(simulation.condition('pull')).toBe('False ImageMissing');
  expect(shown(two)).toBe('Degraded ImageMissing a:pulled b:pulled c:pulled');
  await Promise.all([stopWatcher(simulation, one), stopWatcher(simulation, two)]);
});

test('a leader that is cut off stops writing before another begins', async () => {
  const simulation = threeNodes();
  const one = startWatcher(simulation, 'one');
  await simulation.clock.advance(1_000);
  const two = startWatcher(simulation, 'two');
  await simulation.clock.advance(1_000);
  simulation.server.faults.revoked.push({ verb: 'update', resource: 'leases' });
  let both = 0;
  for (let second = 0; second < 60; second += 1) {
    await simulation.clock.advance(1_000);
    if (one.state().leading && two.state().leading) both += 1;
    if (second === 14) simulation.server.faults.revoked.pop();
  }
  expect(both).toBe(0);
  expect([one.state().leading, two.state().leading].filter(Boolean)).toHaveLength(1);
  await Promise.all([one.stop(), two.stop()]);
});

const STORIES: [string, PodState[], string][] = [
  ['everything pulled', ['pulled', 'pulled', 'pulled'], 'True Pulled'],
  ['an image that is missing', ['missing', 'pulling', 'pulling'], 'False ImageMissing'],
  ['a full node', ['pulled', 'pulled', 'full'], 'True Pulled'],
];

test.each(STORIES)('killed twice a second for a minute: %s', async (_story, states, expected) => {
  const simulation = threeNodes();
  const statuses = recordStatuses(simulation);
  let watcher: Watcher | undefined;
  for (let half = 0; half < 120; half += 1) {
    watcher = startWatcher(simulation, `replica-${half}`);
    await simulation.clock.advance(500);
    if (half === 40) for (const [index, state] of states.entries()) simulation.pod('pull', 'abc'[index]!, state);
    await watcher.stop();
  }
  watcher = startWatcher(simulation, 'last');
  await simulation.clock.advance(10 * MINUTE);
  expect(simulation.condition('pull')).toBe(expected);
  expect(statuses.filter((status) => status !== 'none')).toEqual(['Unknown', expected.split(' ')[0]]);
  await watcher.stop();
});

test('a deadline goes on over a restart', async () => {
  const simulation = threeNodes('none');
  simulation.annotate('daemonsets', 'pull', { [`${PREFIX}/deadline`]: '5m' });
  simulation.observe('pull');
  const one = startWatcher(simulation, 'one');
  await simulation.clock.advance(4 * MINUTE);
  await one.stop();
  const two = startWatcher(simulation, 'two');
  await simulation.clock.advance(90_000);
  expect(simulation.condition('pull')).toBe('False DeadlineExceeded');
  await two.stop();
});

test('who loses the Lease while it asks the cluster writes nothing more', async () => {
  const simulation = threeNodes('missing');
  const { server, clock } = simulation;
  const client = simulatedClient(server, clock, 'slow');
  let asks = 0;
  const slow: KubeClient = {
    ...client,
    async list(path, query, signal) {
      const isAsk = path.endsWith('/nodes');
      if (isAsk) asks += 1;
      if (isAsk) await new Promise<void>((resolve) => void clock.after(20_000, resolve));
      return client.list(path, query, signal);
    },
  };
  const watcher = startWatcher(simulation, 'slow', { client: slow });
  await clock.advance(5_000);
  expect(asks).toBeGreaterThan(0);
  server.faults.revoked.push({ verb: 'update', resource: 'leases' });
  await clock.advance(30_000);
  expect(watcher.state().leading).toBe(false);
  expect(server.traffic.total({ verb: 'patch' }).requests).toBe(0);
  await stopWatcher(simulation, watcher);
});
