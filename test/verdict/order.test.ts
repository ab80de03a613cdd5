/** Where several objects would do, always the same one is taken, in whatever order they come. */
import { event, node, pod, puller, pulledPod, unschedulable, type Raw } from './cluster.ts';
import { lookAt, nodeState } from './look.ts';
import { refused } from './stories.ts';

const bothWays = (head: Raw[], ...tail: Raw[]): Raw[][] => [
  [...head, ...tail],
  [...head, ...tail.reverse()],
];

describe('of two pods of a node', () => {
  const running = (uid: string, created: number): Raw => pulledPod('n1', { uid, created });
  const waiting = (uid: string, created: number): Raw => pod('n1', { uid, created });
  test.each<[string, Raw, Raw, string]>([
    ['the newer counts', running('a', 1), waiting('b', 9), 'pulling'],
    ['the newer counts, whatever its UID', running('b', 1), waiting('a', 9), 'pulling'],
    ['of the same age the later UID', running('a', 1), waiting('b', 1), 'pulling'],
    ['of the same age the later UID, again', running('b', 1), waiting('a', 1), 'pulled'],
  ])('%s', (_, one, other, expected) => {
    for (const objects of bothWays([puller()], one, other))
      expect(nodeState(lookAt(objects, { now: 20 }), 'n1').state).toBe(expected);
  });
  test('a pod without a creation is the oldest', () => {
    const undated = waiting('z', 1);
    delete undated.metadata.creationTimestamp;
    for (const objects of bothWays([puller()], undated, running('a', 1)))
      expect(nodeState(lookAt(objects, { now: 20 }), 'n1').state).toBe('pulled');
  });
});

test('the newest refusal is told, of the same time the first by text', () => {
  const daemonSet = puller({ status: { observedGeneration: 1, desiredNumberScheduled: 1, currentNumberScheduled: 0 } });
  const texts = (...refusals: Raw[]): string[] =>
    bothWays([daemonSet], ...refusals).map(
      (objects) => /forbidden: (\w+)/.exec(lookAt(objects, { now: 100 }).message)?.[1] ?? '',
    );
  expect(texts(refused(daemonSet, 1, 20, 'alpha'), refused(daemonSet, 1, 30, 'beta'))).toEqual(['beta', 'beta']);
  expect(texts(refused(daemonSet, 1, 20, 'alpha'), refused(daemonSet, 1, 20, 'beta'))).toEqual(['alpha', 'alpha']);
  const untimed = event(daemonSet, 'FailedCreate', 'is forbidden: gamma');
  expect(texts(untimed, refused(daemonSet, 1, 20, 'alpha'))).toEqual(['alpha', 'alpha']);
});

test('a refusal is one of this DaemonSet, by UID or by name and namespace', () => {
  const daemonSet = puller({ status: { observedGeneration: 1, desiredNumberScheduled: 1, currentNumberScheduled: 0 } });
  const about = (kind: string, name: string, namespace: string, uid: string): string => {
    const told = { ...refused(daemonSet, 1, 20), involvedObject: { kind, name, namespace, uid } };
    return lookAt([daemonSet, told], { now: 100 }).reason;
  };
  expect(about('DaemonSet', 'hook-image-puller', 'jhub', '')).toBe('PodsRefused');
  expect(about('DaemonSet', 'x', 'x', 'ds')).toBe('PodsRefused');
  expect(about('DaemonSet', 'hook-image-puller', 'jhub', 'before')).toBe('Pulling');
  expect(about('DaemonSet', 'hook-image-puller', 'else', '')).toBe('Pulling');
  expect(about('DaemonSet', 'else', 'jhub', '')).toBe('Pulling');
  expect(about('ReplicaSet', 'hook-image-puller', 'jhub', '')).toBe('Pulling');
  expect(about('ReplicaSet', 'x', 'x', 'ds')).toBe('Pulling');
});

test('an untimed refusal counts when there is no pod, and not beside one', () => {
  const daemonSet = puller({
    desired: 2,
    status: { observedGeneration: 1, desiredNumberScheduled: 2, currentNumberScheduled: 1 },
  });
  const untimed = event(daemonSet, 'FailedCreate', 'is forbidden: gamma');
  const first = lookAt([daemonSet, untimed], { now: 0 });
  expect(lookAt([daemonSet, untimed], { now: 30, facts: first.facts }).reason).toBe('PodsRefused');
  expect(lookAt([daemonSet, untimed, pulledPod('n1')], { now: 30, facts: first.facts }).reason).toBe('Pulling');
});

