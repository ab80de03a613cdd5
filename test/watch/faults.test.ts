/** What the network and the API server do to the reconciler: it is late then, never wrong, and needs no restart. */
import { threeNodes } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { startWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';

let running: Watcher[] = [];

afterEach(async () => {
  await Promise.all(running.map((watcher) => watcher.stop()));
  running = [];
});

function start(simulation: Simulation, identity = 'one'): Watcher {
  const watcher = startWatcher(simulation, identity);
  running.push(watcher);
  return watcher;
}

function pulledEverywhere(simulation: Simulation): void {
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
}

const MINUTE = 60_000;

function goAway({ server }: Simulation): void {
  server.faults.away = true;
  server.watches.cut();
}

test('an API server that is away: the picture grows old, nothing is judged, and everything comes back by itself', async () => {
  const simulation = threeNodes();
  const watcher = start(simulation);
  await simulation.clock.advance(5_000);
  goAway(simulation);
  const { length } = watcher.verdicts;
  pulledEverywhere(simulation);
  await simulation.clock.advance(10 * MINUTE);
  expect(watcher.verdicts).toHaveLength(length);
  expect(watcher.state().pictureAge).toBeGreaterThan(9 * MINUTE);
  expect(watcher.state().leading).toBe(false);
  simulation.server.faults.away = false;
  await simulation.clock.advance(MINUTE);
  expect(watcher.state().pictureAge).toBeLessThan(MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test('a history that was compacted is listed anew and nothing is lost', async () => {
  const simulation = threeNodes();
  start(simulation);
  await simulation.clock.advance(5_000);
  simulation.server.watches.cut();
  pulledEverywhere(simulation);
  simulation.server.compact();
  await simulation.clock.advance(5_000);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test('a watch that falls silent is noticed', async () => {
  const simulation = threeNodes();
  start(simulation);
  await simulation.clock.advance(5_000);
  simulation.server.watches.silence(true);
  simulation.server.watches.silence(false);
  pulledEverywhere(simulation);
  await simulation.clock.advance(3 * MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test.each([409, 429, 500, 503] as const)('half of all requests answered with %d: right in the end', async (code) => {
  const simulation = threeNodes();
  simulation.server.faults.refusals.push({ code, rate: 0.5 });
  start(simulation);
  await simulation.clock.advance(MINUTE);
  pulledEverywhere(simulation);
  await simulation.clock.advance(5 * MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test('a slow API server: late, not wrong', async () => {
  const simulation = threeNodes();
  simulation.server.faults.delay = 4_000;
  start(simulation);
  await simulation.clock.advance(2 * MINUTE);
  expect(simulation.condition('pull')).toBe('Unknown Pulling');
  pulledEverywhere(simulation);
  await simulation.clock.advance(MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test('pods that cannot be listed: the app is not judged on none of them', async () => {
  const simulation = threeNodes('pulled');
  simulation.server.faults.revoked.push({ verb: '*', resource: 'pods' });
  const watcher = start(simulation);
  await simulation.clock.advance(10 * MINUTE);
  expect(watcher.verdicts).toEqual([]);
  expect(simulation.condition('pull')).toBe('');
});

test('a puller that went while nobody could watch is told to be gone', async () => {
  const simulation = threeNodes();
  const gone: string[] = [];
  running.push(startWatcher(simulation, 'one', { gone: (key) => void gone.push(key) }));
  await simulation.clock.advance(5_000);
  goAway(simulation);
  simulation.removePuller('pull');
  simulation.server.compact();
  simulation.server.faults.away = false;
  await simulation.clock.advance(MINUTE);
  expect(gone).toEqual(['hub/pull']);
});
