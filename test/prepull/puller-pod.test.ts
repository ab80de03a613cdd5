/** The pod of a puller by method: what runs, with which resources and rights (evidence, H-27). */
import type { V1Container, V1PodSpec, V1SecurityContext } from '@kubernetes/client-node';
import { PULL_METHODS, type PullMethod } from '../../src/api/choices.ts';
import { pullerPod, type PodDesign } from '../../src/prepull/puller-pod.ts';
import type { WantedImage } from '../../src/prepull/wanted-images.ts';

const PAUSE = 'registry.k8s.io/pause:3.10';

function wanted(reference: string, always = false): WantedImage {
  return { reference, written: reference, sources: [], always };
}

const IMAGES = [wanted('r.io/a/one:1'), wanted('r.io/a/two:latest', true), wanted('r.io/a/three@sha256:00')];

function design(method: PullMethod, change: Partial<PodDesign> = {}): PodDesign {
  return {
    method,
    images: IMAGES,
    pauseImage: PAUSE,
    priorityClassName: undefined,
    serviceAccountName: undefined,
    imagePullSecrets: [],
    ...change,
  };
}

function chart(container: Partial<V1Container> = {}, rest: Partial<V1PodSpec> = {}): V1PodSpec {
  return {
    initContainers: [{ name: 'image-pull-singleuser', image: 'r.io/a/one:1', command: ['/bin/true'], ...container }],
    containers: [{ name: 'pause', image: PAUSE, ...container }],
    ...rest,
  };
}

function pulling(pod: V1PodSpec, method: PullMethod): V1Container[] {
  return (method === 'init' ? pod.initContainers : pod.containers)!;
}

describe.each(PULL_METHODS)('pull method %s', (method) => {
  test('names are numbered, valid and the same for container and volume', () => {
    const pod = pullerPod(chart(), design(method));
    const names = ['pull-0-one', 'pull-1-two', 'pull-2-three'];
    expect(pulling(pod, method).map(({ name }) => name)).toEqual(names);
    if (method === 'volume') expect(pod.volumes!.map(({ name }) => name)).toEqual(names);
  });

  test('the pull policy is always said', () => {
    const pod = pullerPod(chart(), design(method));
    const policies =
      method === 'volume'
        ? pod.volumes!.map(({ image }) => image!.pullPolicy)
        : pulling(pod, method).map(({ imagePullPolicy }) => imagePullPolicy);
    expect(policies).toEqual(['IfNotPresent', 'Always', 'IfNotPresent']);
  });

  test('every container has the least rights', () => {
    const pod = pullerPod(chart(), design(method));
    for (const { securityContext } of [...(pod.initContainers ?? []), ...pod.containers])
      expect(securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 65534,
        runAsGroup: 65534,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, terminationGracePeriodSeconds: 0 });
  });

  test('scheduling is the chart’s, references are the design’s', () => {
    const scheduling = {
      nodeSelector: { a: 'b' },
      tolerations: [{ operator: 'Exists' }],
      affinity: {},
      runtimeClassName: 'r',
      topologySpreadConstraints: [],
      securityContext: { fsGroup: 1 },
    };
    const old = {
      priorityClassName: 'old',
      serviceAccountName: 'old',
      serviceAccount: 'old',
      imagePullSecrets: [{ name: 'old' }],
    };
    const bare = pullerPod(chart({}, { ...scheduling, ...old }), design(method));
    expect(bare).toMatchObject(scheduling);
    expect(Object.keys(bare).filter((key) => key in old)).toEqual([]);
    const named = design(method, { priorityClassName: 'p', serviceAccountName: 's', imagePullSecrets: ['x', 'y'] });
    expect(pullerPod(chart({}, old), named)).toMatchObject({
      priorityClassName: 'p',
      serviceAccountName: 's',
      imagePullSecrets: [{ name: 'x' }, { name: 'y' }],
    });
  });
});

describe('commands', () => {
  test('regular containers sleep in the image’s own shell, without a pause container', () => {
    const pod = pullerPod(chart(), design('containers'));
    expect(pod.containers.map(({ command }) => command?.at(-1))).toEqual(IMAGES.map(() => 'exec sleep 2147483647'));
    expect(pod.initContainers).toBeUndefined();
  });

  test('the init chain keeps the chart’s command and main container', () => {
    const pod = pullerPod(chart(), design('init'));
    expect(pod.initContainers!.map(({ command }) => command)).toEqual(IMAGES.map(() => ['/bin/true']));
    const bare = pullerPod({ containers: [{ name: 'pause', image: PAUSE }] }, design('init'));
    expect(bare.initContainers![0]!.command).toEqual(['/bin/sh', '-c', 'echo "Pulling complete"']);
    expect(pod.containers).toHaveLength(1);
  });

  test('another pause image does not get the chart’s program', () => {
    const program = chart(
      {},
      { containers: [{ name: 'pause', image: 'r.io/shell:1', command: ['sleep'], args: ['1'] }] },
    );
    const [pause] = pullerPod(program, design('init')).containers;
    expect(pause).toMatchObject({ name: 'pause', image: PAUSE });
    expect(Object.keys(pause!).filter((key) => key === 'command' || key === 'args')).toEqual([]);
    const kept = pullerPod(program, design('init', { pauseImage: 'r.io/shell:1' })).containers[0];
    expect(kept).toMatchObject({ command: ['sleep'], args: ['1'] });
  });

  test('nothing of an image runs with image volumes', () => {
    const pod = pullerPod(chart(), design('volume'));
    expect(pod.containers.map(({ image, command }) => [image, command])).toEqual(IMAGES.map(() => [PAUSE, undefined]));
    expect(pod.containers.map(({ volumeMounts }) => volumeMounts)).toEqual(
      IMAGES.map((_image, index) => [{ name: pod.volumes![index]!.name, mountPath: '/image', readOnly: true }]),
    );
    expect(pod.volumes!.map(({ image }) => image!.reference)).toEqual(IMAGES.map(({ written }) => written));
  });
});

