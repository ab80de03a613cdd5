/** The rule table, row by row. A title opens with the row it proves; docs/rules.md lists them. */
import {
  backOff,
  CREATING,
  ended,
  event,
  failedPull,
  lookAt,
  lookOften,
  node,
  nodeState,
  NOT_FOUND,
  pod,
  puller,
  pulledPod,
  running,
  stamp,
  successfulPull,
  TOO_MANY_PODS,
  unschedulable,
  waiting,
  type Look,
  type Raw,
} from './cluster.ts';

const IMAGE = 'quay.io/a/nb:1';
const OTHER = 'quay.io/a/other:1';
const REFUSED = 'failed to do request: Head "https://quay.io/v2/": dial tcp 10.0.0.1:443: connect: connection refused';
const NO_SHELL = {
  terminated: { exitCode: 128, reason: 'StartError', message: 'exec: "/bin/sh": no such file or directory' },
};

/** State, reason and row of node n1 in one line. */
function n1(objects: Raw[], look: Look): string {
  const { state, reason, row } = nodeState(lookAt(objects, look), 'n1');
  return `${state} ${reason} ${row}`;
}

const one = (container: Raw, more: Raw[] = [], options = {}): Raw[] => [
  puller(),
  pod('n1', { containers: [container], ...options }),
  ...more,
];

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

describe('row 5: an old pod that does not go', () => {
  const deleted = (second: number): Raw => pod('n1', { deleted: second });
  test.each<[string, Raw[], number, string]>([
    ['within scheduling-grace', [deleted(10)], 69, 'pulling Waiting 5'],
    ['past it', [deleted(10)], 70, 'tolerated OldPodStuck 5'],
    ['a new pod beside it counts', [deleted(10), pod('n1', { uid: 'b', created: 20 })], 70, 'pulling InProgress 16'],
    ['an old pod nobody deleted is pulling', [pod('n1', { label: 'old' })], 70, 'pulling Waiting 16'],
    ['the newest of two', [deleted(10), pod('n1', { uid: 'b', created: 20, deleted: 30 })], 80, 'pulling Waiting 5'],
  ])('row 5: %s', (_, pods, now, expected) => {
    expect(n1([puller(), ...pods], { now })).toBe(expected);
  });
});

describe('row 6: no room', () => {
  test.each<[string, string, number, string]>([
    ['within scheduling-grace', TOO_MANY_PODS, 60, 'pulling Waiting 6'],
    ['pod cap', TOO_MANY_PODS, 61, 'tolerated NodeFull 6'],
    [
      'pod cap in older words',
      '0/4 nodes are available: 1 Insufficient pods, 3 node(s) didn’t match node selector.',
      61,
      'tolerated NodeFull 6',
    ],
    [
      'resources',
      '0/4 nodes are available: 1 Insufficient memory, 3 node(s) didn’t satisfy [NodeAffinity].',
      61,
      'tolerated NoResources 6',
    ],
    ['taint', '0/1 nodes are available: 1 node(s) had untolerated taint {a: b}.', 61, 'tolerated Tainted 6'],
    [
      'affinity',
      '0/1 nodes are available: 1 node(s) didn’t match Pod’s node affinity/selector.',
      61,
      'tolerated NotAffine 6',
    ],
    ['any other word', '0/1 nodes are available: 1 node(s) had volume node conflict.', 61, 'tolerated Unschedulable 6'],
    ['no word', '', 61, 'tolerated Unschedulable 6'],
  ])('row 6: %s', (_, message, now, expected) => {
    expect(n1([puller(), unschedulable('n1', message)], { now })).toBe(expected);
  });

  test('row 6: a scheduling gate is no lack of room', () => {
    const gated = pod('n1', {
      pending: true,
      containers: [{}],
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    });
    expect(n1([puller(), gated], { now: 100 })).toBe('pulling InProgress 16');
  });

  test('row 6: says when, what the scheduler said without its preemption talk, and what to do', () => {
    expect(nodeState(lookAt([puller(), unschedulable('n1')], { now: 61 }), 'n1')).toMatchObject({
      message:
        "the scheduler does not place the pod: 0/4 nodes are available: 1 Too many pods, 3 node(s) didn't satisfy plugin(s) [NodeAffinity]",
      fix: 'Make room on the node, or keep the puller off it with a node selector.',
      since: Date.parse(stamp(1)),
    });
  });
});

