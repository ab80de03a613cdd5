/** Which of several images a node is told by, and what shows that a pod has begun. */
import {
  backOff,
  CREATING,
  event,
  failedPull,
  pod,
  PREFIX,
  puller,
  pulledPod,
  running,
  unschedulable,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, nodeState, type Look } from './look.ts';
import { IMAGE, OTHER, REFUSED } from './stories.ts';

const words = (objects: Raw[], look: Look): string => nodeState(lookAt(objects, look), 'n1').message;
const failing = (text: string, image = IMAGE): Raw[] => {
  const stuck = pod('n1', { images: [image], containers: [backOff(image, text)] });
  return [stuck, failedPull(stuck, text, 5, 155)];
};
const other = pulledPod('n2');
const DENIED = 'unauthorized: no access';

describe('which image of a node is told', () => {
  const images = [IMAGE, OTHER];
  const both = (one: Raw, two: Raw): Raw[] => [puller({ images }), pod('n1', { images, containers: [one, two] })];
  const row = (objects: Raw[], now = 9): string => {
    const { image, row: spoke } = nodeState(lookAt(objects, { now }), 'n1');
    return `${spoke} ${image}`;
  };
  const denied = backOff(OTHER, DENIED);
  test('the one with the lowest row, not the first', () => {
    expect(row(both(CREATING, denied))).toBe(`13 ${OTHER}`);
    expect(row(both(waiting('ErrImagePull', '429 Too Many Requests'), denied))).toBe(`13 ${OTHER}`);
    expect(row(both(denied, CREATING))).toBe(`13 ${IMAGE}`);
  });
  test('the pause is told only by name', () => {
    const sidecar = pod('n1', { images: [IMAGE], containers: [running()] });
    (sidecar.spec.containers as Raw[]).push({ name: 'proxy', image: 'proxy:1' });
    (sidecar.status.containerStatuses as Raw[]).push({ name: 'proxy', ...waiting('ErrImagePull', 'x') });
    expect(words([puller(), sidecar], { now: 9 })).toBe('every image is on the node');
  });
  test('a pause without a text', () => {
    const bare = pulledPod('n1');
    (bare.status.containerStatuses as Raw[]).push({ name: 'pause', ...waiting('CrashLoopBackOff') });
    expect(words([puller(), bare], { now: 9 })).toBe(
      'every image is on the node; the pause image does not start: CrashLoopBackOff',
    );
  });
});

test('a grace longer than the deadline is waited for', () => {
  const policy = { schedulingGrace: 7_200_000, networkGrace: 7_200_000 };
  expect(nodeState(lookAt([puller(), unschedulable('n1')], { now: 4000, policy }), 'n1').state).toBe('pulling');
  expect(
    nodeState(lookAt([puller({ desired: 2 }), other, ...failing(REFUSED)], { now: 4000, policy }), 'n1').state,
  ).toBe('pulling');
});

test('a never-pull is final after ten seconds in a single look', () => {
  const never = pod('n1', { containers: [waiting('ErrImageNeverPull', 'x')] });
  expect(lookAt([puller(), never], { now: 12, once: true }).reason).toBe('Confirming');
  expect(lookAt([puller(), never], { now: 13, once: true }).reason).toBe('ImageNeverPulled');
});

test('an override of a continuous puller, and a condition of another type', () => {
  const status = {
    observedGeneration: 1,
    desiredNumberScheduled: 1,
    currentNumberScheduled: 1,
    conditions: [
      { type: 'Other', status: 'True' },
      { type: `${PREFIX}/Pulled`, status: 'False', reason: 'ImageMissing', message: 'm' },
    ],
  };
  expect(lookAt([puller({ status })], { now: 9 })).toMatchObject({
    health: 'Degraded',
    reason: 'ImageMissing',
    message: 'm',
  });
  const still = { ...status, conditions: [{ type: 'Other', status: 'True', reason: 'x' }] };
  expect(lookAt([puller({ status: still }), pod('n1')], { now: 9 }).health).toBe('Progressing');
});

test('a container that waits for its image is a beginning, whatever the sandbox says', () => {
  const events = (raw: Raw): Raw[] => [event(raw, 'Scheduled', 'assigned', 2)];
  const state = (containers: Raw[]): string => {
    const raw = pod('n1', { images: [IMAGE, OTHER], sandbox: false, containers });
    return nodeState(lookAt([puller({ images: [IMAGE, OTHER] }), raw, ...events(raw)], { now: 90 }), 'n1').reason;
  };
  expect(state([CREATING, CREATING])).toBe('CannotStartPods');
  expect(state([waiting('ErrImagePull', '429 Too Many Requests'), CREATING])).toBe('Retrying');
  expect(state([{ lastState: { terminated: { exitCode: 1, reason: 'Error' } } }, CREATING])).toBe('InProgress');
  expect(state([{ imageID: 's' }, CREATING])).toBe('InProgress');
  expect(state([{ state: { running: {} } }, CREATING])).toBe('InProgress');
  expect(state([{ state: { terminated: { exitCode: 0 } } }, CREATING])).toBe('InProgress');
});

test('which events show a beginning', () => {
  const reason = (told: string): string => {
    const raw = pod('n1', { sandbox: false });
    return nodeState(lookAt([puller(), raw, event(raw, told, 'Pulling image "else"', 2)], { now: 90 }), 'n1').reason;
  };
  expect([reason('Pulling'), reason('Pulled'), reason('Scheduled')]).toEqual([
    'InProgress',
    'InProgress',
    'CannotStartPods',
  ]);
});
