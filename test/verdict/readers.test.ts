/** Objects as the API server, client-node and fuzzers hand them in. */
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { readEvent, readNode, readPod } from '../../src/verdict/read-pod.ts';
import { after, node, pod, PREFIX, puller, pulledPod, stamp, type Raw } from './cluster.ts';

const time = (seconds: number): number => after(seconds).getTime();

test('a DaemonSet: what rules look at', () => {
  const read = readDaemonSet(puller({ images: ['a:1', 'b:1'], desired: 3, always: true, annotations: { x: 'y' } }));
  expect(read).toMatchObject({
    namespace: 'jhub',
    name: 'hook-image-puller',
    uid: 'ds',
    generation: 1,
    createdAt: time(0),
    deletedAt: undefined,
    role: 'hook',
    component: '',
    imagesLabel: 'digest',
    templateGeneration: '1',
    status: { observedGeneration: 1, desired: 3, current: 3, misscheduled: 0 },
    wanted: [
      { container: 'pull-0', image: 'a:1', init: false, always: true },
      { container: 'pull-1', image: 'b:1', init: false, always: true },
    ],
  });
  expect(read.annotations.get('x')).toBe('y');
});

test.each([[undefined], [null], [7], ['x'], [[]], [{}], [{ metadata: null, spec: 7, status: [] }]])(
  '%j reads as absent',
  (value) => {
    expect(readDaemonSet(value)).toMatchObject({
      name: '',
      generation: 0,
      role: undefined,
      wanted: [],
      conditions: [],
      status: { observedGeneration: undefined, desired: 0 },
    });
    expect(readPod(value)).toMatchObject({
      name: '',
      node: '',
      bound: false,
      containers: [],
      lastTransition: undefined,
    });
    expect(readNode(value)).toMatchObject({ name: '', ready: undefined, cordoned: false, taints: [] });
    expect(readEvent(value)).toMatchObject({ reason: '', first: undefined, last: undefined });
  },
);

test.each([
  ['a role of the future', { labels: { [`${PREFIX}/role`]: 'other' } }, { role: undefined }],
  ['a negative generation', { generation: -1 }, { generation: 0 }],
  ['half a generation', { generation: 1.5 }, { generation: 0 }],
  ['a generation in words', { generation: '1' }, { generation: 0 }],
])('%s is none', (_, metadata, expected) => {
  expect(readDaemonSet({ metadata })).toMatchObject(expected);
});

