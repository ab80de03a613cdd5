/** Rows 10 and 11: images that cannot run or stand behind others. A title opens with the row it proves; docs/rules.md lists them. */
import {
  backOff,
  CREATING,
  ended,
  failedPull,
  node,
  pod,
  pulledPod,
  puller,
  running,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, nodeState } from './look.ts';
import { IMAGE, n1, NO_MATCH, NO_SHELL, OTHER } from './stories.ts';

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
