/** Rows 1 to 4: done, late, going, impossible. A title opens with the row it proves; docs/rules.md lists them. */
import {
  CREATING,
  ended,
  event,
  node,
  NOT_FOUND,
  pod,
  pulledPod,
  puller,
  running,
  unschedulable,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, lookOften, nodeState, type Look } from './look.ts';
import { IMAGE, n1, NO_SHELL, one, OTHER } from './stories.ts';

describe('row 1: pulled', () => {
  const present = pod('n1', { containers: [waiting('CreateContainerConfigError', 'image will run as root')] });
  test.each<[string, Raw[], string]>([
    ['container running', one(running()), 'pulled EveryImagePulled 1'],
    ['container ended 0', one(ended(0)), 'pulled EveryImagePulled 1'],
    [
      'ended 0 before, started again',
      one(waiting('CrashLoopBackOff', 'x', { lastState: { terminated: { exitCode: 0 } } })),
      'pulled EveryImagePulled 1',
    ],
    [
      'imageID set though the start failed',
      one(waiting('CrashLoopBackOff', 'x', { imageID: 's', lastState: NO_SHELL })),
      'pulled PulledNotStarted 1',
    ],
    [
      'event Pulled',
      [puller(), present, event(present, 'Pulled', `Container image "${IMAGE}" already present on machine`)],
      'pulled PulledNotStarted 1',
    ],
    [
      'event Pulled of another image proves nothing',
      [puller(), present, event(present, 'Pulled', `Container image "${OTHER}" already present on machine`)],
      'pulling InProgress 16',
    ],
    [
      'event Pulled of another pod proves nothing',
      [
        puller(),
        present,
        event({ kind: 'Pod', metadata: { uid: 'x' } }, 'Pulled', `Container image "${IMAGE}" already present`),
      ],
      'pulling InProgress 16',
    ],
    ['nothing yet', one(CREATING), 'pulling InProgress 16'],
  ])('row 1: %s', (_, objects, expected) => {
    expect(n1(objects, { now: 10 })).toBe(expected);
  });

  test('row 1: every image must be proven', () => {
    const images = [IMAGE, OTHER];
    const half = [puller({ images }), pod('n1', { images, containers: [running(), CREATING] })];
    expect(n1(half, { now: 10 })).toBe('pulling InProgress 16');
    expect(nodeState(lookAt(half, { now: 10 }), 'n1')).toMatchObject({
      image: OTHER,
      message: 'pulling, image 2 of 2',
    });
  });

  const sibling = (options = {}): Raw => pulledPod('n1', { uid: 'other', owner: 'continuous', ...options });
  test.each<[string, Raw, Raw, string]>([
    ['equal images label', puller(), sibling(), 'pulled PulledElsewhere 1'],
    ['never for images pulled Always', puller({ always: true }), sibling(), 'tolerated NodeFull 6'],
    ['other images', puller(), sibling({ label: 'else' }), 'tolerated NodeFull 6'],
    ['other node', puller(), { ...sibling(), spec: { ...sibling().spec, nodeName: 'n2' } }, 'tolerated NodeFull 6'],
    [
      'other namespace',
      puller(),
      { ...sibling(), metadata: { ...sibling().metadata, namespace: 'x' } },
      'tolerated NodeFull 6',
    ],
    ['on its way out', puller(), sibling({ deleted: 5 }), 'tolerated NodeFull 6'],
    ['not proven itself', puller(), pod('n1', { uid: 'other', owner: 'continuous' }), 'tolerated NodeFull 6'],
  ])('row 1: proven by another puller of the namespace: %s', (_, daemonSet, other, expected) => {
    expect(n1([daemonSet, unschedulable('n1'), other], { now: 100 })).toBe(expected);
  });

  test('row 1: the pause image is no wanted image; missing, it is a remark', () => {
    const done = pod('n1', { init: true, containers: [ended()] });
    done.status.containerStatuses = [{ name: 'pause', ...waiting('ErrImagePull', 'pause: not found') }];
    expect(nodeState(lookAt([puller({ init: true }), done], { now: 10 }), 'n1')).toMatchObject({
      state: 'pulled',
      message: 'every image is on the node; the pause image does not start: pause: not found',
    });
  });

  test('row 1: a mounted image volume is what its container proves', () => {
    const spec = {
      containers: [
        { name: 'pull-0', image: 'registry.k8s.io/pause:3.10', volumeMounts: [{ name: 'v' }] },
        { name: 'pause', image: 'p' },
      ],
      volumes: [{ name: 'v', image: { reference: IMAGE, pullPolicy: 'Always' } }],
    };
    const mounting = pod('n1', { containers: [waiting('ErrImagePull', NOT_FOUND())] });
    const objects = [puller({ spec }), { ...mounting, spec: { ...mounting.spec, ...spec } }];
    expect(nodeState(lookAt(objects, { now: 10 }), 'n1')).toMatchObject({ state: 'pulling', image: IMAGE, row: 12 });
  });
});