describe('wanted images', () => {
  const wanted = (spec: Raw): string[] => readDaemonSet(puller({ spec })).wanted.map(({ image }) => image);
  const pause = { name: 'pause', image: 'p:1' };
  test.each<[string, Raw, string[]]>([
    ['init containers and no pause', { initContainers: [{ name: 'a', image: 'a:1' }], containers: [pause] }, ['a:1']],
    [
      'regular containers and no pause',
      { initContainers: [], containers: [{ name: 'a', image: 'a:1' }, pause] },
      ['a:1'],
    ],
    [
      'a main container that is no pause',
      { initContainers: [{ name: 'a', image: 'a:1' }], containers: [{ name: 'b', image: 'b:1' }] },
      ['a:1', 'b:1'],
    ],
    ['the pause alone', { containers: [pause] }, ['p:1']],
    [
      'image volumes, by the container that mounts them',
      {
        containers: [
          { name: 'a', image: 'p:1', volumeMounts: [{ name: 'tmp' }, { name: 'v' }] },
          { name: 'b', image: 'b:1', volumeMounts: [{ name: 'tmp' }] },
          { name: 'c', image: 'c:1' },
          pause,
        ],
        volumes: [
          { name: 'tmp', emptyDir: {} },
          { name: 'v', image: { reference: 'v:1' } },
        ],
      },
      ['v:1', 'b:1', 'c:1'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(wanted(spec)).toEqual(expected);
  });
  test('the pull policy of a volume is its own', () => {
    const spec = (pullPolicy: string): Raw => ({
      containers: [{ name: 'a', image: 'p:1', imagePullPolicy: 'Always', volumeMounts: [{ name: 'v' }] }],
      volumes: [{ name: 'v', image: { reference: 'v:1', pullPolicy } }],
    });
    expect(readDaemonSet(puller({ spec: spec('IfNotPresent') })).wanted[0]?.always).toBe(false);
    expect(readDaemonSet(puller({ spec: spec('Always') })).wanted[0]?.always).toBe(true);
  });
});

describe('a pod', () => {
  test('bound, or only made for a node', () => {
    expect(readPod(pod('n1'))).toMatchObject({ node: 'n1', bound: true });
    expect(readPod(pod('n1', { pending: true }))).toMatchObject({ node: 'n1', bound: false });
    const other = pod('n1', { pending: true });
    other.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key =
      'x';
    expect(readPod(other).node).toBe('');
  });
  test.each([
    [[{ kind: 'DaemonSet', uid: 'a', controller: true }], 'a'],
    [
      [
        { kind: 'Other', uid: 'a' },
        { kind: 'DaemonSet', uid: 'b', controller: true },
      ],
      'b',
    ],
    [
      [
        { kind: 'DaemonSet', uid: 'a' },
        { kind: 'Other', uid: 'b', controller: true },
      ],
      'b',
    ],
    [
      [
        { kind: 'Other', uid: 'b' },
        { kind: 'DaemonSet', uid: 'a' },
      ],
      'a',
    ],
    [[{ kind: 'Other', uid: 'a' }], ''],
  ])('of owners %j', (ownerReferences, uid) => {
    expect(readPod({ metadata: { ownerReferences } }).ownerUid).toBe(uid);
  });
  test('owner, labels, conditions', () => {
    expect(readPod(pulledPod('n1', { created: 5 }))).toMatchObject({
      ownerUid: 'ds',
      imagesLabel: 'digest',
      templateGeneration: '1',
      createdAt: time(5),
      scheduled: { status: 'True', since: time(5) },
      sandbox: { status: 'True', since: time(7) },
      lastTransition: time(7),
    });
  });
  const status = (container: Raw): Raw => readPod(pod('n1', { containers: [container] })).containers[0] as Raw;
  test.each<[string, Raw, Raw]>([
    [
      'running',
      { state: { running: { startedAt: stamp(9) } }, imageID: 'x' },
      { running: true, firstRan: time(9), hasImageId: true, waiting: undefined, failure: undefined },
    ],
    [
      'running again',
      { state: { running: { startedAt: stamp(9) } }, restartCount: 1 },
      { running: true, firstRan: undefined, restarts: 1 },
    ],
    [
      'ended well',
      { state: { terminated: { exitCode: 0, finishedAt: stamp(9) } } },
      { endedWell: true, running: false, firstRan: time(9), failure: undefined },
    ],
    [
      'ended badly',
      { state: { terminated: { exitCode: 3, reason: 'Error' } } },
      { endedWell: false, failure: 'Error (exit code 3)' },
    ],
    ['ended badly, with a text', { state: { terminated: { exitCode: 3, message: 'm' } } }, { failure: 'm' }],
    [
      'ended badly before',
      { lastState: { terminated: { exitCode: 1, message: 'm' } } },
      { endedWell: false, failure: 'm' },
    ],
    ['waiting without a reason', { state: { waiting: {} } }, { waiting: undefined }],
    ['creating', { state: { waiting: { reason: 'ContainerCreating' } } }, { waiting: undefined }],
    [
      'in trouble',
      { state: { waiting: { reason: 'CrashLoopBackOff', message: 'm' } } },
      { waiting: { reason: 'CrashLoopBackOff', message: 'm' } },
    ],
    [
      'null states',
      { state: { running: null, waiting: null, terminated: null }, lastState: null },
      { running: false, endedWell: false, waiting: undefined },
    ],
  ])('container %s', (_, container, expected) => {
    expect(status(container)).toMatchObject(expected);
  });
  test('init and regular containers, by name', () => {
    const raw = pod('n1', { init: true, containers: [{ state: { running: {} } }] });
    expect(readPod(raw).containers.map(({ name, init, running }) => [name, init, running])).toEqual([
      ['pull-0', true, true],
      ['pause', false, false],
    ]);
  });
});

test('a Node', () => {
  expect(
    readNode(
      node('n1', {
        created: 1,
        deleted: 2,
        cordoned: true,
        ready: 'False',
        readySince: 3,
        taints: [{ key: 'k', value: 'v', effect: 'e' }],
      }),
    ),
  ).toMatchObject({
    name: 'n1',
    createdAt: time(1),
    deletedAt: time(2),
    cordoned: true,
    taints: [{ key: 'k', value: 'v', effect: 'e' }],
    ready: { status: 'False', since: time(3), message: 'kubelet said so' },
  });
});
