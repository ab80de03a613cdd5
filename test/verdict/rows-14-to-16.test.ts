/** Rows 14 to 16 and the deadline: images on their way. A title opens with the row it proves; docs/rules.md lists them. */
import { backOff, CREATING, failedPull, pod, pulledPod, puller, running, waiting, type Raw } from './cluster.ts';
import { lookAt, nodeState } from './look.ts';
import { IMAGE, n1, NO_SHELL, one, OTHER, REFUSED } from './stories.ts';

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
    ['row 14: within network-grace', [...unreachable(5), pulledPod('n2')], 304, 'pulling Retrying 14'],
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
