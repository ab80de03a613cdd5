/** How long from the last pod's readiness to the verdict on the puller, by the API server's own clock, with 500 scripted nodes. */
import { loadavg } from 'node:os';
import { until } from '../testbed/until.ts';
import { publish } from './latency-page.ts';
import type { Scene } from './scene.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

const NODES = 500;
const AT_ONCE = 25;
const ROUNDS = 12;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  // One process beats the hearts of all nodes, and may be late with it.
  stage = await startStage('latency', { nodeGrace: '10m' });
  scene = await stage.scene('latency');
  const names = Array.from({ length: NODES }, (_, index) => `n${index}`);
  for (let at = 0; at < NODES; at += AT_ONCE)
    await Promise.all(names.slice(at, at + AT_ONCE).map((n) => scene.join(n)));
}, 180_000);
afterAll(() => stage.stop());

/** Milliseconds from the last word of a node on its pod to the verdict's arrival on the puller. */
function fromPodToVerdict(): number {
  const written = (user: 'nodes' | 'reconciler', resource: string): number[] =>
    stage.plane
      .requestsOf(user)
      .filter((one) => one.resource === resource && one.code === 200)
      .map(({ done }) => done);
  const verdict = Math.max(...written('reconciler', 'daemonsets/status'));
  return verdict - Math.max(...written('nodes', 'pods/status').filter((done) => done <= verdict));
}

async function round(index: number): Promise<number> {
  const name = `hook-${index}`;
  // An image of its own: none is on the nodes yet.
  await scene.puller({ name, images: [`registry.test/lab:${index + 10}`], policy: { 'scheduling-grace': '2m' } });
  expect(await scene.verdict(name, 120_000)).toMatchObject({
    status: 'True',
    message: `${NODES}/${NODES} nodes pulled`,
  });
  const took = fromPodToVerdict();
  await scene.remove(name, 'Foreground');
  const { namespace } = scene;
  await until('its pods are gone', async () => (await scene.client.list('pods', { namespace })).items.length === 0, {
    within: 60_000,
    every: 500,
  });
  return took;
}

test(`last pod ready → condition, ${NODES} nodes`, async () => {
  const [begin = 0] = loadavg();
  const took: number[] = [];
  for (let index = 0; index < ROUNDS; index += 1) took.push(await round(index));
  console.log(`last pod ready → condition with ${NODES} nodes, ms, round by round: ${took.join(' ')}`);
  publish({ nodes: NODES, took, load: [begin, loadavg()[0] ?? 0] });
}, 900_000);
