/** Days of a busy hub in a reconciler that is never restarted: tags change, nodes come and go, and nothing of them stays behind. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LONG, times } from '../long-mode.ts';
import { createSimulation } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { startWatcher, stopWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';

/** The long mode weighs the heap too; in the short one only what is kept is counted. */
const BUMPS = times(50, 500);
const NODES = 6;
const MINUTE = 60_000;
/** Between two bumps: 500 of them take two days. */
const PAUSE = 6 * MINUTE;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** A new tag: the hook is made anew, the standing puller rolls on; the oldest node goes, a new one comes, one fails a while. */
async function bump(simulation: Simulation, index: number): Promise<void> {
  const tag = `tag-${index}`;
  simulation.removeNode(`node-${index}`);
  for (const name of ['hook', 'continuous']) simulation.pod(name, `node-${index}`, 'none');
  simulation.node(`node-${index + NODES}`);
  simulation.removePuller('hook');
  simulation.puller('hook', { role: 'hook', tag });
  simulation.puller('continuous', { role: 'continuous', tag });
  const names = Array.from({ length: NODES }, (_, offset) => `node-${index + 1 + offset}`);
  for (const puller of ['hook', 'continuous']) {
    for (const name of names) {
      simulation.pod(puller, name, 'none');
      simulation.pod(puller, name, name.endsWith('7') ? 'busy' : 'pulling');
    }
    simulation.observe(puller);
  }
  await simulation.clock.advance(MINUTE);
  for (const puller of ['hook', 'continuous']) for (const name of names) simulation.pod(puller, name, 'pulled');
  await simulation.clock.advance(PAUSE - MINUTE);
}

/** What the test keeps for its own use is no leak of the reconciler's; neither is what the simulated API server remembers. */
async function forgetAround({ server }: Simulation, watcher: Watcher): Promise<void> {
  watcher.verdicts.length = 0;
  watcher.remarks.length = 0;
  const path = '/api/v1/namespaces/hub/events';
  await server.handle({ method: 'DELETE', path, user: 'system:test', contentType: 'application/json' });
  server.compact();
}

/** Equal texts are kept once in pools that begin anew when they are full: until then they grow a little, some 3 KB a tag. */
function expectFlat(heaps: readonly number[]): void {
  const [, settled = NaN] = heaps;
  const last = heaps.at(-1) ?? NaN;
  console.log(`heap, MB: ${heaps.map((one) => (one / 1e6).toFixed(1)).join(' ')}`);
  expect((last - settled) / (BUMPS - 100)).toBeLessThan(8_000);
}

test(`memory is flat over ${BUMPS} tags and as many nodes`, async () => {
  const simulation = createSimulation();
  for (let index = 0; index < NODES; index += 1) simulation.node(`node-${index}`);
  const watcher = startWatcher(simulation, 'one');
  const heaps: number[] = [];
  for (let index = 0; index < BUMPS; index += 1) {
    await bump(simulation, index);
    await forgetAround(simulation, watcher);
    expect(simulation.condition('hook')).toBe('True Pulled');
    if (LONG && index % 50 === 49) heaps.push(heap());
  }
  if (LONG) expectFlat(heaps);
  expect(watcher.state().queued).toBeLessThanOrEqual(2);
  expect(watcher.picture.pullers()).toHaveLength(2);
  expect(watcher.picture.podsIn('hub')).toHaveLength(2 * NODES);
  await stopWatcher(simulation, watcher);
}, 120_000);
