/** Rows 5 to 9: nodes that take no pod or do not start it. A title opens with the row it proves; docs/rules.md lists them. */
import {
  backOff,
  CREATING,
  event,
  failedPull,
  node,
  NOT_FOUND,
  pod,
  puller,
  running,
  stamp,
  TOO_MANY_PODS,
  unschedulable,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, nodeState } from './look.ts';
import { IMAGE, n1 } from './stories.ts';

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
      message: 'the node is full: 1 Too many pods',
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
    (evicted.status.conditions as Raw[]).push({
      type: 'DisruptionTarget',
      status: 'True',
      lastTransitionTime: stamp(600),
    });
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
  test.each<[string, Parameters<typeof pod>[1], number, string]>([
    ['condition False, within scheduling-grace', { sandbox: false }, 60, 'pulling Waiting 9'],
    ['condition False and no event', { sandbox: false }, 61, 'tolerated CannotStartPods 9'],
    ['never once it is True', { sandbox: true }, 3000, 'pulling InProgress 16'],
    ['no condition and no event', { sandbox: null }, 61, 'tolerated CannotStartPods 9'],
    [
      'no condition, image there',
      { sandbox: null, images: ['x', 'y'], containers: [running(), CREATING] },
      61,
      'pulling InProgress 16',
    ],
    ['not bound', { pending: true, sandbox: null }, 61, 'pulling InProgress 16'],
  ])('row 9: %s', (_, options, now, expected) => {
    expect(n1([puller(options), pod('n1', options)], { now })).toBe(expected);
  });

  // A kubelet writes the condition when the first round of pulls is over, however long that takes.
  test.each([
    ['no condition', null],
    ['condition False', false],
  ])('row 9: %s, but the kubelet says it pulls', (_, sandbox) => {
    const bare = pod('n1', { sandbox });
    const pulling = event(bare, 'Pulling', `Pulling image "${IMAGE}"`, 5);
    expect(n1([puller(), bare, pulling], { now: 3000 })).toBe('pulling InProgress 16');
  });

  test.each([
    ['no condition', null],
    ['condition False', false],
  ])('row 9: %s, and nobody knows the events', (_, sandbox) => {
    expect(n1([puller(), pod('n1', { sandbox })], { now: 61, eventsComplete: false })).toBe('pulling InProgress 16');
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
