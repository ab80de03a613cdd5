/** What nodes add up to: nodes without pods, the moment at which a node is late, and what a look remembers of all. */
import { mergeFacts, withoutDecisions } from '../../src/verdict/facts.ts';
import type { NodeState } from '../../src/verdict/verdict.ts';
import {
  after,
  backOff,
  CREATING,
  event,
  failedPull,
  node,
  pod,
  puller,
  pulledPod,
  running,
  unschedulable,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, lookOften, nodeState, type Look } from './look.ts';
import { IMAGE, missing, n1, OTHER, refused, told } from './stories.ts';

const NOT_READY = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
const down = (name: string, options = {}): Raw => node(name, { ready: 'False', taints: NOT_READY, ...options });
const away = (name: string, created = 1): Raw =>
  pod(name, { created, status: { phase: 'Failed', reason: 'OutOfpods', message: 'no room' } });
const status = (desired: number, current: number, misscheduled = 0): Raw => ({
  observedGeneration: 1,
  desiredNumberScheduled: desired,
  currentNumberScheduled: current,
  numberMisscheduled: misscheduled,
});

describe('nodes without a pod', () => {
  test('a pod that is not where it belongs hides no missing one', () => {
    const objects = [puller({ status: status(2, 2, 1) }), pulledPod('n1'), pulledPod('n2')];
    expect(lookAt(objects, { now: 9 }).message).toBe('2/3 nodes pulled, 1 pulling: 1 pod not made yet');
  });
  test('all left out because they are not ready: there is nothing to demand', () => {
    const objects = [puller({ desired: 0 }), down('n1'), down('n2')];
    expect(told(objects, { now: 9, policy: { minPulled: { percent: 100 } } })).toBe('Healthy NoEligibleNodes');
  });
  test('one that is not ready and joined late is late', () => {
    expect(n1([puller({ desired: 0 }), down('n1', { created: 30 })], { now: 90 })).toContain('NodeNotReady');
    const verdict = lookOften([puller({ desired: 0 }), down('n1', { created: 30 })], [5, 90]);
    expect(nodeState(verdict, 'n1')).toMatchObject({ reason: 'Late', row: 2, counts: false, inBase: false });
  });
  test('of several that turned a pod away the first by name stands for the one missing', () => {
    const first = lookAt([puller({ desired: 2 }), away('n2'), away('n1')], { now: 9 });
    const nodes = [node('n1'), node('n2')];
    const verdict = lookAt([puller({ status: status(1, 0) }), ...nodes], { now: 20, facts: first.facts });
    expect(verdict.nodes.map(({ node: name }) => name)).toEqual(['n1']);
    const backwards = { ...first.facts, turnedAway: new Map([...first.facts.turnedAway].reverse()) };
    const again = lookAt([puller({ status: status(1, 0) })], { now: 20, facts: backwards });
    expect(again.nodes.map(({ node: name }) => name)).toEqual(['n1']);
  });
});

test('a node that nobody has said to be ready is not left out', () => {
  const silent = { ...down('n1'), status: {} };
  expect(lookAt([puller({ desired: 0 }), silent], { now: 9 }).nodes).toEqual([]);
});

test('a puller of nobody’s role is not done for good', () => {
  const done = lookAt([puller({ role: 'none' }), pulledPod('n1')], { now: 5 });
  expect(done.health).toBe('Healthy');
  expect(told([puller({ role: 'none' }), pod('n1')], { now: 9, facts: done.facts })).toBe('Progressing Pulling');
});