test('the newest start problem is told, of the same time the first by text', () => {
  const stuck = pod('n1', { sandbox: false });
  const told = (...events: Raw[]): string[] =>
    bothWays([puller(), stuck], ...events).map((objects) =>
      nodeState(lookAt(objects, { now: 90 }), 'n1')
        .message.split(': ')
        .slice(1)
        .join(': '),
    );
  expect(told(event(stuck, 'FailedMount', 'a', 5), event(stuck, 'FailedMount', 'b', 9))).toEqual([
    'FailedMount: b',
    'FailedMount: b',
  ]);
  expect(told(event(stuck, 'FailedMount', 'a', 5), event(stuck, 'FailedMount', 'b', 5))).toEqual([
    'FailedMount: a',
    'FailedMount: a',
  ]);
  expect(told(event(stuck, 'FailedMount', 'a'), event(stuck, 'FailedMount', 'b', 5))).toEqual([
    'FailedMount: b',
    'FailedMount: b',
  ]);
  expect(told(event(stuck, 'NetworkNotReady', 'a', 5))[0]).toBe('NetworkNotReady: a');
  expect(told()[0]).toBe('no pull has begun');
});

const notReady = (name: string): Raw =>
  node(name, {
    ready: 'False',
    readySince: -100,
    taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
  });

test('nodes come by name, those without a pod among the others', () => {
  for (const objects of bothWays(
    [puller({ desired: 2 })],
    pulledPod('b'),
    pulledPod('d'),
    notReady('c'),
    notReady('a'),
    notReady('e'),
  )) {
    expect(lookAt(objects, { now: 20 }).nodes.map((state) => state.node)).toEqual(['a', 'b', 'c', 'd', 'e']);
  }
  for (const objects of bothWays([puller({ desired: 3 })], pulledPod('b'), pulledPod('a'), pod('c'))) {
    expect(lookAt(objects, { now: 20 }).nodes.map((state) => state.node)).toEqual(['a', 'b', 'c']);
  }
});

test('of late nodes without a pod as many as are missing are named, by name', () => {
  const before = lookAt([puller({ desired: 0 })], { now: 0 });
  for (const objects of bothWays(
    [puller({ desired: 2 })],
    node('b', { created: 5 }),
    node('a', { created: 6 }),
    node('c', { created: 7 }),
  )) {
    expect(lookAt(objects, { now: 20, facts: before.facts }).nodes.map((state) => state.node)).toEqual(['a', 'b']);
  }
  const same = [puller({ desired: 1 }), node('a', { created: 0 })];
  expect(lookAt(same, { now: 20, facts: before.facts }).nodes).toEqual([]);
});

test('only the taint of a node that is not ready keeps it out, and only in its NoSchedule form', () => {
  const named = (key: string, effect: string, desired = 0): string[] =>
    lookAt(
      [
        puller({ desired, spec: { tolerations: [{ operator: 'Exists' }] } }),
        node('n1', { ready: 'False', readySince: -100, taints: [{ key, effect }] }),
      ],
      { now: 20 },
    ).nodes.map((state) => `${state.state} ${state.row}`);
  expect(named('node.kubernetes.io/not-ready', 'NoSchedule')).toEqual(['tolerated 8']);
  expect(named('node.kubernetes.io/unreachable', 'NoSchedule')).toEqual(['tolerated 8']);
  expect(named('node.kubernetes.io/not-ready', 'NoExecute')).toEqual([]);
  expect(named('x.node.kubernetes.io/not-ready', 'NoSchedule')).toEqual([]);
  expect(named('node.kubernetes.io/not-ready-yet', 'NoSchedule')).toEqual([]);
});

test('a node left out counts as tolerated at once, with its row, and reckons in no missing pod', () => {
  const fresh = {
    ...notReady('n2'),
    status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-10T12:00:15Z' }] },
  };
  expect(lookAt([puller({ desired: 1 }), pulledPod('n1'), fresh], { now: 20 })).toMatchObject({
    health: 'Healthy',
    counts: { pulled: 1, tolerated: 1 },
    nodes: [{}, { node: 'n2', row: 8, message: 'the node is not ready since 2026-01-10T12:00:15Z: no reason given' }],
  });
});

test('messages: lowest row first, then the most nodes, then by name; five names in all', () => {
  const full = (name: string, text: string): Raw => unschedulable(name, text);
  const objects = [
    full('c', '1 Insufficient cpu'),
    full('a', '1 Too many pods'),
    full('b', '1 Insufficient cpu'),
    full('d', '1 taint'),
    pod('z', { deleted: 1 }),
  ];
  for (const list of bothWays([puller({ desired: 5 })], ...objects)) {
    expect(
      lookAt(list, { now: 90 })
        .message.split(': ')
        .slice(1)
        .join(': ')
        .replaceAll(/: 1 [^;(]*/g, ' '),
    ).toBe(
      'pod puller-z is being deleted since 2026-01-10T12:00:01Z and does not go (on z); the node has too little left for the pod (on 2 nodes: b, c); the node is full (on a); the node has a taint the puller does not tolerate (on d)',
    );
  }
});
