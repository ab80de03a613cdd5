/** What scripted kubelets write, state by state, against what a real kubelet was seen to write. */
import type { Cluster } from '../../simulator/cluster.ts';
import type { StartOutcome } from '../../simulator/container-start.ts';
import type { PullRequest } from '../../simulator/node-images.ts';
import type { PullError } from '../../simulator/pull-errors.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { daemonSet, eventsOf, onlyPod, START, withCluster } from './fixtures.ts';

const NODES = [{ name: 'a' }];

function statusesOf({ status = {} }: ApiObject, list = 'containerStatuses'): Fields[] {
  return (status[list] ?? []) as Fields[];
}

/** `Pending ErrImagePull|running|…`: the phase and each container's state. */
function shape(pod: ApiObject): string {
  const states = [...statusesOf(pod, 'initContainerStatuses'), ...statusesOf(pod)].map(({ state }) => {
    const [[kind, what] = ['none', {}]] = Object.entries(state as Record<string, Fields>);
    return ((what.reason as string | undefined) ?? kind).trim();
  });
  return `${String(pod.status?.phase)} ${states.join('|')}`;
}

/** The pod's shape at these seconds. */
async function shapesAt(
  cluster: Cluster,
  advance: (ms: number) => Promise<void>,
  seconds: number[],
): Promise<string[]> {
  const shapes: string[] = [];
  let now = 0;
  for (const second of seconds) {
    await advance((second - now) * 1000);
    now = second;
    shapes.push(shape(await onlyPod(cluster)));
  }
  return shapes;
}

const one = (image: string, more: Fields = {}) => daemonSet({ containers: [{ name: 'pull-0', image, ...more }] });

test('a pull: ContainerCreating until it is through, then running, with the events of a kubelet', async () => {
  const registry = () => ({ takes: 60_000, bytes: 51_089_715 });
  await withCluster({ nodes: NODES, registry }, async (cluster, clock) => {
    await cluster.apply([one('r.test/nb:1')]);
    const shapes = await shapesAt(cluster, clock.advance, [0.5, 2, 60, 62]);
    expect(shapes).toEqual([
      'Pending ContainerCreating',
      'Pending ContainerCreating',
      'Pending ContainerCreating',
      'Running running',
    ]);
    const pod = await onlyPod(cluster);
    expect(statusesOf(pod)[0]).toMatchObject({ ready: true, started: true, restartCount: 0, lastState: {} });
    expect(statusesOf(pod)[0]?.imageID).toMatch(/^r\.test\/nb@sha256:[0-9a-f]{64}$/);
    expect(await eventsOf(cluster, pod.metadata.name)).toEqual([
      'Scheduled 1: Successfully assigned default/hook-bbbbc to a',
      'Pulling 1: Pulling image "r.test/nb:1"',
      'Pulled 1: Successfully pulled image "r.test/nb:1" in 1m0s (1m0s including waiting). Image size: 51089715 bytes.',
      'Created 1: Created container: pull-0',
      'Started 1: Started container pull-0',
    ]);
  });
});

