/** Labels on nodes, on a simulated cluster: which nodes have one and when, over changes, restarts and hand-overs. */
import { combinedDigest } from '../../src/api/digest.ts';
import { OVERRIDE_ANNOTATION, OVERRIDE_GENERATION_ANNOTATION } from '../../src/api/names.ts';
import { ALL, everyPod, marks, setLabel, startMarking, writes, WRITES } from './marked-nodes.ts';
import { threeNodes } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { stopWatcher } from './watchers.ts';
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

test('a node is marked when it has every image, and no longer when it has not', async () => {
  const simulation = threeNodes('pulling', 'continuous');
  simulation.pod('pull', 'a', 'pulled');
  simulation.pod('pull', 'b', 'half');
  start(simulation);
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({ a: 'digest-2' });
  everyPod(simulation, 'pulled');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual(ALL);
  // Another pod, on a node that lost the image.
  simulation.pod('pull', 'b', 'pulling');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({ a: 'digest-2', c: 'digest-2' });
});

test('without being asked to it marks nothing', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  start(simulation, 'one', false);
  await simulation.clock.advance(MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect([marks(simulation), writes(simulation)]).toEqual([{}, 0]);
});

test('a hook puller marks nothing', async () => {
  const simulation = threeNodes('pulled', 'hook');
  start(simulation);
  await simulation.clock.advance(MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect(marks(simulation)).toEqual({});
});

test('another digest: the old mark goes from each node until the new images are there', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  start(simulation);
  await simulation.clock.advance(5 * SECOND);
  simulation.puller('pull', { role: 'continuous', tag: '3' });
  everyPod(simulation, 'none');
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, name === 'a' ? 'pulled' : 'pulling');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({ a: 'digest-3' });
});

test('let through: nodes that lack the images stay without a mark', async () => {
  const simulation = threeNodes('pulling', 'continuous');
  simulation.pod('pull', 'c', 'pulled');
  simulation.annotate('daemonsets', 'pull', {
    [OVERRIDE_ANNOTATION]: 'let-through',
    [OVERRIDE_GENERATION_ANNOTATION]: '1',
  });
  start(simulation);
  await simulation.clock.advance(MINUTE);
  expect(simulation.condition('pull')).toBe('True LetThrough');
  expect(marks(simulation)).toEqual({ c: 'digest-2' });
});

test.each([
  [
    'taken away',
    (simulation: Simulation) => {
      simulation.removePuller('pull');
    },
  ],
  [
    'replaced by one of the same name that has pulled nothing',
    (simulation: Simulation) => {
      simulation.removePuller('pull');
      simulation.puller('pull', { role: 'continuous' });
      everyPod(simulation, 'pulling');
    },
  ],
])('a puller that is %s takes its marks along', async (_what, change) => {
  const simulation = threeNodes('pulled', 'continuous');
  start(simulation);
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual(ALL);
  change(simulation);
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({});
});

test('two hubs: marked where both are done, with one value for both lists', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  simulation.puller('other', { role: 'continuous', tag: '9' });
  everyPod(simulation, 'pulling', 'other');
  start(simulation);
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({});
  simulation.pod('other', 'b', 'pulled');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({ b: combinedDigest(['digest-2', 'digest-9']) });
  simulation.removePuller('other');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual(ALL);
});

test('a restart writes nothing where nothing changed, and mends what changed meanwhile', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  const first = start(simulation);
  await simulation.clock.advance(5 * SECOND);
  await first.stop();
  const second = start(simulation);
  const before = writes(simulation);
  await simulation.clock.advance(MINUTE);
  expect(writes(simulation)).toBe(before);
  await second.stop();
  simulation.removePuller('pull');
  start(simulation);
  await simulation.clock.advance(MINUTE);
  expect(marks(simulation)).toEqual({});
  expect(writes(simulation)).toBe(before + 3);
});

test('no mark is taken away before every puller was judged', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  const first = start(simulation);
  await simulation.clock.advance(5 * SECOND);
  await first.stop();
  simulation.server.faults.revoked.push({ verb: 'list', resource: 'pods' });
  start(simulation);
  await simulation.clock.advance(MINUTE);
  expect([marks(simulation), writes(simulation)]).toEqual([ALL, 3]);
});

test('after a hand-over the other one writes, from what the nodes carry then', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  simulation.pod('pull', 'c', 'pulling');
  const one = start(simulation);
  await simulation.clock.advance(5 * SECOND);
  const two = start(simulation, 'two');
  await simulation.clock.advance(MINUTE);
  expect([one.state().leading, two.state().leading]).toEqual([true, false]);
  expect(simulation.server.traffic.total({ ...WRITES, user: 'two' }).requests).toBe(0);
  await stopWatcher(simulation, one);
  await setLabel(simulation, 'a', null);
  simulation.pod('pull', 'c', 'pulled');
  await simulation.clock.advance(30 * SECOND);
  expect(two.state().leading).toBe(true);
  expect(marks(simulation)).toEqual(ALL);
  expect(simulation.server.traffic.total({ ...WRITES, user: 'one' }).requests).toBe(2);
  expect(simulation.server.traffic.total({ ...WRITES, user: 'two' }).requests).toBe(2);
});

test('a node that goes is forgotten, and one of its name is marked when it has pulled', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  const watcher = start(simulation);
  await simulation.clock.advance(5 * SECOND);
  simulation.pod('pull', 'c', 'none');
  simulation.removeNode('c');
  simulation.observe('pull');
  await simulation.clock.advance(5 * SECOND);
  simulation.node('c');
  simulation.pod('pull', 'c', 'pulling');
  simulation.observe('pull');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual({ a: 'digest-2', b: 'digest-2' });
  simulation.pod('pull', 'c', 'pulled');
  await simulation.clock.advance(5 * SECOND);
  expect(marks(simulation)).toEqual(ALL);
  expect(watcher.remarks.filter((remark) => remark.includes('marked'))).toEqual([]);
});

test('a node made anew between two looks, and marks that somebody changed, are right again within ten minutes', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  start(simulation);
  await simulation.clock.advance(5 * SECOND);
  simulation.removeNode('c');
  simulation.node('c');
  simulation.node('stranger');
  await setLabel(simulation, 'b', 'something-else');
  await setLabel(simulation, 'stranger', 'digest-2');
  await simulation.clock.advance(10 * MINUTE);
  expect(marks(simulation)).toEqual(ALL);
});
