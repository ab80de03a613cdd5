/** Which pods, events and neighbours speak for a node when there are several, or when they lack what others have. */
import {
  after,
  backOff,
  CREATING,
  ended,
  event,
  failedPull,
  node,
  NOT_FOUND,
  pod,
  puller,
  pulledPod,
  running,
  successfulPull,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, lookOften, nodeState } from './look.ts';
import { IMAGE, n1, OTHER, refused, told } from './stories.ts';

const images = [IMAGE, OTHER];
const both = puller({ images });
const nameless = (raw: Raw): Raw => ({ ...raw, involvedObject: { ...raw.involvedObject, uid: undefined } });
const sibling = (uid: string, containers: Raw[]): Raw => pod('n1', { images, containers, uid, owner: 'x' });

describe('a pod is of the newest template', () => {
  const foreign = (templateGeneration: string | undefined): Raw[] => {
    const daemonSet = puller({ label: '', generation: 5 });
    daemonSet.metadata.annotations['deprecated.daemonset.template.generation'] = '3';
    const raw = pulledPod('n1', { label: '', templateGeneration: templateGeneration ?? '' });
    if (templateGeneration === undefined) delete raw.metadata.labels['pod-template-generation'];
    return [daemonSet, raw];
  };
  test.each([
    ['3', 'pulled EveryImagePulled 1'],
    ['5', 'pulling Waiting 16'],
    [undefined, 'pulled EveryImagePulled 1'],
  ])('by its label %s, when it has no images label', (label, expected) => {
    expect(n1(foreign(label), { now: 9 })).toBe(expected);
  });
  test('an old pod beside one that is being deleted has not been replaced', () => {
    const old = pod('n1', { label: 'old' });
    expect(n1([puller(), old, pod('n1', { uid: 'gone', deleted: 2 })], { now: 90 })).toBe('pulling Waiting 16');
  });
});

describe('pods of another puller prove an image', () => {
  test.each([
    ['only that one', [sibling('a', [running(), CREATING])], 'pulling InProgress 16'],
    [
      'when one of two pods has it',
      [sibling('a', [CREATING, CREATING]), sibling('b', [running(), running()])],
      'pulled PulledElsewhere 1',
    ],
    ['beside an own one', [sibling('b', [CREATING, running()])], 'pulled PulledElsewhere 1', running()],
  ])('%s', (_what, others, expected, own = CREATING) => {
    expect(n1([both, pod('n1', { images, containers: [own, CREATING] }), ...others], { now: 9 })).toBe(expected);
  });
  test('not without an images label', () => {
    const other = pulledPod('n1', { label: '', uid: 'x', owner: 'x' });
    expect(n1([puller({ label: '' }), pod('n1', { label: '' }), other], { now: 9 })).toBe('pulling InProgress 16');
  });
});

describe('events without a UID are of the pod with their name', () => {
  const raw = pod('n1', { images, containers: [CREATING, CREATING] });
  const pulled = (image: string): Raw => successfulPull(raw, image);
  test.each([
    ['all of them', [nameless(pulled(IMAGE)), nameless(pulled(OTHER))]],
    ['some of them', [pulled(IMAGE), nameless(pulled(OTHER))]],
    ['none of them', [pulled(IMAGE), pulled(OTHER)]],
  ])('%s', (_what, events) => {
    expect(n1([both, raw, ...events], { now: 30 })).toBe('pulled EveryImagePulled 1');
  });
  test('another pod’s say nothing', () => {
    const events = [
      nameless(successfulPull(pod('n2'))),
      nameless({ ...pulled(IMAGE), involvedObject: { kind: 'Job', namespace: 'jhub', name: 'puller-n1' } }),
    ];
    expect(n1([puller(), pod('n1'), ...events], { now: 30 })).toBe('pulling InProgress 16');
  });
});

test('events of one pod, and a node of which only a pod is left that goes', () => {
  const going = pod('n1', { deleted: 2 });
  const other = pod('n2');
  expect(n1([puller({ desired: 2 }), going, other, successfulPull(other)], { now: 9 })).toBe('pulling Waiting 5');
});