test('a missing tag: tried at 0, 10, 30, 70 and 150 s, ErrImagePull and ImagePullBackOff in turn', async () => {
  const attempts: number[] = [];
  const registry = ({ now, attempt }: PullRequest) => {
    attempts.push((now - START) / 1000 - 1);
    expect(attempt).toBe(attempts.length);
    return { takes: 0, error: 'missing' as const };
  };
  await withCluster({ nodes: NODES, registry }, async (cluster, clock) => {
    await cluster.apply([one('r.test/nb:none')]);
    const shapes = await shapesAt(cluster, clock.advance, [1.2, 4, 11.2, 14, 31.5, 60]);
    expect(shapes.map((text) => text.replace('Pending ', ''))).toEqual([
      'ErrImagePull',
      'ImagePullBackOff',
      'ErrImagePull',
      'ImagePullBackOff',
      'ErrImagePull',
      'ImagePullBackOff',
    ]);
    await clock.advance(100_000);
    expect(attempts).toEqual([0, 10, 30, 70, 150]);
    const pod = await onlyPod(cluster);
    const cause =
      'rpc error: code = NotFound desc = failed to pull and unpack image "r.test/nb:none": failed to resolve reference "r.test/nb:none": r.test/nb:none: not found';
    expect((statusesOf(pod)[0]?.state as Fields).waiting).toEqual({
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "r.test/nb:none": ErrImagePull: ${cause}`,
    });
    const events = await eventsOf(cluster, pod.metadata.name);
    expect(events).toContain(`Failed 5: Failed to pull image "r.test/nb:none": ${cause}`);
    expect(events).toContain('Failed 5: Error: ErrImagePull');
    expect(events).toContain('BackOff 5: Back-off pulling image "r.test/nb:none"');
  });
});

// [error, what a text of it must hold]
test.each<[PullError, RegExp]>([
  ['missing', /^rpc error: code = NotFound desc = .*: not found$/],
  ['wrongPlatform', /^rpc error: code = NotFound desc = .*: no match for platform in manifest: not found$/],
  ['unauthorized', /failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized$/],
  ['denied', /failed with status code \[manifests 1\]: 403 Forbidden$/],
  ['rateLimited', /pulling from host r\.test failed with status code \[manifests 1\]: 429 Too Many Requests$/],
  ['unavailable', /503 Service Unavailable$/],
  ['refused', /Head "https:\/\/r\.test\/v2\/a\/nb\/manifests\/1": dial tcp .*: connect: connection refused$/],
  ['timeout', /i\/o timeout$/],
  ['unknownHost', /lookup r\.test on .*: no such host$/],
  ['certificate', /x509: certificate signed by unknown authority$/],
  ['diskFull', /no space left on device$/],
])('%s has a text of its own', async (error, text) => {
  await withCluster({ nodes: NODES, registry: () => ({ takes: 0, error }) }, async (cluster, clock) => {
    await cluster.apply([one('r.test/a/nb:1')]);
    await clock.advance(1_500);
    const { waiting } = statusesOf(await onlyPod(cluster))[0]?.state as { waiting: Fields };
    expect(waiting.reason).toBe('ErrImagePull');
    expect(waiting.message).toMatch(text);
  });
});

test('an invalid reference and a Never policy are refused without an attempt', async () => {
  let pulls = 0;
  const registry = () => ({ takes: 0, bytes: (pulls += 1) });
  await withCluster({ nodes: NODES, registry }, async (cluster, clock) => {
    const containers = [
      { name: 'a', image: 'r.test/NB:1+b' },
      { name: 'b', image: 'r.test/nb:1', imagePullPolicy: 'Never' },
    ];
    await cluster.apply([daemonSet({ containers })]);
    await clock.advance(30_000);
    expect(shape(await onlyPod(cluster))).toBe('Pending InvalidImageName|ErrImageNeverPull');
    expect(pulls).toBe(0);
  });
});

test('three containers: one without a shell, one missing, one good; none hides another', async () => {
  const registry = ({ image }: PullRequest) =>
    image.endsWith('none') ? { takes: 100, error: 'missing' as const } : { takes: 100 };
  const startOf = (image: string): StartOutcome => (image.includes('noshell') ? 'noShell' : 'runs');
  await withCluster({ nodes: NODES, registry, startOf }, async (cluster, clock) => {
    const images = ['r.test/noshell:1', 'r.test/nb:none', 'r.test/nb:1'];
    const containers = images.map((image, index) => ({ name: `pull-${String(index)}`, image }));
    await cluster.apply([daemonSet({ containers })]);
    await clock.advance(60_000);
    const pod = await onlyPod(cluster);
    expect(shape(pod)).toBe('Pending CrashLoopBackOff|ImagePullBackOff|running');
    const [first, second, third] = statusesOf(pod);
    expect(first).toMatchObject({ lastState: { terminated: { exitCode: 128, reason: 'StartError' } } });
    expect(first?.restartCount).toBeGreaterThanOrEqual(2);
    expect([first?.imageID, second?.imageID, third?.imageID].map((id) => id !== '')).toEqual([true, false, true]);
  });
});

test('an init chain goes one by one, and one that cannot start blocks all behind it', async () => {
  const startOf = (image: string): StartOutcome => (image.includes('noshell') ? 'noShell' : 'runs');
  const nodes = [{ name: 'a', images: ['r.test/noshell:1', 'r.test/nb:1', 'r.test/pause:1'] }];
  await withCluster({ nodes, startOf }, async (cluster, clock) => {
    const containers = [{ name: 'pause', image: 'r.test/pause:1' }];
    const initContainers = ['r.test/nb:1', 'r.test/noshell:1', 'r.test/nb:1'].map((image, index) => ({
      name: `pull-${String(index)}`,
      image,
    }));
    await cluster.apply([daemonSet({ initContainers, containers })]);
    await clock.advance(60_000);
    const pod = await onlyPod(cluster);
    expect(shape(pod)).toBe('Pending Completed|CrashLoopBackOff|PodInitializing|PodInitializing');
    const initialized = (pod.status?.conditions as Fields[]).find(({ type }) => type === 'Initialized');
    expect(initialized).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [pull-1 pull-2]',
    });
  });
});

test('images that may not run as root are there, though nothing of them was created', async () => {
  const nodes = [{ name: 'a', images: ['r.test/nb:1'] }];
  await withCluster({ nodes, startOf: () => 'runsAsRoot' }, async (cluster, clock) => {
    await cluster.apply([one('r.test/nb:1')]);
    await clock.advance(15_000);
    const pod = await onlyPod(cluster);
    expect(shape(pod)).toBe('Pending CreateContainerConfigError');
    expect(statusesOf(pod)[0]?.imageID).toBe('');
    const [, pulled] = await eventsOf(cluster, pod.metadata.name);
    expect(pulled).toMatch(/^Pulled \d+: Container image "r\.test\/nb:1" already present on machine$/);
  });
});

test('image volumes are pulled first, and who mounts one waits for it', async () => {
  const registry = ({ image }: PullRequest) =>
    image.endsWith('none') ? { takes: 100, error: 'missing' as const } : { takes: 100 };
  await withCluster({ nodes: NODES, registry }, async (cluster, clock) => {
    const volumes = ['r.test/nb:1', 'r.test/nb:none'].map((reference, index) => ({
      name: `image-${String(index)}`,
      image: { reference },
    }));
    const containers = volumes.map(({ name }) => ({
      name,
      image: 'r.test/pause:1',
      volumeMounts: [{ name, mountPath: '/image' }],
    }));
    await cluster.apply([daemonSet({ volumes, containers })]);
    await clock.advance(5_000);
    expect(shape(await onlyPod(cluster))).toBe('Pending running|ImagePullBackOff');
  });
});
