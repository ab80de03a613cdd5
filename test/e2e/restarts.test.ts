/** The controller killed and the API server restarted while pulls go on: late at worst, right in the end, and never wrong before. */
import { startReconciler } from '../testbed/reconciler.ts';
import type { Running } from '../testbed/processes.ts';
import { pause, until } from '../testbed/until.ts';
import { GOOD, MISSING, SLOW } from './images.ts';
import type { Scene } from './scene.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

let stage: Stage;
let controller: Running;
beforeAll(async () => {
  stage = await startStage('restarts');
  controller = stage.reconciler;
});
afterAll(async () => {
  await controller.kill();
  await stage.stop();
});

async function threePullers(name: string): Promise<Scene> {
  const scene = await stage.scene(name);
  await scene.join('a');
  const full = await scene.join('full', { pods: 1 });
  await scene.fill(full);
  await scene.puller({ images: [GOOD, SLOW] });
  await scene.puller({ name: 'failing', images: [MISSING] });
  await scene.puller({ name: 'continuous', role: 'continuous', images: [GOOD] });
  await until('all are judged', async () => {
    const said = await Promise.all([scene.stated(), scene.stated('failing'), scene.stated('continuous')]);
    return said.every((one) => one !== undefined);
  });
  return scene;
}

async function expectRight(scene: Scene): Promise<void> {
  expect(await scene.verdict(undefined, 90_000)).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(await scene.verdict('continuous', 90_000)).toMatchObject({ status: 'True' });
  expect(await scene.verdict('failing', 90_000)).toMatchObject({ status: 'False', reason: 'ImageMissing' });
  await scene.tidy();
}

test('the controller is killed mid-pull; the next one ends it right', async () => {
  const scene = await threePullers('killed');
  await controller.kill();
  controller = await startReconciler(stage.plane);
  await expectRight(scene);
});

test('two controllers, the leader is killed mid-pull; the other takes over', async () => {
  const other = await startReconciler(stage.plane);
  const scene = await threePullers('led');
  await controller.kill();
  controller = other;
  await expectRight(scene);
});

test('the API server is killed mid-pull and comes back; the same controller ends it right', async () => {
  const scene = await threePullers('away');
  await stage.plane.killApiServer();
  await pause(5_000);
  await stage.plane.startApiServer();
  await expectRight(scene);
  expect(controller.isAlive()).toBe(true);
});
