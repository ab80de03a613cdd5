/** What people hit with images (evidence H-14 to H-31), one test each, by its number. */
import {
  backOff,
  CREATING,
  event,
  failedPull,
  node,
  NOT_FOUND,
  pod,
  puller,
  pulledPod,
  running,
  stamp,
  successfulPull,
  waiting,
} from './cluster.ts';
import { lookAt, lookOften, nodeState } from './look.ts';
import { NO_SHELL, refused } from './stories.ts';

const IMAGE = 'quay.io/a/nb:1';

test('H-14 and H-38: a wrong tag fails in 200 characters that name image and reason', () => {
  const image = 'quay.io/a/nb:1.O';
  const names = [
    'ip-10-0-0-1.ec2.internal',
    'ip-10-0-0-2.ec2.internal',
    'ip-10-0-0-3.ec2.internal',
    'ip-10-0-0-4.ec2.internal',
  ];
  const pods = names.map((name) =>
    pod(name, { images: [image], containers: [waiting('ErrImagePull', NOT_FOUND(image))] }),
  );
  const objects = [puller({ desired: 4, images: [image] }), ...pods];
  const failed = lookOften(objects, [3, 200, 500, 510]);
  expect(failed).toMatchObject({ health: 'Degraded', reason: 'ImageMissing' });
  expect(failed.message.slice(0, 200)).toContain(
    `0/4 nodes pulled, 4 failed: image ${image}: not found in the registry: ${image}: not found (on 4 nodes: `,
  );
  expect(failed.message).toContain('Check the tag');
});

test('H-15: a busy registry never fails the sync before the deadline', () => {
  const busy = pod('x', {
    containers: [waiting('ErrImagePull', 'toomanyrequests: You have reached your pull rate limit')],
  });
  expect(lookOften([puller(), busy], [5, 300, 3600]).health).toBe('Progressing');
});

test('H-16: refused pods and no status: never Healthy, Degraded with the admission’s text', () => {
  const bare = puller({ status: { desiredNumberScheduled: 0 } });
  const objects = [bare, refused(bare, 2, 30)];
  expect(lookAt(objects, { now: 20 }).health).toBe('Progressing');
  expect(lookAt(objects, { now: 40 })).toMatchObject({
    health: 'Degraded',
    message: expect.stringContaining('no PriorityClass with name x was found'),
  });
});

describe('H-17: back-off hides the cause', () => {
  const hidden = pod('x', { containers: [backOff(IMAGE)] });
  test('events tell it', () => {
    expect(lookOften([puller(), hidden, failedPull(hidden, NOT_FOUND(), 5, 155)], [156, 170]).reason).toBe(
      'ImageMissing',
    );
  });
  test('memory tells it', () => {
    const seen = lookAt([puller(), pod('x', { containers: [waiting('ErrImagePull', NOT_FOUND())] })], { now: 5 });
    expect(nodeState(lookAt([puller(), hidden], { now: 10, facts: seen.facts }), 'x').message).toContain(
      'not found in the registry',
    );
  });
  test('nobody tells it: waited for until the deadline', () => {
    expect(lookOften([puller(), hidden], [5, 3600])).toMatchObject({
      health: 'Progressing',
      message: expect.stringContaining('see the events'),
    });
    expect(lookOften([puller(), hidden], [5, 3610]).health).toBe('Degraded');
  });
});

test('H-19: a pull of 25 minutes is no failure, and says on which image a node is', () => {
  const images = ['q/a:1', 'q/b:1', 'q/c:1', 'q/d:1', 'q/e:1'];
  const slow = pod('x', { images, containers: [running(), CREATING, CREATING, CREATING, CREATING] });
  expect(lookAt([puller({ images }), slow], { now: 1500 })).toMatchObject({
    health: 'Progressing',
    message: '0/1 node pulled, 1 pulling: image q/b:1: pulling, image 2 of 5 (on x)',
  });
});

test('H-20: queued behind another pod’s pull for 8 minutes is pulling', () => {
  expect(
    lookAt([puller({ init: true }), pod('x', { init: true, containers: [waiting('PodInitializing')] })], { now: 480 })
      .health,
  ).toBe('Progressing');
});

test('H-21: scheduled 10 minutes ago, ready to start 5 seconds ago: not expired', () => {
  const slow = pod('x', { created: 0 });
  slow.status.conditions[1].lastTransitionTime = stamp(600);
  expect(nodeState(lookAt([puller(), slow], { now: 605 }), 'x').state).toBe('pulling');
  expect(lookAt([puller(), slow], { now: 4199, policy: { onDeadline: 'fail' } }).health).toBe('Progressing');
});

test('H-22: an image pulled Always is not proven by another puller', () => {
  const other = pulledPod('x', { uid: 'other', owner: 'continuous' });
  expect(nodeState(lookAt([puller({ always: true }), pod('x', { always: true }), other], { now: 10 }), 'x').state).toBe(
    'pulling',
  );
});

test('H-24: an invalid reference fails at once', () => {
  const invalid = pod('x', {
    containers: [waiting('InvalidImageName', 'invalid reference format: repository name (A) must be lowercase')],
  });
  expect(lookOften([puller(), invalid], [3, 13]).reason).toBe('ImageInvalid');
});

test('H-25: what a Node lists as its images proves nothing and disproves nothing', () => {
  const listed = {
    ...node('x'),
    status: { ...node('x').status, images: Array.from({ length: 50 }, () => ({ names: ['other'] })) },
  };
  expect(nodeState(lookAt([puller(), pulledPod('x'), listed], { now: 10 }), 'x').state).toBe('pulled');
  listed.status.images = [{ names: [IMAGE] }];
  expect(nodeState(lookAt([puller(), pod('x'), listed], { now: 10 }), 'x').state).toBe('pulling');
});

test('H-26: an image on the node that may not be used without its secret is a matter of credentials', () => {
  const denied = pod('x', {
    containers: [backOff(IMAGE, 'unauthorized: access to the requested resource is not authorized')],
  });
  const objects = [
    puller(),
    denied,
    failedPull(denied, 'unauthorized: access to the requested resource is not authorized', 5, 155),
  ];
  expect(lookOften(objects, [156, 170])).toMatchObject({
    reason: 'CredentialsRefused',
    message: expect.stringContaining('read access'),
  });
});

test('H-27: an image without a shell is pulled', () => {
  const shellless = waiting('CrashLoopBackOff', 'back-off', {
    imageID: 'sha256:1',
    restartCount: 5,
    lastState: NO_SHELL,
  });
  expect(lookAt([puller({ init: true }), pod('x', { init: true, containers: [shellless] })], { now: 90 }).health).toBe(
    'Healthy',
  );
});

test('H-28: refused as root, but pulled: the event is the proof', () => {
  const root = pod('x', {
    containers: [waiting('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root')],
  });
  expect(lookAt([puller(), root, successfulPull(root)], { now: 90 })).toMatchObject({
    health: 'Healthy',
    nodes: [{ reason: 'PulledNotStarted' }],
  });
});

test('H-31: an image that cannot be created for its volumes is pulled all the same', () => {
  const volumes = pod('x', {
    containers: [waiting('CreateContainerError', 'volume /data declared by the image must be mounted')],
  });
  expect(
    lookAt([puller(), volumes, event(volumes, 'Pulled', `Container image "${IMAGE}" already present on machine`, 5)], {
      now: 90,
    }).health,
  ).toBe('Healthy');
});