describe('at the very moment', () => {
  test('a node made at the first look is not late', () => {
    const objects = [puller(), pod('n1', { created: 9 }), node('n1', { created: 9 })];
    expect(n1(objects, { now: 9 })).toBe('pulling InProgress 16');
  });
  test('a node that turned Ready at the first look is not late', () => {
    const objects = [puller(), pod('n1', { created: 9 }), node('n1', { readySince: 9 })];
    expect(n1(objects, { now: 9 })).toBe('pulling InProgress 16');
  });
  test('a pod made as its node turned Ready is as young as the node', () => {
    const objects = [puller(), pod('n1', { created: 30 }), node('n1', { readySince: 30 })];
    expect(nodeState(lookOften(objects, [9, 40]), 'n1').reason).toBe('Late');
  });
  test('an old pod beside the new one: the node only blinked', () => {
    const old = pod('n1', { created: 1, uid: 'old', label: 'old' });
    const objects = [puller(), old, pod('n1', { created: 30 }), node('n1', { readySince: 20 })];
    expect(nodeState(lookOften(objects, [9, 40]), 'n1').reason).toBe('InProgress');
  });
});

describe('a node that is in trouble', () => {
  const state = (objects: Raw[], now = 400): NodeState => nodeState(lookAt([puller(), ...objects], { now }), 'n1');
  test('a full disk', () => {
    const full = pod('n1', { containers: [backOff(IMAGE, 'no space left on device')] });
    expect(state([full, failedPull(full, 'no space left on device', 5, 155)])).toMatchObject({
      reason: 'DiskFull',
      fix: 'Free disk space on the node, or give it a larger disk.',
    });
  });
  test('a failed pod without conditions failed when it was made', () => {
    const failed = away('n1', 3);
    failed.status.conditions = [];
    expect(state([failed])).toMatchObject({ state: 'tolerated', reason: 'Rejecting', since: after(3).getTime() });
  });
  test.each([
    ['FailedCreatePodSandBox', 'FailedCreatePodSandBox: x'],
    ['FailedMount', 'FailedMount: x'],
    ['FailedAttachVolume', 'FailedAttachVolume: x'],
    ['FailedCreatePodContainer', 'FailedCreatePodContainer: x'],
    ['NetworkNotReady', 'NetworkNotReady: x'],
    ['FailedMountOnFilesystem', 'no pull has begun'],
    ['NotFailedMount', 'no pull has begun'],
    ['NetworkNotReadyYet', 'no pull has begun'],
    ['HostNetworkNotReady', 'no pull has begun'],
  ])('the event %s', (reason, words) => {
    const raw = pod('n1', { sandbox: false });
    expect(state([raw, event(raw, reason, 'x', 5)], 90).message).toBe(`the node does not start the pod: ${words}`);
  });
  test('a back-off that is only quoted', () => {
    const quoted = `it said: Back-off pulling image "${IMAGE}": ErrImagePull: 429 Too Many Requests`;
    expect(state([pod('n1', { containers: [waiting('ErrImagePull', quoted)] })], 9).message).toContain(quoted);
  });
  test.each([
    ['RegistryUnavailable', 'the pull failed and is tried again: '],
    ['InvalidImageName', 'not a valid image reference: '],
  ])('%s without a text', (reason, words) => {
    expect(state([pod('n1', { containers: [waiting(reason)] })], 9).message).toBe(words);
  });
  test('PodInitializing is no sign of a beginning', () => {
    const raw = pod('n1', { sandbox: false, containers: [waiting('PodInitializing')] });
    expect(state([raw, event(raw, 'Scheduled', 'assigned', 2)], 90).reason).toBe('CannotStartPods');
  });
});

describe('the fix that a failed puller is told', () => {
  const busy = pod('n2', { containers: [backOff(IMAGE, '429 Too Many Requests')] });
  const end = (objects: Raw[], look: Look): string => lookAt([puller({ desired: 2 }), ...objects], look).message;
  test('none of another reason', () => {
    expect(end([pod('n1'), ...missing('n2')], { now: 4000, once: true })).toMatch(/ \(on n1\)$/);
  });
  test('that of the same reason, from the first node that has one', () => {
    expect(end([pod('n1'), busy, failedPull(busy, '429 Too Many Requests', 5, 155)], { now: 4000 })).toMatch(
      /\. The registry is busy or limits the rate: pull with an account, or through a mirror\.$/,
    );
  });
});

