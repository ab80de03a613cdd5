/** How scripted nodes behave: serial pulls, a registry that hangs, nodes that cannot start pods, fill up, die and come back. */
import type { PullRequest } from '../../simulator/node-images.ts';
import { conditionOf } from '../../simulator/pod-conditions.ts';
import type { Fields } from '../../simulator/store.ts';
import { daemonSet, eventsOf, onlyPod, podsOf, START, withCluster } from './fixtures.ts';

const containersOf = (...images: string[]): Fields => ({
  containers: images.map((image, index) => ({ name: `pull-${String(index)}`, image })),
});

const ready = async (cluster: Parameters<typeof podsOf>[0]): Promise<boolean> =>
  conditionOf(await onlyPod(cluster), 'Ready')?.status === 'True';

test('pulls of a node come one after another, those of two nodes at once', async () => {
  const began: string[] = [];
  const registry = ({ node, image, now }: PullRequest) => {
    began.push(`${node} ${image} ${String((now - START) / 1000)}`);
    return { takes: 10_000 };
  };
  await withCluster({ nodes: [{ name: 'a' }, { name: 'b' }], registry }, async (cluster, clock) => {
    await cluster.apply([daemonSet(containersOf('r.test/x:1', 'r.test/y:1'))]);
    await clock.advance(30_000);
    expect(began.sort()).toEqual(['a r.test/x:1 1', 'a r.test/y:1 11', 'b r.test/x:1 1', 'b r.test/y:1 11']);
  });
});

test('a registry that never answers blocks the node for every later pod, also when its pod is gone', async () => {
  const registry = ({ image }: PullRequest) => ({ takes: image === 'r.test/hang:1' ? Infinity : 100 });
  await withCluster({ nodes: [{ name: 'a' }], registry }, async (cluster, clock) => {
    await cluster.apply([daemonSet(containersOf('r.test/hang:1'))]);
    await clock.advance(60_000);
    await cluster.client.delete({ resource: 'daemonsets', namespace: 'default', name: 'hook' });
    await clock.advance(5_000);
    expect(await podsOf(cluster)).toEqual([]);
    await cluster.apply([daemonSet(containersOf('r.test/good:1'))]);
    await clock.advance(600_000);
    expect(await ready(cluster)).toBe(false);
  });
});

test('an image that is there is not pulled, unless the policy is Always: then it is asked for again', async () => {
  const asked: string[] = [];
  const registry = ({ image }: PullRequest) => {
    asked.push(image);
    return { takes: 60_000 };
  };
  const nodes = [{ name: 'a', images: ['r.test/nb:1', 'r.test/nb:latest'] }];
  await withCluster({ nodes, registry }, async (cluster, clock) => {
    await cluster.apply([daemonSet(containersOf('r.test/nb:1', 'r.test/nb:latest'))]);
    await clock.advance(5_000);
    expect(await ready(cluster)).toBe(true);
    expect(asked).toEqual(['r.test/nb:latest']);
  });
});

test('a node that cannot start pods says why and leaves PodReadyToStartContainers False', async () => {
  const nodes = [{ name: 'a', behaviour: { cannotStart: 'network plugin is not ready: cni config uninitialized' } }];
  await withCluster({ nodes }, async (cluster, clock) => {
    await cluster.apply([daemonSet(containersOf('r.test/nb:1'))]);
    await clock.advance(100_000);
    const pod = await onlyPod(cluster);
    expect(conditionOf(pod, 'PodReadyToStartContainers')?.status).toBe('False');
    const message = 'Failed to create pod sandbox: network plugin is not ready: cni config uninitialized';
    expect(await eventsOf(cluster, pod.metadata.name)).toContain(`FailedCreatePodSandBox 9: ${message}`);
    cluster.nodes.behave('a', { cannotStart: undefined });
    await clock.advance(30_000);
    expect(await ready(cluster)).toBe(true);
  });
});

test('a full disk fails every pull; the node says so and is tainted, its puller goes on', async () => {
  await withCluster({ nodes: [{ name: 'a', behaviour: { diskFull: true } }] }, async (cluster, clock) => {
    await cluster.nodes.say('a', 'DiskPressure', 'True');
    await cluster.apply([daemonSet(containersOf('r.test/nb:1'))]);
    await clock.advance(7_000);
    const node = await cluster.client.get({ resource: 'nodes', name: 'a' });
    expect((node.spec?.taints as Fields[]).map(({ key }) => key as string)).toEqual([
      'node.kubernetes.io/disk-pressure',
    ]);
    const [status] = (await onlyPod(cluster)).status?.containerStatuses as Fields[];
    expect(JSON.stringify(status?.state)).toMatch(/ErrImagePull.*no space left on device/);
  });
});

test('a dead node writes nothing more; alive again it takes up its pods', async () => {
  await withCluster({ nodes: [{ name: 'a' }], registry: () => ({ takes: 20_000 }) }, async (cluster, clock) => {
    await cluster.apply([daemonSet(containersOf('r.test/nb:1'))]);
    await clock.advance(5_000);
    cluster.nodes.kill('a');
    const before = await onlyPod(cluster);
    await clock.advance(40_000);
    expect((await onlyPod(cluster)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await cluster.nodes.revive('a');
    await clock.advance(60_000);
    expect(await ready(cluster)).toBe(true);
  });
});

test('with heartbeats a dead node is noticed by its Lease alone', async () => {
  await withCluster({ nodes: [{ name: 'a' }], heartbeats: true }, async (cluster, clock) => {
    await clock.advance(120_000);
    const readiness = async (): Promise<string | undefined> =>
      conditionOf(await cluster.client.get({ resource: 'nodes', name: 'a' }), 'Ready')?.status;
    expect(await readiness()).toBe('True');
    cluster.nodes.kill('a');
    await clock.advance(70_000);
    expect(await readiness()).toBe('Unknown');
  });
});

test('the same script gives the same objects, event by event', async () => {
  const run = async (): Promise<string> => {
    let text = '';
    const registry = ({ attempt }: PullRequest) =>
      attempt === 1 ? { takes: 50, error: 'timeout' as const } : { takes: 50 };
    const nodes = Array.from({ length: 5 }, (_, index) => ({ name: `n${String(index)}`, pods: index }));
    await withCluster({ nodes, registry }, async (cluster, clock) => {
      await cluster.apply([daemonSet(containersOf('r.test/x:1', 'r.test/y:1'))]);
      await clock.advance(120_000);
      text = JSON.stringify([await podsOf(cluster), (await cluster.client.list('events')).items]);
    });
    return text;
  };
  expect(await run()).toBe(await run());
});
