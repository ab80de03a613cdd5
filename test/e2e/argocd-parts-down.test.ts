/** A part is down: what waits says for what, nothing is lost, and all goes on when it is back. */
import { startReconciler } from '../testbed/reconciler.ts';
import type { Running } from '../testbed/processes.ts';
import { until } from '../testbed/until.ts';
import { terminate } from './argocd-api.ts';
import { hookSaid, pulledFirst, stays, waitsForEver } from './argocd-checks.ts';
import { LAB } from './argocd-hub.ts';
import type { ArgoStage } from './argocd-stage.ts';
import { startArgoStage } from './argocd-stage.ts';
import type { HubScene } from './argocd-scene.ts';

let stage: ArgoStage;
let waiting: HubScene;
let controller: Running | undefined;
beforeAll(async () => {
  stage = await startArgoStage('argocd-parts-down', { reconciler: false });
});
afterAll(async () => {
  await controller?.kill();
  await stage.stop();
});

/** The test, with its timeline kept when it fails. */
function withScene(app: string, play: (scene: HubScene) => Promise<void>): () => Promise<void> {
  return async () => {
    const scene = await stage.scene(app);
    await play(scene).catch((error: unknown) => {
      stage.keep(scene);
      throw error;
    });
  };
}

test(
  '`judge: builtin` needs no controller',
  withScene('builtin', async (scene) => {
    const nodes = [await scene.join('a'), await scene.join('b')];
    await scene.commit('1');
    await scene.apply({ plugin: { judge: 'builtin' } });
    expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
    pulledFirst(scene, nodes);
  }),
);

test(
  'no controller: the sync waits and says for what',
  withScene('waiting', async (scene) => {
    waiting = scene;
    await scene.join('a');
    await scene.commit('1');
    await scene.apply();
    await scene.begin();
    await scene.running('says what it waits for', (_, hook) =>
      hook.includes('is the argocd-prepuller controller running'),
    );
    // Its pod has everything for long.
    await until('the images are there', () => scene.timeline.pulled().size === 1);
    await waitsForEver(scene, 10_000);
  }),
);

/** As docs/operations.md says for those who cannot wait. */
test(
  'no controller, and urgent: once terminated and without a gate the hub changes at once',
  withScene('urgent', async (scene) => {
    await scene.join('a');
    await scene.commit('endless');
    await scene.apply();
    await scene.begin();
    await scene.running('waits for a verdict', (_, hook) => hook.startsWith('no verdict yet'));
    await terminate(stage, scene.name);
    expect(await scene.ended()).toMatchObject({ phase: 'Failed' });
    expect(scene.timeline.hubWrites()).toEqual([]);
    await scene.apply({ plugin: { gate: 'none', judge: 'builtin' } });
    expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
    expect(scene.timeline.hubWrites().length).toBeGreaterThan(0);
  }),
);

test('the controller is back: the same sync goes on', async () => {
  controller = await startReconciler(stage.plane);
  const operation = await waiting.ended();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  expect(hookSaid(waiting, operation)).toBe('1/1 node pulled');
  pulledFirst(waiting, [`${waiting.name}-a`]);
});

/** Its image appears once nobody is there to judge. */
test(
  'the controller goes down while a sync pulls: nothing is let through, and the same sync goes on when it is back',
  withScene('interrupted', async (scene) => {
    const nodes = [await scene.join('a')];
    await scene.commit('missing-yet');
    await scene.apply({ plugin: { 'missing-image-window': '2m' } });
    await scene.begin();
    await scene.running('names what it waits for', (_, hook) => hook.includes(`${LAB}:missing-yet`));
    await controller?.kill();
    scene.registry.publish(`${LAB}:missing-yet`);
    await until('the images are there', () => scene.timeline.pulled().size === 1);
    await waitsForEver(scene, 10_000);
    await scene.running('has the last verdict still', (_, hook) => hook.includes(`${LAB}:missing-yet`));
    controller = await startReconciler(stage.plane);
    const operation = await scene.ended();
    expect(operation).toMatchObject({ phase: 'Succeeded' });
    expect(hookSaid(scene, operation)).toBe('1/1 node pulled');
    pulledFirst(scene, nodes);
  }),
);

test(
  'the sidecar is down: a clear error, nothing is pruned, and the next commit goes through when it is back',
  withScene('sidecar', async (scene) => {
    const nodes = [await scene.join('a')];
    await scene.commit('1');
    await scene.apply({ syncPolicy: { automated: { prune: true, selfHeal: true, allowEmpty: true } } });
    expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
    await scene.atRest();
    const before = await scene.now();
    await stage.argo.killSidecar();
    const revision = await scene.commit('2');
    await scene.refresh('hard');
    const error = await until('the error is shown', async () => {
      const conditions = ((await scene.app()).status?.conditions ?? []) as { type: string; message: string }[];
      return conditions.find(({ type }) => type === 'ComparisonError')?.message;
    });
    expect(error).toContain('could not find cmp-server plugin with name "argocd-prepuller"');
    await stays('nothing is pruned', 10_000, () => Promise.resolve(scene.timeline.hubWrites(before).length === 0));
    await stage.argo.startSidecar();
    await scene.refresh('hard');
    expect(await scene.ended()).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
    pulledFirst(scene, nodes, before);
  }),
);