describe('row 7: turned away', () => {
  const rejected = (reason: string, created = 1, uid = 'a'): Raw =>
    pod('n1', {
      uid,
      created,
      containers: [{}],
      sandbox: null,
      status: { phase: 'Failed', reason, message: 'Node was full' },
    });
  test.each([
    ['OutOfpods', 30, 'pulling Waiting 7'],
    ['OutOfpods', 31, 'tolerated Rejecting 7'],
    ['OutOfcpu', 31, 'tolerated Rejecting 7'],
    ['Evicted', 31, 'tolerated Rejecting 7'],
    ['NodeAffinity', 31, 'tolerated Rejecting 7'],
    ['Preempting', 31, 'tolerated Rejecting 7'],
  ])('row 7: %s at second %i', (reason, now, expected) => {
    expect(n1([puller(), rejected(reason)], { now })).toBe(expected);
  });

  test('row 7: a pod evicted late is not turned away since its creation', () => {
    const evicted = rejected('Evicted');
    evicted.status.conditions.push({ type: 'DisruptionTarget', status: 'True', lastTransitionTime: stamp(600) });
    expect(n1([puller(), evicted], { now: 629 })).toBe('pulling Waiting 7');
    expect(n1([puller(), evicted], { now: 630 })).toBe('tolerated Rejecting 7');
  });

  test('row 7: replaced again and again, the new pod does not begin anew', () => {
    const first = lookAt([puller(), rejected('OutOfpods')], { now: 2 });
    const fresh = pod('n1', { uid: 'b', created: 32, containers: [{}], sandbox: null });
    expect(n1([puller(), fresh], { now: 33, facts: first.facts })).toBe('tolerated Rejecting 7');
  });

  const NO_SPACE = 'failed to copy: write /var/lib/containerd/x: no space left on device';
  test.each([
    [30, 'pulling Waiting 7'],
    [50, 'tolerated DiskFull 7'],
  ])('row 7: disk full, at second %i', (now, expected) => {
    const full = pod('n1', { containers: [waiting('ErrImagePull', NO_SPACE)] });
    expect(n1([puller(), full, failedPull(full, NO_SPACE, 20)], { now })).toBe(expected);
  });
});

describe('row 8: not ready', () => {
  test.each<[string, Raw, number, string]>([
    ['within scheduling-grace', node('n1', { ready: 'False', readySince: 10 }), 69, 'pulling Waiting 8'],
    ['past it', node('n1', { ready: 'False', readySince: 10 }), 70, 'tolerated NodeNotReady 8'],
    ['unknown is not ready', node('n1', { ready: 'Unknown', readySince: 10 }), 70, 'tolerated NodeNotReady 8'],
    ['Ready', node('n1'), 70, 'pulling InProgress 16'],
    ['no such condition', { ...node('n1'), status: {} }, 70, 'pulling InProgress 16'],
  ])('row 8: %s', (_, broken, now, expected) => {
    expect(n1([puller(), pod('n1'), broken], { now })).toBe(expected);
  });

  test('row 8: dead for long, an old pod of it makes no new grace', () => {
    const objects = [puller(), pod('n1', { deleted: 100 }), node('n1', { ready: 'Unknown', readySince: -5000 })];
    expect(n1(objects, { now: 101 })).toBe('tolerated NodeNotReady 8');
  });

  test('row 8: a failing pull on a node that just went away waits for its grace', () => {
    const failing = pod('n1', { containers: [backOff(IMAGE, NOT_FOUND())] });
    const objects = [
      puller(),
      failing,
      failedPull(failing, NOT_FOUND(), 5, 155),
      node('n1', { ready: 'Unknown', readySince: 170 }),
    ];
    expect(n1(objects, { now: 180 })).toBe('pulling Waiting 8');
  });
});

