/** The reconciler against a simulated API server: what it writes, when, and what it leaves alone. */
import { OBSERVED_GENERATION_CONDITION, PREFIX, PULLED_CONDITION, VERDICT_ANNOTATION } from '../../src/api/names.ts';
import type { KubeClient } from '../../src/watch/kube-api.ts';
import { simulatedClient } from './simulated-client.ts';
import { threeNodes } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { startWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';

let running: Watcher[] = [];

afterEach(async () => {
  await Promise.all(running.map((watcher) => watcher.stop()));
  running = [];
});

function start(simulation: Simulation, identity?: string): Watcher {
  const watcher = startWatcher(simulation, identity);
  running.push(watcher);
  return watcher;
}

const MINUTE = 60_000;

test('a pull that goes well: Progressing, then Healthy, with condition, generation, annotation and two events', async () => {
  const simulation = threeNodes();
  start(simulation, 'one');
  await simulation.clock.advance(1_000);
  expect(simulation.condition('pull')).toBe('Unknown Pulling');
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
  await simulation.clock.advance(1_000);
  expect(simulation.condition('pull')).toBe('True Pulled');
  const { metadata, status } = simulation.daemonSet('pull')!;
  const conditions = status?.conditions as { type: string; reason: string }[];
  expect(conditions.find(({ type }) => type === OBSERVED_GENERATION_CONDITION)?.reason).toBe('Generation1');
  expect(JSON.parse(metadata.annotations?.[VERDICT_ANNOTATION] ?? '')).toMatchObject({ counts: { pulled: 3 } });
  expect(simulation.events()).toEqual(['Normal Pulling', 'Normal Pulled']);
});

test('a missing image fails the hook once, in a condition and an event that name image and fix', async () => {
  const simulation = threeNodes('missing');
  start(simulation, 'one');
  await simulation.clock.advance(10 * MINUTE);
  expect(simulation.condition('pull')).toBe('False ImageMissing');
  const conditions = simulation.daemonSet('pull')?.status?.conditions as { type: string; message: string }[];
  const { message } = conditions.find(({ type }) => type === PULLED_CONDITION)!;
  expect(message).toContain('registry.example/user:2');
  expect(message).toContain('Check the tag');
  expect(simulation.events()).toEqual(['Normal Pulling', 'Warning ImageMissing']);
});

test('the last pod does not wait for answers about it: a verdict stands while they are still to come', async () => {
  const simulation = threeNodes('missing');
  const { server, clock } = simulation;
  const client = simulatedClient(server, clock);
  let unanswered = 0;
  const slow: KubeClient = {
    ...client,
    async list(path, query, signal) {
      if (String(query.fieldSelector).startsWith('involvedObject')) {
        unanswered += 1;
        await new Promise<void>((resolve) => void clock.after(20_000, resolve));
        unanswered -= 1;
      }
      return client.list(path, query, signal);
    },
  };
  running.push(startWatcher(simulation, 'one', { client: slow }));
  await clock.advance(5_000);
  expect(unanswered).toBeGreaterThan(0);
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
  await clock.advance(100);
  expect(unanswered).toBeGreaterThan(0);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test('however often its pods change, a puller is asked about once a second', async () => {
  const simulation = threeNodes('missing');
  const asks = { verb: 'list', resource: 'events' };
  start(simulation, 'one');
  await simulation.clock.advance(1_000);
  const before = simulation.server.traffic.total(asks).requests;
  for (let change = 0; change < 50; change += 1) {
    // A pod of a new name each time, about which nothing was asked.
    simulation.pod('pull', 'a', 'none');
    simulation.pod('pull', 'a', 'missing');
    await simulation.clock.advance(100);
  }
  expect(simulation.server.traffic.total(asks).requests - before).toBeLessThanOrEqual(6);
});

test('of many nodes at work a few are asked about at a time, and the dead one among them is found', async () => {
  const simulation = threeNodes();
  const names = Array.from({ length: 150 }, (_, index) => `n${index}`);
  for (const name of names) {
    simulation.node(name);
    simulation.pod('pull', name, 'pulling');
  }
  simulation.observe('pull');
  start(simulation, 'one');
  await simulation.clock.advance(31_000);
  simulation.node('n70', false);
  const asks = { verb: 'get', resource: 'nodes' };
  let [asked, mostASecond] = [simulation.server.traffic.total(asks).requests, 0];
  for (let second = 0; second < 5 * 60; second += 1) {
    // Something happens each second: the reconciler is awake all the time.
    simulation.pod('pull', 'a', second % 2 === 0 ? 'half' : 'pulling');
    await simulation.clock.advance(1_000);
    const now = simulation.server.traffic.total(asks).requests;
    mostASecond = Math.max(mostASecond, now - asked);
    asked = now;
  }
  // Two times of asking may fall into one second.
  expect(mostASecond).toBeLessThanOrEqual(20);
  const { metadata } = simulation.daemonSet('pull')!;
  expect(JSON.parse(metadata.annotations?.[VERDICT_ANNOTATION] ?? '')).toMatchObject({ counts: { tolerated: 1 } });
});

test('progress is written at most every five seconds, a verdict at once', async () => {
  const simulation = threeNodes();
  start(simulation, 'one');
  await simulation.clock.advance(1_000);
  const before = simulation.writes().patches;
  simulation.pod('pull', 'a', 'pulled');
  await simulation.clock.advance(500);
  simulation.pod('pull', 'b', 'half');
  await simulation.clock.advance(500);
  expect(simulation.writes().patches).toBe(before);
  await simulation.clock.advance(5_000);
  expect(simulation.writes().patches).toBe(before + 1);
  for (const name of ['b', 'c']) simulation.pod('pull', name, 'pulled');
  await simulation.clock.advance(1);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test.each(['hook', 'continuous'] as const)(
  'six hours of a done %s puller costs no patch and few watches',
  async (role) => {
    const simulation = threeNodes('pulled', role);
    start(simulation, 'one');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toBe('True Pulled');
    simulation.server.traffic.reset();
    const hours = 6;
    await simulation.clock.advance(hours * 60 * MINUTE);
    const lines = simulation.server.traffic.lines().map(({ verb, resource }) => `${verb} ${resource}`);
    expect(lines.sort()).toEqual(['get leases', 'update leases', 'watch daemonsets', 'watch pods']);
    for (const resource of ['daemonsets', 'pods']) {
      const { requests } = simulation.server.traffic.total({ verb: 'watch', resource });
      expect(requests).toBeLessThanOrEqual(hours * 12);
    }
  },
);

test('a node that is full for good holds nothing and costs no more writes', async () => {
  const simulation = threeNodes('pulled', 'continuous');
  simulation.pod('pull', 'c', 'full');
  start(simulation, 'one');
  await simulation.clock.advance(5 * MINUTE);
  expect(simulation.condition('pull')).toMatch(/^True /);
  simulation.server.traffic.reset();
  await simulation.clock.advance(60 * MINUTE);
  expect(simulation.writes()).toEqual({ patches: 0, events: 0 });
});

test('the verdict of a hook stands, whatever happens to its pods', async () => {
  const simulation = threeNodes('pulled');
  start(simulation, 'one');
  await simulation.clock.advance(1_000);
  const { patches } = simulation.writes();
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'missing');
  await simulation.clock.advance(20 * MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect(simulation.writes().patches).toBe(patches);
});

test('a conflict about the UID writes nothing on the new object of the same name', async () => {
  const simulation = threeNodes('pulled');
  const watcher = start(simulation, 'one');
  await simulation.clock.advance(1_000);
  simulation.removePuller('pull');
  simulation.puller('pull');
  await simulation.clock.advance(1_000);
  expect(simulation.condition('pull')).toBe('Unknown NotObserved');
  expect(watcher.remarks.filter((remark) => remark.includes('look at a puller'))).toEqual([]);
});

test('without the right to read nodes or events verdicts go on, and it is said once', async () => {
  const simulation = threeNodes('missing', 'continuous');
  simulation.server.faults.revoked.push({ verb: '*', resource: 'nodes' }, { verb: '*', resource: 'events' });
  const watcher = start(simulation, 'one');
  await simulation.clock.advance(10 * MINUTE);
  expect(simulation.condition('pull')).toBe('False ImageMissing');
  expect(watcher.remarks.filter((remark) => remark.includes('nodes cannot be read'))).toHaveLength(1);
  expect(watcher.remarks.filter((remark) => remark.includes('events cannot be read')).length).toBeLessThanOrEqual(2);
});

test('without writing it tells verdicts and sends nothing', async () => {
  const simulation = threeNodes('pulled');
  const watcher = start(simulation);
  await simulation.clock.advance(1_000);
  expect(watcher.verdicts.at(-1)?.verdict.health).toBe('Healthy');
  const verbs = new Set(simulation.server.traffic.lines().map(({ verb }) => verb));
  expect([...verbs].sort()).toEqual(['list', 'watch']);
});

test('what only time can change is looked at in time: the second look at an image that cannot be had', async () => {
  const simulation = threeNodes('invalid');
  start(simulation, 'one');
  await simulation.clock.advance(9_000);
  expect(simulation.condition('pull')).toBe('Unknown Confirming');
  await simulation.clock.advance(3_000);
  expect(simulation.condition('pull')).toBe('False ImageInvalid');
});

test('a node that goes with its pod holds nothing', async () => {
  const simulation = threeNodes('pulled');
  simulation.pod('pull', 'c', 'pulling');
  start(simulation, 'one');
  await simulation.clock.advance(5_000);
  expect(simulation.condition('pull')).toBe('Unknown Pulling');
  simulation.removeNode('c');
  simulation.pod('pull', 'c', 'none');
  simulation.observe('pull');
  await simulation.clock.advance(5_000);
  expect(simulation.condition('pull')).toBe('True Pulled');
});

test('what is not understood in annotations is said once, and does not stop anything', async () => {
  const simulation = threeNodes('pulled');
  simulation.annotate('daemonsets', 'pull', { [`${PREFIX}/deadline`]: 'soon', [`${PREFIX}/contract`]: '9' });
  const watcher = start(simulation, 'one');
  await simulation.clock.advance(MINUTE);
  const said = watcher.remarks.filter((remark) => remark.includes('understood'));
  expect(said).toHaveLength(2);
  expect(said.join()).toContain('takes a duration');
  expect(simulation.condition('pull')).toBe('True Pulled');
});
