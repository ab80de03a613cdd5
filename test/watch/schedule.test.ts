/**
 * Random schedules of cluster events, watch faults, refusals and restarts: no verdict that ends a wait is ever false, and when the
 * world holds still the condition comes to what the judge says of the true state. PREPULLER_SCHEDULES=n runs n of them.
 */
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { PULLED_CONDITION } from '../../src/api/names.ts';
import { resourceNamed } from '../../simulator/resources.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { POD_STATES } from './puller-objects.ts';
import type { PodState } from './puller-objects.ts';
import { createSimulation, NAMESPACE } from './simulation.ts';
import type { Simulation } from './simulation.ts';
import { startWatcher, stopWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';
import { judgeTruth } from './truth.ts';

const RUNS = Number(process.env.PREPULLER_SCHEDULES ?? 500);
/** For all of them, on a busy machine too. */
jest.setTimeout(Math.max(60_000, RUNS * 100));
const NODES = ['a', 'b', 'c', 'd'];
const SECOND = 1_000;

/** Short, so that a schedule sees the end of each. */
const POLICY = { 'missing-image-window': '20s', deadline: '5m' };

interface World {
  simulation: Simulation;
  watcher: Watcher;
  restarts: number;
}

/** What the commands know of the world: nothing they could not read from it. */
type Model = Record<string, never>;
type Step = fc.AsyncCommand<Model, World>;

function step(name: string, run: (world: World) => Promise<void> | void): Step {
  return {
    check: () => true,
    async run(_model, world) {
      await run(world);
    },
    toString: () => name,
  };
}

const node = fc.constantFrom(...NODES);
const state = fc.constantFrom(...POD_STATES);

const steps = [
  fc.tuple(node, state).map(([name, to]) =>
    step(`pod on ${name} is ${to}`, ({ simulation }) => {
      if (exists(simulation, name)) simulation.pod('pull', name, to);
    }),
  ),
  fc.tuple(node, fc.boolean()).map(([name, ready]) =>
    step(`node ${name} ready ${String(ready)}`, ({ simulation }) => {
      simulation.node(name, ready);
    }),
  ),
  node.map((name) =>
    step(`node ${name} goes`, ({ simulation }) => {
      simulation.pod('pull', name, 'none');
      simulation.removeNode(name);
    }),
  ),
  fc.constant(
    step('counted', ({ simulation }) => {
      simulation.observe('pull');
    }),
  ),
  fc.constantFrom('2', '3').map((tag) =>
    step(`tag ${tag}`, ({ simulation }) => {
      if (simulation.daemonSet('pull')) simulation.puller('pull', { role: 'continuous', tag, annotations: POLICY });
    }),
  ),
  fc.constant(
    step('made anew', ({ simulation }) => {
      simulation.removePuller('pull');
      simulation.puller('pull', { role: 'continuous', annotations: POLICY });
    }),
  ),
  fc.constantFrom(0.1, 1, 12, 70).map((seconds) =>
    step(`${seconds} s`, async ({ simulation }) => {
      await simulation.clock.advance(seconds * SECOND);
    }),
  ),
  fc.constant(
    step('watches cut', ({ simulation }) => {
      simulation.server.watches.cut();
    }),
  ),
  fc.constant(
    step('history compacted', ({ simulation }) => {
      simulation.server.watches.cut();
      simulation.server.compact();
    }),
  ),
  fc.constant(
    step('watches silent', ({ simulation }) => {
      simulation.server.watches.silence(true);
      simulation.server.watches.silence(false);
    }),
  ),
  fc.boolean().map((away) =>
    step(`server away ${String(away)}`, ({ simulation: { server } }) => {
      server.faults.away = away;
      if (away) server.watches.cut();
    }),
  ),
  fc.constantFrom(0, 300, 6_000).map((delay) =>
    step(`answers take ${delay} ms`, ({ simulation }) => {
      simulation.server.faults.delay = delay;
    }),
  ),
  fc.tuple(fc.constantFrom<409 | 429 | 500>(409, 429, 500), fc.constantFrom(0, 0.3, 0.8)).map(([code, rate]) =>
    step(`${code} at ${rate}`, ({ simulation }) => {
      simulation.server.faults.refusals = [{ code, rate }];
    }),
  ),
  fc.constant(
    step('killed and started', async (world) => {
      await stopWatcher(world.simulation, world.watcher);
      world.restarts += 1;
      world.watcher = startWatcher(world.simulation, `replica-${world.restarts}`);
    }),
  ),
];

function exists({ store }: Simulation, name: string): boolean {
  return store.get(resourceNamed('nodes'), name) !== undefined;
}

function pulledOf(object: ApiObject | undefined): Fields | undefined {
  return ((object?.status?.conditions ?? []) as Fields[]).find(({ type }) => type === PULLED_CONDITION);
}

/** Each time the condition turns True or False the true state of that moment must allow it; a deadline needs no failing pod. */
function watchForLies({ store, clock }: Simulation): string[] {
  const lies: string[] = [];
  store.history.subscribe(resourceNamed('daemonsets'), ({ object, previous }) => {
    const now = pulledOf(object);
    const before = pulledOf(previous);
    if (now === undefined || now.status === 'Unknown' || now.status === before?.status) return;
    if (['DeadlineExceeded', 'NeverObserved'].includes(now.reason as string)) return;
    const lie = contradicts(now.status as string, store.list(resourceNamed('pods'), NAMESPACE), object);
    if (lie !== undefined) lies.push(`${new Date(clock.now()).toISOString()} ${now.status} ${now.reason}: ${lie}`);
  });
  return lies;
}

/** Healthy over a pod that is at work, or Degraded without any failing pod, can be no verdict on any picture of now. */
function contradicts(status: string, pods: ApiObject[], { metadata }: ApiObject): string | undefined {
  const own = pods.filter((pod) => pod.metadata.ownerReferences?.[0]?.uid === metadata.uid);
  const states = own.map((pod) => (pod.metadata.labels?.state ?? '') as PodState);
  const working = states.filter((one) => ['pulling', 'half', 'busy'].includes(one));
  if (status === 'True' && working.length > 0) return `${working.join()} pods are at work`;
  if (status === 'False' && !states.some((one) => ['missing', 'invalid'].includes(one))) return 'no pod fails';
  return undefined;
}

/** How the story ends on the nodes that are there: as it stands, or in one state everywhere. */
const endings = fc.constantFrom<PodState | 'as it is'>('as it is', 'pulled', 'pulled', 'missing', 'invalid');

/** The network is sound again and nothing changes any more, for longer than every grace and deadline. */
async function settle({ simulation, watcher }: World, ending: PodState | 'as it is'): Promise<void> {
  Object.assign(simulation.server.faults, { away: false, delay: 0, refusals: [] });
  for (const name of NODES) {
    if (ending !== 'as it is' && exists(simulation, name)) simulation.pod('pull', name, ending);
  }
  simulation.observe('pull');
  await simulation.clock.advance(8 * 60 * SECOND);
  await stopWatcher(simulation, watcher);
}

test(`${RUNS} random schedules end with the verdict on the true state`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 30 }), endings, async (schedule, ending) => {
      const simulation = createSimulation();
      for (const name of NODES.slice(0, 3)) simulation.node(name);
      simulation.puller('pull', { role: 'continuous', annotations: POLICY });
      const lies = watchForLies(simulation);
      const world = { simulation, watcher: startWatcher(simulation, 'replica-0'), restarts: 0 };
      await fc.asyncModelRun(() => ({ model: {}, real: world }), schedule);
      await settle(world, ending);
      expect(lies).toEqual([]);
      expect(simulation.condition('pull')).toBe(judgeTruth(simulation, 'pull'));
    }),
    { numRuns: RUNS },
  );
});