test('a pod of nobody is not that of a DaemonSet without a UID', () => {
  const daemonSet = puller();
  delete daemonSet.metadata.uid;
  const raw = pod('n1');
  delete raw.metadata.ownerReferences;
  expect(lookAt([daemonSet, raw], { now: 9 }).nodes).toEqual([]);
});

describe('a refusal counts when no pod was made after it', () => {
  const daemonSet = puller({ desired: 3 });
  const early = pod('n1', { created: 1 });
  const late = pod('n2', { created: 50 });
  const timeless = pod('n3');
  delete timeless.metadata.creationTimestamp;
  test.each([
    ['a pod made after it', 30, [early, late], 'Progressing Pulling'],
    ['a pod made after it, listed first', 30, [late, early], 'Progressing Pulling'],
    ['and a pod of no time', 30, [late, timeless], 'Progressing Pulling'],
    ['and a pod of no time, listed first', 30, [timeless, late], 'Progressing Pulling'],
    ['none', 60, [early, late], 'Degraded PodsRefused'],
    ['none, the newest listed first', 60, [late, early], 'Degraded PodsRefused'],
  ])('%s', (_what, last, pods, expected) => {
    const all = { status: { observedGeneration: 1, desiredNumberScheduled: 9, currentNumberScheduled: 2 } };
    expect(told([{ ...daemonSet, ...all }, ...pods, refused(daemonSet, 2, last)], { now: 800 })).toBe(expected);
  });
  test('one that nobody says when it was counts for nothing beside a pod', () => {
    const some = {
      ...daemonSet,
      status: { observedGeneration: 1, desiredNumberScheduled: 9, currentNumberScheduled: 2 },
    };
    const timelessEvent = event(daemonSet, 'FailedCreate', 'Error creating: pods "x" is forbidden: quota');
    expect(lookOften([some, early, timelessEvent], [5, 800]).reason).toBe('Pulling');
  });
  test('where there is no pod it counts whenever it was', () => {
    const timelessEvent = event(daemonSet, 'FailedCreate', 'Error creating: pods "x" is forbidden: quota');
    const none = { ...daemonSet, status: { observedGeneration: 1, desiredNumberScheduled: 3 } };
    expect(lookOften([none, timelessEvent], [5, 800]).reason).toBe('PodsRefused');
  });
  test('before anything is counted an old pod is no pod of this template', () => {
    const fresh = puller({ status: { observedGeneration: 0 } });
    const old = pod('n1', { label: 'old' });
    expect(told([fresh, old, refused(fresh, 2, 30)], { now: 800 })).toBe('Degraded PodsRefused');
  });
  test.each(['timed out', 'timeout', 'time out', 'etcdserver: leader changed'])('%s may pass', (words) => {
    expect(told([puller(), refused(puller(), 2, 30, words)], { now: 800 })).toBe('Progressing Pulling');
  });
});

test('a generation began, for a single look, when its oldest pod was made; without that now', () => {
  const daemonSet = puller({ generation: 2 });
  const timeless = pod('n2');
  delete timeless.metadata.creationTimestamp;
  const firstLook = (pods: Raw[]): unknown =>
    lookAt([daemonSet, ...pods], { now: 90, once: true }).facts.pullers.get('ds')?.firstLook;
  expect(firstLook([pod('n1', { created: 20 }), pod('n3', { created: 10 })])).toBe(after(10).getTime());
  expect(firstLook([timeless])).toBe(after(90).getTime());
});

describe('admission writes another image into the pods', () => {
  const mirrored = 'ghcr.io/mirror/nb:1';
  const stuck = pod('n1', { images: [mirrored], containers: [backOff(mirrored, NOT_FOUND(mirrored))] });
  const failed = {
    ...failedPull(stuck, '', 5, 155),
    message: `Failed to pull image "${mirrored}": ${NOT_FOUND(mirrored)}`,
  };
  test('what another node pulled is known by that name', () => {
    const other = pulledPod('n2', { images: [mirrored] });
    const objects = [puller({ desired: 2 }), other, successfulPull(other, mirrored), stuck, failed];
    expect(n1(objects, { now: 200 })).toBe('tolerated OwnWayBroken 12');
  });
  test('the advice is that of its registry', () => {
    const denied = pod('n1', { images: [mirrored], containers: [backOff(mirrored, 'unauthorized')] });
    expect(nodeState(lookAt([puller(), denied], { now: 9 }), 'n1').fix).toContain('read:packages');
  });
});