describe('row 2: late', () => {
  const objects = (joined: Raw, created = 100): Raw[] => [puller(), pod('n1', { created }), joined];
  const looked = (more: Raw[]): string => {
    const verdict = lookOften([puller({ desired: 0 })], [5]);
    return n1(more, { now: 200, facts: verdict.facts });
  };
  test.each<[string, Raw[], string]>([
    ['created after the first look', objects(node('n1', { created: 90 })), 'tolerated Late 2'],
    ['created before', objects(node('n1', { created: 4 })), 'pulling InProgress 16'],
    ['turned Ready after the first look, pod made later', objects(node('n1', { readySince: 95 })), 'tolerated Late 2'],
    ['turned Ready before the first look', objects(node('n1', { readySince: 4 })), 'pulling InProgress 16'],
    [
      'blinked: the pod is older than the last turn to Ready',
      objects(node('n1', { readySince: 95 }), 50),
      'pulling InProgress 16',
    ],
    ['not Ready now', objects(node('n1', { readySince: 195, ready: 'False' })), 'pulling Waiting 8'],
    [
      'an older pod is still there',
      [...objects(node('n1', { readySince: 95 })), pod('n1', { uid: 'b', created: 50, deleted: 60 })],
      'pulling InProgress 16',
    ],
    [
      'late but done',
      [puller(), pulledPod('n1', { created: 100 }), node('n1', { created: 90 })],
      'pulled EveryImagePulled 1',
    ],
  ])('row 2: %s', (_, more, expected) => {
    expect(looked(more)).toBe(expected);
  });
});

describe('rows 3 and 4: nodes that go, nodes that never could', () => {
  test.each<[string, Raw, Partial<Look>, string]>([
    ['row 3: deletionTimestamp', node('n1', { deleted: 5 }), {}, 'tolerated Leaving 3'],
    [
      'row 3: cluster autoscaler',
      node('n1', { taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }] }),
      {},
      'tolerated Leaving 3',
    ],
    [
      'row 3: Karpenter',
      node('n1', { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] }),
      {},
      'tolerated Leaving 3',
    ],
    [
      'row 3: Karpenter before 1.0',
      node('n1', { taints: [{ key: 'karpenter.sh/disruption', value: 'disrupting', effect: 'NoSchedule' }] }),
      {},
      'tolerated Leaving 3',
    ],
    ['row 3: gone', node('n2'), { goneNodes: ['n1'] }, 'tolerated NodeGone 3'],
    ['row 3: an unknown node is not a gone one', node('n2'), {}, 'pulling InProgress 16'],
    [
      'row 4: Fargate',
      node('n1', { labels: { 'eks.amazonaws.com/compute-type': 'fargate' } }),
      {},
      'tolerated VirtualNode 4',
    ],
    ['row 4: virtual kubelet', node('n1', { labels: { type: 'virtual-kubelet' } }), {}, 'tolerated VirtualNode 4'],
    [
      'row 4: virtual kubelet by taint',
      node('n1', { taints: [{ key: 'virtual-kubelet.io/provider', effect: 'NoSchedule' }] }),
      {},
      'tolerated VirtualNode 4',
    ],
    ['row 4: Windows', node('n1', { labels: { 'kubernetes.io/os': 'windows' } }), {}, 'tolerated OtherSystem 4'],
  ])('%s', (_, other, look, expected) => {
    expect(n1([puller(), pod('n1'), other], { now: 10, ...look })).toBe(expected);
  });

  test('row 4: a puller for Windows is for Windows', () => {
    const windows = node('n1', { labels: { 'kubernetes.io/os': 'windows' } });
    const bySelector = puller({ spec: { nodeSelector: { 'kubernetes.io/os': 'windows' } } });
    expect(n1([bySelector, pod('n1'), windows], { now: 10 })).toBe('pulling InProgress 16');
    expect(n1([puller({ spec: { os: { name: 'windows' } } }), pod('n1'), windows], { now: 10 })).toBe(
      'pulling InProgress 16',
    );
  });
});
