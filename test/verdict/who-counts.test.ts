/** Which pods and nodes count, what retry-at forgets, and that nothing is kept between calls. */
import { NO_FACTS } from '../../src/verdict/facts.ts';
import {
  after,
  node,
  pod,
  PREFIX,
  pulledPod,
  puller,
  stamp,
  unschedulable,
  type Raw,
  type PullerOptions,
} from './cluster.ts';
import { lookAt, lookOften } from './look.ts';
import { missing, told } from './stories.ts';

describe('who counts', () => {
  test('a desired node without a pod is pulling: the larger of the two counts', () => {
    const status = (desired: number, current: number, misscheduled = 0): Raw => ({
      observedGeneration: 1,
      desiredNumberScheduled: desired,
      currentNumberScheduled: current,
      numberMisscheduled: misscheduled,
    });
    const counts = (given: Raw, ...pods: Raw[]): object =>
      lookAt([puller({ status: given }), ...pods], { now: 10 }).counts;
    expect(counts(status(3, 1), pulledPod('n1'))).toEqual({
      eligible: 3,
      pulled: 1,
      pulling: 2,
      tolerated: 0,
      failed: 0,
    });
    expect(counts(status(3, 3), pulledPod('n1'))).toMatchObject({ pulling: 2 });
    expect(counts(status(1, 1, 1), pulledPod('n1'), pulledPod('n2'))).toMatchObject({ pulling: 0, pulled: 2 });
    expect(counts(status(1, 1), pulledPod('n1'), pulledPod('n2'))).toMatchObject({ pulling: 0, pulled: 2 });
    expect(counts(status(2, 2), pod('n1', { label: 'old' }), pulledPod('n2'))).toMatchObject({ pulling: 1, pulled: 1 });
  });
  test('pods of another owner, or of none, are not ours', () => {
    const objects = [puller({ label: '' }), pulledPod('n1', { owner: 'other', label: '' })];
    expect(lookAt(objects, { now: 10 }).counts).toMatchObject({ pulled: 0, pulling: 1 });
    const orphan = pulledPod('n1');
    orphan.metadata.ownerReferences = [{ kind: 'ReplicaSet', uid: 'ds' }];
    expect(lookAt([puller(), orphan], { now: 10 }).counts).toMatchObject({ pulled: 0, pulling: 1 });
  });
  test.each([
    ['its label', { label: '', generation: 3 }, { label: '', templateGeneration: '3' }, 1],
    ['an older one', { label: '', generation: 3 }, { label: '', templateGeneration: '2' }, 0],
    ['our label lost', {}, { label: '' }, 0],
    ['our label on one side', { label: '' }, { label: 'digest' }, 0],
  ])('a pod is current by %s', (_, options, podOptions, pulled) => {
    expect(lookAt([puller(options), pulledPod('n1', podOptions)], { now: 10 }).counts.pulled).toBe(pulled);
  });
  test('without the controller’s annotation the generation decides', () => {
    const bare = puller({
      label: '',
      generation: 2,
      metadata: { name: 'x', uid: 'ds', generation: 2, namespace: 'jhub' },
    });
    expect(lookAt([bare, pulledPod('n1', { label: '', templateGeneration: '2' })], { now: 10 }).counts.pulled).toBe(1);
    expect(lookAt([bare, pulledPod('n1', { label: '', templateGeneration: '1' })], { now: 10 }).counts.pulled).toBe(0);
  });
  test('a node that turned a pod away has a name while no pod of it exists', () => {
    const rejected = pod('n2', { containers: [{}], sandbox: null, status: { phase: 'Failed', reason: 'OutOfpods' } });
    const first = lookAt([puller({ desired: 2 }), pulledPod('n1'), rejected], { now: 2 });
    const gap = [puller({ desired: 2 }), pulledPod('n1')];
    expect(lookAt(gap, { now: 40, facts: first.facts })).toMatchObject({
      health: 'Healthy',
      nodes: [{ node: 'n1' }, { node: 'n2', reason: 'Rejecting' }],
    });
    expect(lookAt([puller({ desired: 1 }), pulledPod('n1')], { now: 40, facts: first.facts }).nodes).toHaveLength(1);
  });
  test('a node that joined late has a name before its pod, and is not waited for', () => {
    const before = lookAt([puller({ desired: 1 })], { now: 0 });
    const objects = [puller({ desired: 2 }), pulledPod('n1'), node('n1'), node('n2', { created: 90 })];
    expect(lookAt(objects, { now: 100, facts: before.facts })).toMatchObject({
      health: 'Healthy',
      nodes: [{ node: 'n1' }, { node: 'n2', reason: 'Late' }],
    });
  });
  test('a node that is not ready but not kept out yet stands for a missing pod, in its grace', () => {
    const objects = [puller({ desired: 2 }), pulledPod('n1'), node('n2', { ready: 'False', readySince: 50 })];
    expect(lookAt(objects, { now: 100 })).toMatchObject({
      health: 'Progressing',
      nodes: [{}, { node: 'n2', reason: 'Waiting', row: 8 }],
    });
    expect(lookAt(objects, { now: 110 })).toMatchObject({
      health: 'Healthy',
      nodes: [{}, { node: 'n2', reason: 'NodeNotReady' }],
    });
  });
  test('a pod whose node nobody can tell stands for itself', () => {
    const lost = pod('n1', { pending: true });
    delete lost.spec.affinity;
    expect(lookAt([puller(), lost], { now: 10 }).nodes).toMatchObject([
      { node: '(unknown node of pod puller-n1)', state: 'pulling' },
    ]);
  });
});

describe('retry-at', () => {
  const retry = (second: number): PullerOptions => ({
    annotations: { [`${PREFIX}/retry-at`]: stamp(second) },
    role: 'continuous',
  });
  test('errors, windows and deadlines older than it are forgotten', () => {
    const objects = (options: PullerOptions): Raw[] => [puller(options), ...missing()];
    const failed = lookOften(objects({ role: 'continuous' }), [156, 170]);
    expect(failed.health).toBe('Degraded');
    expect(lookAt(objects(retry(200)), { now: 201, facts: failed.facts })).toMatchObject({
      health: 'Progressing',
      reason: 'Pulling',
    });
    expect(told([puller(retry(3000)), pod('n1')], { now: 3700 })).toBe('Progressing Pulling');
    expect(told([puller(retry(3000)), unschedulable('n1')], { now: 3050 })).toBe('Progressing Pulling');
  });
  test('a time to come forgets nothing', () => {
    expect(told([puller(retry(9000)), pod('n1')], { now: 3700 })).toBe('Degraded DeadlineExceeded');
  });
  test('a hook’s final verdict stays', () => {
    const done = lookAt([puller(), pod('n1')], { now: 3700 });
    expect(told([puller({ ...retry(3701), role: 'hook' }), pod('n1')], { now: 3710, facts: done.facts })).toBe(
      'Degraded DeadlineExceeded',
    );
  });
});

test('no memory between calls: the same arguments give the same verdict', () => {
  const objects = [puller({ desired: 2 }), ...missing(), pulledPod('n2')];
  const first = lookAt(objects, { now: 156, facts: NO_FACTS });
  lookAt(objects, { now: 1000, facts: first.facts });
  expect(lookAt(objects, { now: 156, facts: NO_FACTS })).toEqual(first);
  expect(after(0).getTime()).toBe(Date.parse(stamp(0)));
});
