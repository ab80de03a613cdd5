/** How long from the last pod's readiness to the verdict on the puller, by the API server's own clock, with 500 scripted nodes. */
import { until } from '../testbed/until.ts';
import type { Scene } from './scene.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

const NODES = 500;
const AT_ONCE = 25;
const ROUNDS = 6;

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

/** When the last of these writes was answered; nodes say nothing of a pod after it is ready. */
function lastWrite(user: 'nodes' | 'reconciler', resource: string): number {
  const written = stage.plane.requestsOf(user).filter((one) => one.resource === resource && one.code === 200);
  return Math.max(...written.map(({ done }) => done));
}

async function round(index: number): Promise<number> {
  const name = `hook-${index}`;
  // An image of its own: none is on the nodes yet.
  await scene.puller({ name, images: [`registry.test/lab:${index + 10}`], policy: { 'scheduling-grace': '2m' } });
  expect(await scene.verdict(name, 120_000)).toMatchObject({
    status: 'True',
    message: `${NODES}/${NODES} nodes pulled`,
  });
  const took = lastWrite('reconciler', 'daemonsets/status') - lastWrite('nodes', 'pods/status');
  await scene.remove(name, 'Foreground');
  const { namespace } = scene;
  await until('its pods are gone', async () => (await scene.client.list('pods', { namespace })).items.length === 0, {
    within: 60_000,
    every: 500,
  });
  return took;
}

test(`last pod ready → condition, ${NODES} nodes`, async () => {
  const took: number[] = [];
  for (let index = 0; index < ROUNDS; index += 1) took.push(await round(index));
  console.log(`last pod ready → condition with ${NODES} nodes, ms: ${took.sort((a, b) => a - b).join(' ')}`);
  expect(took[0]).toBeGreaterThan(0);
  expect(took.at(-1)).toBeLessThan(2_000);
}, 300_000);