describe('what shows on a container', () => {
  const state = (containers: Raw[], more: Raw[] = []): string => {
    const { message } = nodeState(lookAt([both, pod('n1', { images, containers }), ...more], { now: 40 }), 'n1');
    return message;
  };
  test.each<[what: string, containers: Raw[], message: string]>([
    ['running, without an image ID', [{ state: { running: {} } }, CREATING], 'pulling, image 2 of 2'],
    [
      'ended well, without an image ID',
      [{ state: { terminated: { exitCode: 0 } } }, CREATING],
      'pulling, image 2 of 2',
    ],
    ['nothing', [CREATING, CREATING], 'pulling, image 1 of 2'],
    [
      'running again after it failed',
      [
        { ...running(), lastState: { terminated: { exitCode: 1, reason: 'Error' } } },
        waiting('CrashLoopBackOff', 'second', { imageID: 's' }),
      ],
      'pulled, but its container cannot run: second',
    ],
    [
      'ended well after it failed',
      [
        { ...ended(), lastState: { terminated: { exitCode: 1, reason: 'Error' } } },
        waiting('CrashLoopBackOff', 'second', { imageID: 's' }),
      ],
      'pulled, but its container cannot run: second',
    ],
  ])('%s', (_what, containers, message) => {
    expect(state(containers)).toBe(message);
  });
  test('a container that is not in the pod', () => {
    const raw = pod('n1', { images: [IMAGE], containers: [running()] });
    expect(n1([both, raw], { now: 9 })).toBe('pulling InProgress 16');
  });
  test('a pod without a pause', () => {
    const raw = pulledPod('n1');
    (raw.spec.containers as Raw[]).pop();
    expect(n1([puller(), raw], { now: 9 })).toBe('pulled EveryImagePulled 1');
  });
});

describe('since when there is no progress', () => {
  const since = (objects: Raw[], now = 90): number | undefined => nodeState(lookAt(objects, { now }), 'n1').since;
  const first = (raw: Raw): Raw[] => [
    event(raw, 'Scheduled', 'assigned', 1),
    event(raw, 'Pulling', 'Pulling image', 4),
    successfulPull(raw, IMAGE, 30),
  ];
  test('since the first Pulled of an image, whatever else happened', () => {
    const raw = pod('n1', {
      images,
      containers: [waiting('CrashLoopBackOff', 'x', { imageID: 's', restartCount: 2 }), CREATING],
    });
    expect(since([both, raw, ...first(raw)])).toBe(after(30).getTime());
  });
  test('a sandbox that went down is none', () => {
    const raw = pod('n1', { created: 1, sandbox: false });
    (raw.status.conditions as Raw[]).at(-1)!.lastTransitionTime = after(50).toISOString();
    expect(since([puller(), raw, event(raw, 'Pulling', 'Pulling image', 4)])).toBe(after(1).getTime());
  });
});

describe('init containers', () => {
  const chain = puller({ images, init: true });
  test('none where there is no pod', () => {
    expect(n1([chain, pod('n1', { images, init: true, deleted: 3 })], { now: 9 })).toBe('pulling Waiting 5');
  });
  test.each([
    ['one that failed once blocks nothing', ended(1), 'pulling InProgress 16'],
    ['one that may not start, its image unproven', waiting('CreateContainerConfigError', 'x'), 'pulling InProgress 16'],
    ['one that may not start', waiting('CreateContainerConfigError', 'x', { imageID: 's' }), 'tolerated Blocked 11'],
  ])('%s', (_what, container, expected) => {
    const raw = pod('n1', { images, init: true, containers: [container, CREATING] });
    expect(n1([chain, raw], { now: 9 })).toBe(expected);
  });
});

test('an image that is there already keeps no other from being final', () => {
  const stuck = pod('n1', { images: [OTHER, IMAGE], containers: [running(), backOff(IMAGE, NOT_FOUND())] });
  const objects = [puller({ images: [OTHER, IMAGE] }), stuck, node('n1')];
  expect(nodeState(lookOften(objects, [5, 200, 400]), 'n1').state).toBe('failed');
});