describe('row 9: the node does not start the pod', () => {
  test.each<[string, Parameters<typeof pod>[1], Raw[], number, string]>([
    ['condition False, within scheduling-grace', { sandbox: false }, [], 60, 'pulling Waiting 9'],
    ['condition False', { sandbox: false }, [], 61, 'tolerated CannotStartPods 9'],
    ['never once it is True', { sandbox: true }, [], 3000, 'pulling InProgress 16'],
    ['no condition and no event', { sandbox: null }, [], 61, 'tolerated CannotStartPods 9'],
    [
      'no condition, image there',
      { sandbox: null, images: ['x', 'y'], containers: [running(), CREATING] },
      [],
      61,
      'pulling InProgress 16',
    ],
    ['not bound', { pending: true, sandbox: null }, [], 61, 'pulling InProgress 16'],
  ])('row 9: %s', (_, options, more, now, expected) => {
    expect(n1([puller(options), pod('n1', options), ...more], { now })).toBe(expected);
  });

  test('row 9: no condition, but the kubelet says it pulls', () => {
    const old = pod('n1', { sandbox: null });
    expect(n1([puller(), old, event(old, 'Pulling', `Pulling image "${IMAGE}"`, 5)], { now: 61 })).toBe(
      'pulling InProgress 16',
    );
  });

  test('row 9: no condition, and nobody knows the events', () => {
    expect(n1([puller(), pod('n1', { sandbox: null })], { now: 61, eventsComplete: false })).toBe(
      'pulling InProgress 16',
    );
  });

  test('row 9: events that expired prove nothing, unless the silence was noticed in time', () => {
    const objects = [puller(), pod('n1', { sandbox: null })];
    expect(n1(objects, { now: 3301 })).toBe('pulling InProgress 16');
    const noticed = lookAt(objects, { now: 61 });
    expect(n1(objects, { now: 3301, facts: noticed.facts })).toBe('tolerated CannotStartPods 9');
  });

  test('row 9: names the newest problem and the cordon', () => {
    const stuck = pod('n1', { sandbox: false });
    const objects = [
      puller(),
      stuck,
      node('n1', { cordoned: true }),
      event(stuck, 'FailedMount', 'MountVolume failed', 5, 10),
      event(stuck, 'FailedCreatePodSandBox', 'network plugin\nis not ready', 6, 50),
      event(stuck, 'Scheduled', 'assigned', 55),
    ];
    expect(nodeState(lookAt(objects, { now: 61 }), 'n1').message).toBe(
      'the node does not start the pod (it is cordoned): FailedCreatePodSandBox: network plugin is not ready',
    );
  });
});

const NO_MATCH = `rpc error: code = NotFound desc = failed to pull and unpack image "${IMAGE}": no match for platform in manifest: not found`;

describe('row 10: another platform', () => {
  const arm = (name: string, last = 155): Raw[] => {
    const rejecting = pod(name, { containers: [backOff(IMAGE, NO_MATCH)] });
    return [rejecting, failedPull(rejecting, NO_MATCH, 5, last)];
  };
  test.each<[string, Raw[], number, string]>([
    ['another node has it', [pulledPod('n2'), ...arm('n1')], 10, 'tolerated NoBuildForNode 10'],
    ['another node is still pulling', [pod('n2'), ...arm('n1')], 10, 'tolerated NoBuildForNode 10'],
    ['every node rejects it, within the window', [...arm('n2', 70), ...arm('n1', 70)], 80, 'pulling Retrying 10'],
    ['every node rejects it, tried again after the window', [...arm('n2'), ...arm('n1')], 156, 'failed NoBuild 10'],
    [
      'a node that never could does not count',
      [...arm('n1'), ...arm('n2'), pod('n3'), node('n3', { labels: { type: 'virtual-kubelet' } })],
      156,
      'failed NoBuild 10',
    ],
  ])('row 10: %s', (_, more, now, expected) => {
    expect(n1([puller({ desired: 2 }), ...more], { now })).toBe(expected);
  });

  test('row 10: settles a node only when its other images are done', () => {
    const images = [IMAGE, OTHER];
    const both = (second: Raw): Raw[] => [
      puller({ images, desired: 2 }),
      pulledPod('n2', { images }),
      pod('n1', { images, containers: [waiting('ErrImagePull', NO_MATCH), second] }),
    ];
    expect(n1(both(CREATING), { now: 10 })).toBe('pulling InProgress 16');
    expect(n1(both(running()), { now: 10 })).toBe('tolerated NoBuildForNode 10');
  });
});

describe('row 11: blocked behind an init container', () => {
  const images = [IMAGE, OTHER];
  const chain = (first: Raw, more: Raw[] = []): Raw[] => [
    puller({ images, init: true, desired: 2 }),
    pod('n1', { images, init: true, containers: [first, CREATING] }),
    ...more,
  ];
  const crashing = (restartCount: number): Raw =>
    waiting('CrashLoopBackOff', 'back-off', { imageID: 's', restartCount, lastState: NO_SHELL });
  test.each<[string, Raw, string]>([
    ['after its second restart', crashing(2), 'tolerated Blocked 11'],
    ['before that', crashing(1), 'pulling InProgress 16'],
    ['ended well after restarts', { ...ended(0), restartCount: 3 }, 'pulling InProgress 16'],
    ['running after restarts', { ...running(), restartCount: 3 }, 'pulling InProgress 16'],
    [
      'refused for its configuration',
      waiting('CreateContainerConfigError', 'image will run as root', { imageID: 's' }),
      'tolerated Blocked 11',
    ],
    ['refused, image not proven', waiting('CreateContainerConfigError', 'no such config map'), 'pulling InProgress 16'],
  ])('row 11: %s', (_, first, expected) => {
    expect(n1(chain(first), { now: 60 })).toBe(expected);
  });

  test('row 11: behind one that no platform matches', () => {
    const other = pulledPod('n2', { images, init: true });
    expect(nodeState(lookAt(chain(waiting('ErrImagePull', NO_MATCH), [other]), { now: 60 }), 'n1')).toMatchObject({
      state: 'tolerated',
      row: 10,
    });
  });

  test('row 11: names the container and the way out', () => {
    expect(nodeState(lookAt(chain(crashing(2)), { now: 60 }), 'n1')).toMatchObject({
      image: OTHER,
      message: 'init container pull-0 before it cannot start',
      fix: 'Use pull-method: containers, where no image waits for another.',
    });
  });

  test('row 11: regular containers block nobody', () => {
    const objects = [puller({ images }), pod('n1', { images, containers: [crashing(5), CREATING] })];
    expect(n1(objects, { now: 60 })).toBe('pulling InProgress 16');
  });
});

