/** The first sync into an empty cluster: the images first, then the hub. Beside it the chart alone, which never gets there. */
import { until } from '../../testbed/until.ts';
import { namedCountsAfter, pulledFirst, waitsForEver } from '../argocd-checks.ts';
import type { HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';
import { isHookPod } from '../argocd-timeline.ts';

/** Long enough to tell waiting from being slow: ours is through several times over. */
const FOR_EVER = 30_000;

const PRIORITY = { scheduling: { podPriority: { enabled: true }, userPlaceholder: { enabled: true, replicas: 1 } } };

async function plain(scene: HubScene): Promise<void> {
  const nodes = [await scene.join('a'), await scene.join('b')];
  await scene.commit('slow-1');
  await scene.apply();
  const operation = await scene.sync();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes);
  expect(namedCountsAfter(scene, operation)).toBeLessThan(10_000);
  await leavesNothing(scene);
}

/** The hook and what was made for it alone are gone with the operation. */
async function leavesNothing(scene: HubScene): Promise<void> {
  await until('the hook is gone', async () => {
    const lists = ['daemonsets', 'serviceaccounts', 'secrets', 'pods'].map((resource) =>
      scene.client.list(resource, {
        namespace: scene.name,
        labelSelector: 'argocd-prepuller.github.io/role in (hook, prerequisite)',
      }),
    );
    return (await Promise.all(lists)).every(({ items }) => items.length === 0);
  });
}

async function withPriority(scene: HubScene): Promise<void> {
  const nodes = [await scene.join('a'), await scene.join('b')];
  await scene.commit('1', PRIORITY);
  await scene.apply();
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes);
  const pod = scene.timeline.moments().find(({ object }) => isHookPod(object))!.object;
  expect(pod.spec).toMatchObject({
    priority: expect.any(Number) as number,
    priorityClassName: expect.any(String) as string,
  });
  await leavesNothing(scene);
}

async function privateImages(scene: HubScene): Promise<void> {
  const nodes = [await scene.join('a')];
  const secret = { create: true, registry: 'registry.test', username: 'puller', password: 'not-a-real-password' };
  await scene.commit('1', { imagePullSecret: secret });
  await scene.apply();
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes);
  const moments = scene.timeline.moments();
  const pod = moments.find(({ object }) => isHookPod(object))!;
  const [{ name } = { name: '' }] = pod.object.spec?.imagePullSecrets as { name: string }[];
  const made = moments.find(({ object }) => object.kind === 'Secret' && object.metadata.name === name);
  expect(made?.revision).toBeLessThan(pod.revision);
  // The chart's own is the hub's, and stays.
  expect(await scene.find('secrets', 'image-pull-secret')).toBeDefined();
  await leavesNothing(scene);
}

async function withFullNode(scene: HubScene): Promise<void> {
  const good = await scene.join('good');
  const full = await scene.joinFull('full');
  await scene.commit('1');
  await scene.apply();
  const operation = await scene.sync();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [good]);
  expect(JSON.stringify(operation.syncResult)).toContain(full);
}

async function chartWithPriority(scene: HubScene): Promise<void> {
  await scene.join('a');
  await scene.commit('1', PRIORITY);
  await scene.apply({ plugin: 'none' });
  await scene.begin();
  await until('the pods are refused', () =>
    scene.timeline
      .moments()
      .some(({ object }) => ((object.message as string | undefined) ?? '').includes('no PriorityClass')),
  );
  await waitsForEver(scene, FOR_EVER);
}

async function chartWithFullNode(scene: HubScene): Promise<void> {
  const good = await scene.join('good');
  await scene.joinFull('full');
  await scene.commit('1');
  await scene.apply({ plugin: 'none' });
  await scene.begin();
  await until('the good node has its images', async () => {
    const { status } = (await scene.find('daemonsets', 'hook-image-puller')) ?? {};
    return status?.numberReady === 1 && status.desiredNumberScheduled === 2 && good;
  });
  await waitsForEver(scene, FOR_EVER);
}

export const FIRST_SYNC: readonly HubPlay[] = [
  { name: 'first sync: the images, then and only then the hub', app: 'first-plain', play: plain },
  { name: 'first sync: with pod priority the hook brings its class', app: 'first-priority', play: withPriority },
  {
    name: 'first sync: with private images the pods have their pull Secret',
    app: 'first-private',
    play: privateImages,
  },
  { name: 'first sync: a full node does not hold it', app: 'first-full', play: withFullNode },
  {
    name: 'the chart alone with pod priority: its hook gets no pod, and the sync waits for ever',
    app: 'chart-priority',
    play: chartWithPriority,
  },
  { name: 'the chart alone with a full node: the sync waits for ever', app: 'chart-full', play: chartWithFullNode },
];
