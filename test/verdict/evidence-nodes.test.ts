/** What people hit with nodes (evidence H-01 to H-13, H-34 on, P, F1), one test each, by its number. */
import { IMAGES_LABEL } from '../../src/api/names.ts';
import { backOff, failedPull, node, pod, puller, pulledPod, unschedulable, type Raw } from './cluster.ts';
import { lookAt, lookOften, nodeState } from './look.ts';
import { refused } from './stories.ts';

const IMAGE = 'quay.io/a/nb:1';
const pulledNodes = (count: number): Raw[] => Array.from({ length: count }, (_, index) => pulledPod(`p${index}`));

test('H-01: a node at its pod cap is waited for in its grace, then named; strict makes it a failure', () => {
  const objects = [puller({ desired: 4 }), ...pulledNodes(3), unschedulable('x')];
  expect(lookAt(objects, { now: 60 }).health).toBe('Progressing');
  expect(lookAt(objects, { now: 61 })).toMatchObject({
    health: 'Healthy',
    message: expect.stringMatching(/^3\/4 nodes pulled, 1 tolerated: .*Too many pods.*\(on x\)$/),
  });
  expect(lookAt(objects, { now: 61, policy: { strict: true } })).toMatchObject({
    health: 'Degraded',
    message: expect.stringContaining('Too many pods'),
  });
});

test('H-03: four pods rejected one after the other are one tolerated node, not four failures', () => {
  const rejected = (created: number): Raw =>
    pod('x', {
      uid: `pod-${created}`,
      created,
      containers: [{}],
      sandbox: null,
      status: { phase: 'Failed', reason: 'OutOfpods' },
    });
  let facts = lookAt([puller({ desired: 2 }), ...pulledNodes(1)], { now: 0 }).facts;
  for (const created of [1, 11, 21, 31]) {
    facts = lookAt([puller({ desired: 2 }), ...pulledNodes(1), rejected(created)], { now: created + 1, facts }).facts;
    facts = lookAt([puller({ desired: 2 }), ...pulledNodes(1)], { now: created + 2, facts }).facts;
  }
  const last = facts.pullers.get('ds')?.final;
  expect(last).toMatchObject({
    health: 'Healthy',
    message: expect.stringMatching(/^1\/2 nodes pulled, 1 tolerated: .*OutOfpods/),
  });
});

test('H-04: a cordoned node that works counts, one that does not is tolerated with its cordon named', () => {
  const cordoned = node('x', { cordoned: true });
  expect(nodeState(lookAt([puller(), pulledPod('x'), cordoned], { now: 90 }), 'x').state).toBe('pulled');
  expect(nodeState(lookAt([puller(), pod('x', { sandbox: false }), cordoned], { now: 90 }), 'x')).toMatchObject({
    state: 'tolerated',
    message: expect.stringContaining('cordoned'),
  });
});

test('H-05: 3 of 100 nodes unknown: Healthy 97/100, names cut to some and a number', () => {
  const dead = ['a', 'b', 'c'].flatMap((name) => [pod(name), node(name, { ready: 'Unknown', readySince: 0 })]);
  const verdict = lookAt([puller({ desired: 100 }), ...pulledNodes(97), ...dead], { now: 60 });
  expect(verdict).toMatchObject({
    health: 'Healthy',
    counts: { pulled: 97, tolerated: 3 },
    message: expect.stringMatching(/\(on 3 nodes: a, b, c\)$/),
  });
});

test('H-05: all nodes NotReady: Healthy and named, unless min-pulled says otherwise', () => {
  const objects = [puller(), pod('x'), node('x', { ready: 'False', readySince: 0 })];
  expect(lookAt(objects, { now: 90 }).health).toBe('Healthy');
  expect(lookAt(objects, { now: 90, policy: { minPulled: { percent: 1 } } }).health).toBe('Degraded');
});

test('H-06: a pod that is Terminating for 20 minutes is neither pulled nor failed', () => {
  const objects = [puller(), pulledPod('x', { deleted: 10 }), node('x', { ready: 'Unknown', readySince: 0 })];
  expect(nodeState(lookAt(objects, { now: 1210 }), 'x').state).toBe('tolerated');
});

test('H-08: virtual nodes are left aside: 3 of 5', () => {
  const fargate = ['f1', 'f2'].flatMap((name) => [
    unschedulable(name),
    node(name, { labels: { 'eks.amazonaws.com/compute-type': 'fargate' } }),
  ]);
  const verdict = lookAt([puller({ desired: 5 }), ...pulledNodes(3), ...fargate], { now: 5, policy: { strict: true } });
  expect(verdict).toMatchObject({
    health: 'Healthy',
    message: expect.stringMatching(/^3\/5 nodes pulled, 2 tolerated/),
  });
});