describe('what is remembered and looked at again', () => {
  test('pods missing since a later look than the first have the whole deadline', () => {
    const pulling = pod('n1');
    const begun = lookAt([puller({ desired: 2 }), pulling, pulledPod('n2')], { now: 5 });
    const gone = [puller({ status: status(2, 1) }), pulledPod('n1')];
    const later = lookAt(gone, { now: 3000, facts: begun.facts });
    expect(lookAt(gone, { now: 4000, facts: later.facts }).reason).toBe('Pulling');
    expect(lookAt(gone, { now: 6600, facts: later.facts }).reason).toBe('DeadlineExceeded');
  });
  test('a node past its deadline is no failed image', () => {
    const verdict = lookAt([puller(), pod('n1')], { now: 4000 });
    expect(verdict.reason).toBe('DeadlineExceeded');
    expect(verdict.facts.pullers.get('ds')?.failedSince.size).toBe(0);
  });
  test('a failed continuous puller is looked at again when a grace ends, a hook is not', () => {
    const recheck = (role: string): number | undefined => {
      const objects = [puller({ role, desired: 2 }), ...missing('n1'), unschedulable('n2', undefined, 165)];
      const verdict = lookOften(objects, [160, 171]);
      expect(verdict.health).toBe('Degraded');
      return verdict.recheckAfterMs;
    };
    expect(recheck('continuous')).toBe(54_000);
    expect(recheck('hook')).toBeUndefined();
  });
  test('a continuous puller that completed tells a refusal where no pod is missing', () => {
    const done = lookAt([puller({ role: 'continuous' }), pulledPod('n1')], { now: 5 });
    const restarted = puller({ role: 'continuous', status: { observedGeneration: 0 } });
    const verdict = lookAt([restarted, refused(restarted, 6, 8)], { now: 9, facts: done.facts });
    expect(verdict).toMatchObject({ health: 'Healthy', reason: 'PulledBefore' });
    expect(verdict.message).toContain('is forbidden');
  });
  test('an own pod that has begun takes back what was remembered of the node, whenever its sandbox came', () => {
    const turned = lookAt([puller(), away('n1')], { now: 9 });
    expect(turned.facts.turnedAway.size).toBe(1);
    const begun = lookAt([puller(), pulledPod('n1', { created: 5 })], { now: 20, facts: turned.facts });
    expect(begun.facts.turnedAway.size).toBe(0);
  });
  test('a replica that does not write forgets decisions and nothing else', () => {
    const hook = lookAt([puller(), pulledPod('n1')], { now: 9 }).facts;
    const other = lookAt([puller({ role: 'continuous', uid: 'c' }), pulledPod('n1', { owner: 'c' })], { now: 9 }).facts;
    const facts = withoutDecisions(mergeFacts(hook, other));
    const both = mergeFacts(hook, other).pullers;
    expect(both.get('ds')?.final?.health).toBe('Healthy');
    expect(both.get('c')?.completed).toBe(true);
    expect(facts.pullers).toEqual(
      new Map([
        ['ds', { ...both.get('ds'), final: undefined, completed: false }],
        ['c', { ...both.get('c'), final: undefined, completed: false }],
      ]),
    );
    const turned = lookAt([puller(), away('n1')], { now: 9 }).facts;
    expect(withoutDecisions(turned).turnedAway).toEqual(turned.turnedAway);
  });
});

test('on how many nodes each image is', () => {
  const images = [IMAGE, OTHER];
  const half = pod('n2', { images, containers: [running(), CREATING] });
  const waitingOnly = pod('n3', { images, containers: [CREATING, CREATING] });
  const old = pod('n4', { images, label: 'old' });
  const verdict = lookAt([puller({ images, desired: 4 }), pulledPod('n1', { images }), half, waitingOnly, old], {
    now: 9,
  });
  expect(verdict.images).toEqual([
    { image: IMAGE, nodes: 2 },
    { image: OTHER, nodes: 1 },
  ]);
});

test('where nothing is wanted nothing is pulled', () => {
  const verdict = lookAt([puller({ spec: { containers: [] } }), pod('n1')], { now: 9 });
  expect(verdict.counts).toMatchObject({ pulled: 0, pulling: 1 });
});