describe('rows 12 and 13: refused', () => {
  const UNAUTHORIZED = 'failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized';
  const failing = (text: string, first: number, last: number): Raw[] => {
    const stuck = pod('n1', { containers: [backOff(IMAGE, text)] });
    return [puller({ desired: 2 }), stuck, failedPull(stuck, text, first, last)];
  };
  test.each<[string, Raw[], number, string]>([
    ['row 12: missing, newest attempt within the window', failing(NOT_FOUND(), 5, 75), 130, 'pulling Retrying 12'],
    ['row 12: missing, tried again after the window', failing(NOT_FOUND(), 5, 155), 156, 'failed ImageMissing 12'],
    [
      'row 12: missing, long after but not tried again for all we know',
      failing(NOT_FOUND(), 5, 75),
      300,
      'pulling Retrying 12',
    ],
    [
      'row 12: missing, the kubelet must have tried again',
      failing(NOT_FOUND(), 5, 75),
      75 + 360,
      'failed ImageMissing 12',
    ],
    [
      'row 12: invalid, at once',
      one(waiting('InvalidImageName', 'invalid reference format')),
      3,
      'failed ImageInvalid 12',
    ],
    [
      'row 12: never pulled, at once',
      one(waiting('ErrImageNeverPull', 'not present with pull policy of Never')),
      3,
      'failed ImageNeverPulled 12',
    ],
    ['row 13: credentials, within the window', failing(UNAUTHORIZED, 5, 75), 80, 'pulling Retrying 13'],
    ['row 13: credentials', failing(UNAUTHORIZED, 5, 155), 156, 'failed CredentialsRefused 13'],
    [
      'row 13: certificate',
      failing('tls: failed to verify certificate: x509: certificate signed by unknown authority', 5, 155),
      156,
      'failed RegistrySetup 13',
    ],
    [
      'row 13: plain HTTP',
      failing('http: server gave HTTP response to HTTPS client', 5, 155),
      156,
      'failed RegistrySetup 13',
    ],
    [
      'row 13: unknown host',
      failing('dial tcp: lookup nowhere.example on 10.0.0.10:53: no such host', 5, 155),
      156,
      'failed RegistrySetup 13',
    ],
  ])('%s', (_, objects, now, expected) => {
    expect(n1(objects, { now })).toBe(expected);
  });

  test('row 12: one failed image settles the node while others are on their way', () => {
    const images = [IMAGE, OTHER];
    const stuck = pod('n1', { images, containers: [backOff(IMAGE, NOT_FOUND()), CREATING] });
    expect(n1([puller({ images }), stuck, failedPull(stuck, NOT_FOUND(), 5, 155)], { now: 156 })).toBe(
      'failed ImageMissing 12',
    );
  });

  test('row 12: while another image of the pod is pulled, only an attempt that was seen counts', () => {
    const images = [IMAGE, OTHER];
    const stuck = pod('n1', { images, containers: [backOff(IMAGE, NOT_FOUND()), CREATING] });
    const objects = [puller({ images }), stuck, failedPull(stuck, NOT_FOUND(), 5, 75)];
    expect(n1(objects, { now: 3000 })).toBe('pulling Retrying 12');
  });

  const other = pulledPod('n2');
  test.each<[string, Raw[], string]>([
    ['another node pulled it from the registry', [other, successfulPull(other)], 'tolerated OwnWayBroken 12'],
    [
      'another node had it already',
      [other, event(other, 'Pulled', `Container image "${IMAGE}" already present on machine`, 5)],
      'failed ImageMissing 12',
    ],
    ['another node has it, nobody saw from where', [other], 'failed ImageMissing 12'],
  ])('row 12: %s', (_, more, expected) => {
    expect(n1([...failing(NOT_FOUND(), 5, 155), ...more], { now: 156 })).toBe(expected);
  });

  test('row 12: what a node pulled under this puller is remembered when the event is gone', () => {
    const seen = lookAt([...failing(NOT_FOUND(), 5, 75), other, successfulPull(other)], { now: 80 });
    expect(n1([...failing(NOT_FOUND(), 5, 155), other], { now: 156, facts: seen.facts })).toBe(
      'tolerated OwnWayBroken 12',
    );
  });

  test('row 12: with pull policy Always, a node that has it asked the registry', () => {
    const stuck = pod('n1', { always: true, containers: [backOff(IMAGE, NOT_FOUND())] });
    const objects = [
      puller({ desired: 2, always: true }),
      stuck,
      failedPull(stuck, NOT_FOUND(), 5, 155),
      pulledPod('n2', { always: true }),
    ];
    expect(n1(objects, { now: 156 })).toBe('tolerated OwnWayBroken 12');
  });
});