test('H-10: no node at all is Healthy with a reason of its own', () => {
  expect(lookAt([puller({ desired: 0 })], { now: 5 })).toMatchObject({ health: 'Healthy', reason: 'NoEligibleNodes' });
});

test('H-11: nodes that join during the hook are left to the continuous puller', () => {
  const begun = lookAt([puller({ desired: 3 }), ...pulledNodes(2), pod('p2')], { now: 5 });
  const late = ['l1', 'l2'].flatMap((name) => [pod(name, { created: 40 }), node(name, { created: 30 })]);
  const verdict = lookAt([puller({ desired: 5 }), ...pulledNodes(3), ...late], { now: 50, facts: begun.facts });
  expect(verdict).toMatchObject({
    health: 'Healthy',
    message: expect.stringContaining('left to the continuous puller'),
  });
});

test('H-12: unschedulable at second 9, scheduled at 20: still waited for', () => {
  const first = lookAt([puller(), unschedulable('x', 'full', 9)], { now: 15 });
  const verdict = lookAt([puller(), pod('x', { created: 9 })], { now: 90, facts: first.facts });
  expect(nodeState(verdict, 'x').state).toBe('pulling');
});

test('H-13: nothing pulled is a failure only when min-pulled asks for something', () => {
  const objects = [puller({ desired: 4 }), ...['a', 'b', 'c', 'd'].map((name) => unschedulable(name))];
  expect(lookAt(objects, { now: 61 }).health).toBe('Healthy');
  expect(lookAt(objects, { now: 61, policy: { minPulled: { nodes: 1 } } })).toMatchObject({
    health: 'Degraded',
    reason: 'TooFewPulled',
  });
});

test.each([
  ['absent', undefined],
  ['null', null],
  ['empty', {}],
  ['zeros', { desiredNumberScheduled: 0, numberReady: 0 }],
])('H-34: status %s is Progressing', (_, status) => {
  expect(lookAt([{ ...puller(), status }], { now: 1 }).health).toBe('Progressing');
});

test('H-35: ready pods of the old template do not count', () => {
  const old = ['a', 'b', 'c'].map((name) => pulledPod(name, { label: 'old', deleted: 40 }));
  const fresh = ['a', 'b', 'c'].map((name) =>
    pod(name, { uid: `new-${name}`, created: 41, label: 'new', templateGeneration: '2' }),
  );
  const daemonSet = puller({ desired: 3, generation: 2, label: 'new' });
  expect(daemonSet.spec.template.metadata.labels[IMAGES_LABEL]).toBe('new');
  expect(lookAt([daemonSet, ...old, ...fresh], { now: 50 })).toMatchObject({
    health: 'Progressing',
    counts: { pulled: 0, pulling: 3 },
  });
});

test('H-39: each node that finishes moves the number', () => {
  const at = (done: number): string => {
    const pods = ['a', 'b', 'c'].map((name, index) => (index < done ? pulledPod(name) : pod(name)));
    return lookAt([puller({ desired: 3 }), ...pods], { now: 50 }).message.split(' ')[0] ?? '';
  };
  expect([0, 1, 2, 3].map(at)).toEqual(['0/3', '1/3', '2/3', '3/3']);
});

test('P-01: a continuous puller kept out by placeholders of its own priority does not turn the app', () => {
  const objects = [
    puller({ role: 'continuous' }),
    unschedulable(
      'x',
      '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found.',
    ),
  ];
  expect(lookAt(objects, { now: 61 })).toMatchObject({ health: 'Healthy', nodes: [{ reason: 'NoResources' }] });
});

test('P-02 and P-03: a priority class that does not exist is named', () => {
  const daemonSet = puller({ status: { observedGeneration: 1, desiredNumberScheduled: 4, currentNumberScheduled: 0 } });
  expect(lookAt([daemonSet, refused(daemonSet, 1, 20)], { now: 31 })).toMatchObject({
    health: 'Degraded',
    reason: 'PodsRefused',
  });
});

test('R-23: amd64 only: an arm node is left out, only arm nodes are a failure', () => {
  const text = 'no match for platform in manifest: not found';
  const arm = (name: string): Raw[] => {
    const rejecting = pod(name, { containers: [backOff(IMAGE, text)] });
    return [rejecting, failedPull(rejecting, text, 5, 155)];
  };
  expect(lookOften([puller({ desired: 2 }), ...pulledNodes(1), ...arm('x')], [156, 170]).health).toBe('Healthy');
  expect(lookOften([puller({ desired: 2 }), ...arm('y'), ...arm('x')], [156, 170])).toMatchObject({
    health: 'Degraded',
    reason: 'NoBuild',
  });
});

test('F1: desired 3, current 3, ready 2 for ever: the pods tell what the numbers cannot', () => {
  const objects = [puller({ desired: 3 }), ...pulledNodes(2), unschedulable('x')];
  expect(lookAt(objects, { now: 61 }).health).toBe('Healthy');
});
