/** What people read: the words of each rule, and of what the ladder adds. */
import {
  backOff,
  failedPull,
  node,
  NOT_FOUND,
  pod,
  puller,
  pulledPod,
  stamp,
  successfulPull,
  unschedulable,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, lookOften, nodeState, type Look } from './look.ts';
import { IMAGE, missing, REFUSED } from './stories.ts';

const words = (objects: Raw[], look: Look): string => nodeState(lookAt(objects, look), 'n1').message;
const begun = lookAt([puller({ desired: 0 })], { now: 5 }).facts;
const failing = (text: string, image = IMAGE): Raw[] => {
  const stuck = pod('n1', { images: [image], containers: [backOff(image, text)] });
  return [stuck, failedPull(stuck, text, 5, 155)];
};
const other = pulledPod('n2');
const NO_MATCH = 'no match for platform in manifest: not found';
const DENIED = 'unauthorized: no access';

test.each<[string, Raw[], Look]>([
  [
    'joined after the pull began; left to the continuous puller',
    [puller(), pod('n1'), node('n1', { created: 6 })],
    { now: 9, facts: begun },
  ],
  [
    'turned Ready after the pull began; left to the continuous puller',
    [puller(), pod('n1', { created: 9 }), node('n1', { readySince: 8 })],
    { now: 9, facts: begun },
  ],
  ['the Node object is gone', [puller(), pod('n1')], { now: 9, goneNodes: ['n1'] }],
  ['the node is being removed', [puller(), pod('n1'), node('n1', { deleted: 1 })], { now: 9 }],
  [
    'a virtual node runs no pods of a DaemonSet',
    [puller(), pod('n1'), node('n1', { labels: { type: 'virtual-kubelet' } })],
    { now: 9 },
  ],
  [
    'the node runs windows, the images are for linux',
    [puller(), pod('n1'), node('n1', { labels: { 'kubernetes.io/os': 'windows' } })],
    { now: 9 },
  ],
  [
    `pod puller-n1 is being deleted since ${stamp(1)} and does not go`,
    [puller(), pod('n1', { deleted: 1 })],
    { now: 90 },
  ],
  ['the node is full: 1 Too many pods', [puller(), unschedulable('n1')], { now: 90 }],
  ['the scheduler does not place the pod', [puller(), unschedulable('n1', '')], { now: 90 }],
  [
    'the node does not match what the pod asks for',
    [puller(), unschedulable('n1', "0/12 nodes are available: 12 node(s) didn't satisfy plugin(s) [NodeAffinity].")],
    { now: 90 },
  ],
  [
    'the node has too little left for the pod: 1 Insufficient cpu',
    [
      puller(),
      unschedulable(
        'n1',
        "0/12 nodes are available: 1 Insufficient cpu, 11 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/12 nodes are available.",
      ),
    ],
    { now: 90 },
  ],
  ['the scheduler does not place the pod: 1.5 of it', [puller(), unschedulable('n1', '1.5 of it.')], { now: 90 }],
  [
    'the node turns the pod away: OutOfpods: too many',
    [puller(), pod('n1', { containers: [{}], status: { phase: 'Failed', reason: 'OutOfpods', message: 'too many' } })],
    { now: 90 },
  ],
  [
    'no disk space for it: write x: no space left on device',
    [puller(), ...failing('write x: no space left on device')],
    { now: 90 },
  ],
  [
    `the node is not ready since ${stamp(1)}: kubelet said so`,
    [puller(), pod('n1'), node('n1', { ready: 'False', readySince: 1 })],
    { now: 90 },
  ],
  ['the node does not start the pod: no pull has begun', [puller(), pod('n1', { sandbox: false })], { now: 90 }],
  [
    `no build of it for this node's platform: ${NO_MATCH}`,
    [puller({ desired: 2 }), other, ...failing(NO_MATCH)],
    { now: 160 },
  ],
  [`no build of it for the platform of any node: ${NO_MATCH}`, [puller(), ...failing(NO_MATCH)], { now: 160 }],
  [`not found in the registry: ${IMAGE}: not found`, [puller(), ...failing(NOT_FOUND())], { now: 160 }],
  [
    `other nodes pulled it, this one not: not found in the registry: ${IMAGE}: not found`,
    [puller({ desired: 2 }), other, successfulPull(other), ...failing(NOT_FOUND())],
    { now: 160 },
  ],
  [`refused by the registry: ${DENIED}`, [puller(), ...failing(DENIED)], { now: 160 }],
  ['the registry cannot be used as it is set up: x509: bad', [puller(), ...failing('x509: bad')], { now: 160 }],
  [
    'not a valid image reference: invalid reference format',
    [puller(), pod('n1', { containers: [waiting('InvalidImageName', 'invalid reference format')] })],
    { now: 9 },
  ],
  [
    'not on the node, and the pull policy is Never: x',
    [puller(), pod('n1', { containers: [waiting('ErrImageNeverPull', 'x')] })],
    { now: 9 },
  ],
  [
    `this node cannot reach the registry since ${stamp(5)}, other nodes can: ${REFUSED.replace('failed to do request: ', '')}`,
    [puller({ desired: 2 }), other, ...failing(REFUSED)],
    { now: 400 },
  ],
  [
    `the registry does not answer this node since ${stamp(5)}, other nodes can: ${REFUSED.replace('failed to do request: ', '')}`,
    [puller({ desired: 2 }), other, ...failing(REFUSED)],
    { now: 160 },
  ],
  [
    'the pull failed and is tried again: 429 Too Many Requests',
    [puller(), ...failing('429 Too Many Requests')],
    { now: 160 },
  ],
  [
    'the pull failed and is tried again: the kubelet does not show the cause here: see the events of the pod',
    [puller(), pod('n1', { containers: [backOff(IMAGE)] })],
    { now: 160 },
  ],
  ['pulling, image 1 of 1', [puller(), pod('n1')], { now: 9 }],
  [`no progress since ${stamp(3)}: pulling, image 1 of 1`, [puller(), pod('n1')], { now: 4000 }],
  ['old pod puller-n1 has not been replaced yet', [puller(), pod('n1', { label: 'old' })], { now: 9 }],
  ['every image is on the node', [puller(), pulledPod('n1')], { now: 9 }],
  [
    'pulled by another puller with the same images',
    [puller(), pod('n1'), pulledPod('n1', { owner: 'x', uid: 'x' })],
    { now: 9 },
  ],
  [
    'pulled, but its container cannot run: back-off',
    [puller(), pod('n1', { containers: [waiting('CrashLoopBackOff', 'back-off', { imageID: 's' })] })],
    { now: 9 },
  ],
])('%s', (expected, objects, look) => {
  expect(words(objects, look)).toBe(expected);
});