describe('resources', () => {
  const both = { requests: { cpu: '10m', memory: '8Mi' }, limits: { cpu: '100m', 'ephemeral-storage': '1Gi' } };

  test.each<[string, object, object, object]>([
    ['none', {}, {}, { requests: { cpu: '0', memory: '0' } }],
    ['requests', { requests: { cpu: '10m' } }, { requests: { cpu: '10m' } }, { requests: { cpu: '0', memory: '0' } }],
    [
      'limits',
      { limits: { memory: '64Mi' } },
      { limits: { memory: '64Mi' } },
      { requests: { cpu: '0', memory: '0' }, limits: { memory: '64Mi' } },
    ],
    ['both', both, both, { requests: { cpu: '0', memory: '0', 'ephemeral-storage': '0' }, limits: both.limits }],
  ])('%s: the chart’s requests once a pod, its limits on all', (_what, resources, first, others) => {
    for (const method of ['containers', 'volume'] as const) {
      const { containers } = pullerPod(chart({ resources }), design(method));
      expect(containers.map((container) => container.resources)).toEqual([first, others, others]);
    }
  });

  test('an init chain runs one at a time: the chart’s on each', () => {
    const pod = pullerPod(chart({ resources: both }), design('init'));
    expect([...pod.initContainers!, ...pod.containers].map(({ resources }) => resources)).toEqual([
      both,
      both,
      both,
      both,
    ]);
  });
});

describe('the chart’s security context', () => {
  test.each<[string, V1SecurityContext, object]>([
    ['a user of its own stays', { runAsUser: 1001, runAsGroup: 1001 }, { runAsUser: 1001, runAsGroup: 1001 }],
    ['no user on purpose stays none', { readOnlyRootFilesystem: true }, { readOnlyRootFilesystem: true }],
    ['root does not stay', { runAsUser: 0 }, { runAsUser: 65534 }],
    [
      'rights do not stay',
      { privileged: true, capabilities: { add: ['NET_ADMIN'] }, allowPrivilegeEscalation: true },
      {},
    ],
    ['non-root false does not stay', { runAsNonRoot: false }, {}],
  ])('%s', (_what, securityContext, kept) => {
    expect(pullerPod(chart({ securityContext }), design('containers')).containers[0]!.securityContext).toEqual({
      ...kept,
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    });
  });

  test('a seccomp profile of the chart stays, on container or pod', () => {
    const seccompProfile = { type: 'Localhost', localhostProfile: 'p.json' };
    const own = pullerPod(chart({ securityContext: { seccompProfile } }), design('containers'));
    expect(own.containers[0]!.securityContext!.seccompProfile).toEqual(seccompProfile);
    const pod = pullerPod(chart({}, { securityContext: { seccompProfile } }), design('containers'));
    expect(pod.containers[0]!.securityContext!.seccompProfile).toBeUndefined();
    expect(pod.securityContext!.seccompProfile).toEqual(seccompProfile);
  });
});

test('volumes stay only where the pause container mounts them', () => {
  const volumes = [
    { name: 'mounted', emptyDir: {} },
    { name: 'other', secret: { secretName: 'x' } },
  ];
  const mounts = {
    containers: [{ name: 'pause', image: PAUSE, volumeMounts: [{ name: 'mounted', mountPath: '/m' }] }],
  };
  expect(pullerPod(chart({}, { volumes, ...mounts }), design('init')).volumes).toEqual([volumes[0]]);
  expect(pullerPod(chart({}, { volumes, ...mounts }), design('containers')).volumes).toBeUndefined();
});

test('nulls of a template count as absent', () => {
  const nulls: object = {
    initContainers: null,
    volumes: null,
    securityContext: null,
    imagePullSecrets: null,
  };
  const pod = pullerPod({ ...nulls, containers: [{ name: 'pause', image: PAUSE }] }, design('init'));
  expect(pod.initContainers).toHaveLength(IMAGES.length);
});
