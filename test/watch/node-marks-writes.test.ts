/** What labels on nodes cost, on a simulated cluster: writes bounded, none without need, fewer while they are refused. */
import type { DaemonSet } from '../../src/verdict/snapshot.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { createNodeMarks } from '../../src/watch/node-marks.ts';
import { ALL, marks, startMarking, writes } from './marked-nodes.ts';
import { simulatedClient } from './simulated-client.ts';
import { createSimulation, NAMESPACE, threeNodes } from './simulation.ts';
import type { Watcher } from './watchers.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

let running: Watcher[] = [];
afterEach(async () => {
  await Promise.all(running.map((watcher) => watcher.stop()));
  running = [];
});

function start(...args: Parameters<typeof startMarking>): Watcher {
  const watcher = startMarking(...args);
  running.push(watcher);
  return watcher;
}

test('an hour in which nothing changes costs no write and seven reads of nodes', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  start(simulation);
  await simulation.clock.advance(MINUTE);
  simulation.server.traffic.reset();
  await simulation.clock.advance(60 * MINUTE);
  expect(simulation.writes()).toEqual({ patches: 0, events: 0 });
  expect(simulation.server.traffic.total({ verb: 'list', resource: 'nodes' }).requests).toBeLessThanOrEqual(7);
});

test('without the right: said once, asked for seldom, the verdict unaffected, and mended when the right comes', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  simulation.server.faults.revoked.push({ verb: 'patch', resource: 'nodes' });
  const watcher = start(simulation);
  await simulation.clock.advance(20 * MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect(watcher.remarks.filter((remark) => remark.includes('nodes cannot be marked'))).toHaveLength(1);
  expect(writes(simulation)).toBeLessThanOrEqual(60);
  simulation.server.faults.revoked.pop();
  await simulation.clock.advance(31 * SECOND);
  expect(marks(simulation)).toEqual(ALL);
});

test('what is refused now and then is tried again, less and less often', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  simulation.server.faults.refusals.push({ code: 500, rate: 1, verbs: ['patch'], resources: ['nodes'] });
  start(simulation);
  await simulation.clock.advance(10 * MINUTE);
  // Three nodes a turn.
  expect(writes(simulation)).toBeLessThanOrEqual(3 * 40);
  simulation.server.faults.refusals.pop();
  await simulation.clock.advance(31 * SECOND);
  expect(marks(simulation)).toEqual(ALL);
});

describe('five thousand nodes', () => {
  const COUNT = 5_000;
  const names = Array.from({ length: COUNT }, (_, index) => `n${index}`);
  const puller = { namespace: NAMESPACE, name: 'pull', role: 'continuous', imagesLabel: 'digest-2' } as DaemonSet;

  function verdictOf(state: 'pulled' | 'pulling'): Verdict {
    const reason = state === 'pulled' ? 'EveryImagePulled' : 'InProgress';
    return { nodes: names.map((node) => ({ node, state, reason })) } as unknown as Verdict;
  }

  test('at most ten writes a second, all done after five hundred, none that was not needed', async () => {
    const simulation = createSimulation();
    const { clock, server } = simulation;
    for (const name of names) simulation.create('nodes', undefined, { metadata: { name }, spec: {} });
    const stopping = new AbortController();
    const failures: unknown[] = [];
    const nodeMarks = createNodeMarks({
      client: simulatedClient(server, clock),
      clock,
      random: () => 0.5,
      signal: stopping.signal,
      picture: { pullers: () => [puller], isLive: () => true, age: () => 0 },
      isLeader: () => true,
      failed: (error) => void failures.push(error),
    });
    nodeMarks.begin();
    await clock.advance(1);
    let most = 0;
    for (let second = 0; second < 510; second += 1) {
      const before = writes(simulation);
      // A verdict is told many times a second.
      for (let time = 0; time < 3; time += 1) nodeMarks.judged(puller, verdictOf('pulled'));
      await clock.advance(SECOND);
      most = Math.max(most, writes(simulation) - before);
    }
    expect(most).toBe(10);
    expect(Object.keys(marks(simulation))).toHaveLength(COUNT);
    expect(writes(simulation)).toBe(COUNT);
    stopping.abort();
    nodeMarks.judged(puller, verdictOf('pulling'));
    await clock.advance(MINUTE);
    expect([writes(simulation), failures]).toEqual([COUNT, []]);
  });
});