describe('a node that is not ready, in fewer words', () => {
  const told = (condition: Raw): string => {
    const broken = {
      ...node('n1'),
      status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: stamp(1), ...condition }] },
    };
    return words([puller(), pod('n1'), broken], { now: 90 });
  };
  test('by its reason, or none', () => {
    expect(told({ reason: 'KubeletDown' })).toBe(`the node is not ready since ${stamp(1)}: KubeletDown`);
    expect(told({})).toBe(`the node is not ready since ${stamp(1)}: no reason given`);
    expect(told({ lastTransitionTime: undefined })).toContain('the node is not ready: no reason given');
  });
});

describe('what the ladder adds', () => {
  const message = (objects: Raw[], look: Look): string => lookAt(objects, look).message;
  test('a deleted hook', () => {
    const deleted = puller();
    deleted.metadata.deletionTimestamp = stamp(5);
    expect(message([deleted], { now: 9 })).toBe(
      '0/1 node pulled, 1 pulling: the puller was deleted before it had a verdict; sync again',
    );
  });
  test('a generation nobody looked at', () => {
    const words_ = 'the DaemonSet controller has not looked at this generation yet';
    expect(message([puller({ status: {} })], { now: 9 })).toBe(`0/0 nodes pulled: ${words_}`);
    expect(lookOften([puller({ status: {} })], [0, 3600]).message).toBe(
      `0/0 nodes pulled: ${words_}; check that kube-controller-manager runs`,
    );
  });
  test('a first look at a failed image', () => {
    expect(message([puller(), ...missing()], { now: 160 })).toBe(
      `0/1 node pulled, 1 failed: image ${IMAGE}: not found in the registry: ${IMAGE}: not found (on n1); to be confirmed by a second look`,
    );
  });
  test('the fix of the reason that is told', () => {
    const images = ['a.azurecr.io/x:1'];
    const denied = [...failing(DENIED, images[0])];
    denied[1]!.message = `Failed to pull image "${images[0]}": ${DENIED}`;
    expect(lookOften([puller({ images }), ...denied], [160, 170]).message).toMatch(
      /\(on n1\)\. Give the kubelet identity AcrPull on the registry, or use a pull secret\.$/,
    );
  });
  test('a deadline, which has no fix', () => {
    expect(message([puller(), pod('n1')], { now: 4000 })).toBe(
      `0/1 node pulled, 1 failed: image ${IMAGE}: no progress since ${stamp(3)}: pulling, image 1 of 1 (on n1)`,
    );
  });
  test('a continuous puller that was done: only what is open', () => {
    const daemonSet = puller({ role: 'continuous', desired: 2 });
    const done = lookAt([puller({ role: 'continuous' }), pulledPod('n2')], { now: 5 });
    expect(message([daemonSet, pulledPod('n2'), pod('n1', { created: 8 })], { now: 9, facts: done.facts })).toBe(
      `1/2 nodes pulled, 1 pulling: image ${IMAGE}: pulling, image 1 of 1 (on n1)`,
    );
  });
  test('nothing eligible, but a pod that is left has the image', () => {
    expect(lookAt([puller({ desired: 0 }), pulledPod('n1')], { now: 9 })).toMatchObject({
      reason: 'Pulled',
      message: '1/1 node pulled',
    });
  });
  test('missing pods without a refusal', () => {
    expect(message([puller({ desired: 2 })], { now: 9 })).toBe('0/2 nodes pulled, 2 pulling: 2 pods not made yet');
  });
});