describe('rows 14 to 16: on its way', () => {
  const unreachable = (first: number): Raw[] => {
    const stuck = pod('n1', { containers: [backOff(IMAGE, REFUSED)] });
    return [puller({ desired: 2 }), stuck, failedPull(stuck, REFUSED, first, 200)];
  };
  test.each<[string, Raw[], number, string]>([
    [
      'row 14: connection errors past network-grace, another node has it',
      [...unreachable(5), pulledPod('n2')],
      305,
      'tolerated RegistryUnreachable 14',
    ],
    ['row 14: within network-grace', [...unreachable(5), pulledPod('n2')], 304, 'pulling Retrying 15'],
    ['row 14: no node has it', [...unreachable(5), pod('n2')], 3000, 'pulling Retrying 15'],
    [
      'row 15: rate limit, whoever has it',
      [pulledPod('n2'), ...one(waiting('ErrImagePull', 'unexpected status code [manifests 1]: 429 Too Many Requests'))],
      3000,
      'pulling Retrying 15',
    ],
    ['row 15: unknown text', one(waiting('ErrImagePull', 'the moon is in the way')), 3000, 'pulling Retrying 15'],
    ['row 15: cause hidden and no event', one(backOff(IMAGE)), 3000, 'pulling Retrying 15'],
    ['row 16: a 59 minute pull shows nothing', one(CREATING), 3540, 'pulling InProgress 16'],
    ['row 16: the init chain waits', one(waiting('PodInitializing')), 10, 'pulling InProgress 16'],
  ])('%s', (_, objects, now, expected) => {
    expect(n1(objects, { now })).toBe(expected);
  });
});

describe('the deadline of a node', () => {
  test.each([
    ['fail', 'failed DeadlineExceeded 16'],
    ['tolerate', 'tolerated DeadlineExceeded 16'],
  ] as const)('on-deadline: %s', (onDeadline, expected) => {
    expect(n1(one(CREATING), { now: 3602, policy: { onDeadline } })).toBe('pulling InProgress 16');
    expect(n1(one(CREATING), { now: 3603, policy: { onDeadline } })).toBe(expected);
  });

  test('one more image proven is progress', () => {
    const images = [IMAGE, OTHER];
    const objects = [puller({ images }), pod('n1', { images, containers: [running(1000), CREATING] })];
    expect(n1(objects, { now: 4599 })).toBe('pulling InProgress 16');
    expect(n1(objects, { now: 4600 })).toBe('failed DeadlineExceeded 16');
  });

  test('an image whose container cannot run is progress when it is first seen', () => {
    const images = [IMAGE, OTHER];
    const crashing = waiting('CrashLoopBackOff', 'x', { imageID: 's', restartCount: 9, lastState: NO_SHELL });
    const before = lookAt([puller({ images }), pod('n1', { images })], { now: 5 });
    const after = [puller({ images }), pod('n1', { images, containers: [crashing, CREATING] })];
    const seen = lookAt(after, { now: 2000, facts: before.facts });
    const again = lookAt(after, { now: 5599, facts: seen.facts });
    expect(nodeState(again, 'n1').state).toBe('pulling');
    expect(n1(after, { now: 5600, facts: again.facts })).toBe('failed DeadlineExceeded 16');
  });

  test('retries are no progress', () => {
    const stuck = pod('n1', { containers: [backOff(IMAGE, REFUSED)] });
    expect(n1([puller(), stuck, failedPull(stuck, REFUSED, 5, 3500)], { now: 3603 })).toBe(
      'failed DeadlineExceeded 15',
    );
  });
});
