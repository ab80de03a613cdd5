/** Nodes are given up on new lists only: a watch can be silent without a word, and nodes are never watched. */
import { resourceNamed } from '../../simulator/resources.ts';
import { timestamp } from '../../simulator/store.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { PREFIX, PULLED_CONDITION } from '../../src/api/names.ts';
import { IMAGES } from './puller-objects.ts';
import { NAMESPACE, threeNodes } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { startWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';

let running: Watcher[] = [];

afterEach(async () => {
  await Promise.all(running.map((watcher) => watcher.stop()));
  running = [];
});

function start(simulation: Simulation): void {
  running.push(startWatcher(simulation, 'one'));
}

function pulledEverywhere(simulation: Simulation): void {
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulled');
}

const MINUTE = 60_000;

function pulledOf(object: ApiObject | undefined): Fields | undefined {
  return ((object?.status?.conditions ?? []) as Fields[]).find(({ type }) => type === PULLED_CONDITION);
}

/** Statuses of the condition, in the order they were written. */
function written({ store }: Simulation): string[] {
  const statuses: string[] = [];
  store.history.subscribe(resourceNamed('daemonsets'), ({ object }) => {
    const status = pulledOf(object)?.status as string | undefined;
    if (status !== undefined && status !== statuses.at(-1)) statuses.push(status);
  });
  return statuses;
}

function fallSilent({ server }: Simulation): void {
  server.watches.silence(true);
  server.watches.silence(false);
}

test.each(['missing', 'invalid'] as const)(
  'an image that was %s is there while the watches are silent: the pull does not fail',
  async (state) => {
    const simulation = threeNodes();
    simulation.annotate('daemonsets', 'pull', { [`${PREFIX}/missing-image-window`]: '20s' });
    const statuses = written(simulation);
    start(simulation);
    await simulation.clock.advance(5_000);
    simulation.pod('pull', 'a', state);
    await simulation.clock.advance(1_000);
    fallSilent(simulation);
    pulledEverywhere(simulation);
    await simulation.clock.advance(3 * MINUTE);
    expect(statuses).toEqual(['Unknown', 'True']);
  },
);

test('a pull that begins while the watches are silent: the node is not given up', async () => {
  const simulation = threeNodes('pulled');
  simulation.annotate('daemonsets', 'pull', { [`${PREFIX}/scheduling-grace`]: '30s' });
  simulation.pod('pull', 'a', 'starting');
  const statuses = written(simulation);
  start(simulation);
  await simulation.clock.advance(20_000);
  fallSilent(simulation);
  const { metadata } = simulation.store.get(resourceNamed('pods'), 'pull-a', NAMESPACE)!;
  simulation.create('events', NAMESPACE, {
    metadata: { name: 'pull-a.1' },
    involvedObject: { kind: 'Pod', namespace: NAMESPACE, name: 'pull-a', uid: metadata.uid },
    reason: 'Pulling',
    message: `Pulling image "${IMAGES[0]}"`,
    firstTimestamp: timestamp(simulation.clock.now()),
    lastTimestamp: timestamp(simulation.clock.now()),
  });
  await simulation.clock.advance(3 * MINUTE);
  expect(statuses).toEqual(['Unknown']);
  pulledEverywhere(simulation);
  await simulation.clock.advance(MINUTE);
  expect(statuses).toEqual(['Unknown', 'True']);
});

test('nodes are given up on a new list of nodes: the missing pod is that of the node that is not ready', async () => {
  const simulation = threeNodes('none');
  simulation.annotate('daemonsets', 'pull', { [`${PREFIX}/deadline`]: '5m' });
  start(simulation);
  await simulation.clock.advance(1_000);
  simulation.removeNode('a');
  simulation.node('b', false);
  simulation.pod('pull', 'c', 'pulled');
  simulation.observe('pull');
  await simulation.clock.advance(6 * MINUTE);
  expect(simulation.condition('pull')).toBe('True Pulled');
  expect(pulledOf(simulation.daemonSet('pull'))?.message).toContain(
    'the node is not ready since 2026-03-01T08:00:01Z: as the test says (on b)',
  );
});
