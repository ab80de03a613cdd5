/** Rungs 3 to 5: refused, unobserved, failed, pulling. A title opens with the rung it proves; docs/rules.md lists them. */
import { backOff, event, NOT_FOUND, pod, pulledPod, puller, waiting, type Raw } from './cluster.ts';
import { lookAt, lookOften } from './look.ts';
import { missing, refused, told } from './stories.ts';

describe('rung 3: pods are refused', () => {
  const daemonSet = puller({ status: { observedGeneration: 1, desiredNumberScheduled: 2, currentNumberScheduled: 1 } });
  test.each<[string, Raw[], number, string]>([
    ['within rejection-grace', [pulledPod('n1'), refused(daemonSet, 5, 20)], 34, 'Progressing Pulling'],
    ['past it', [pulledPod('n1'), refused(daemonSet, 5, 20)], 35, 'Degraded PodsRefused'],
    [
      'older than the newest pod',
      [pulledPod('n1', { created: 20 }), refused(daemonSet, 5, 20)],
      100,
      'Progressing Pulling',
    ],
    [
      'refused before, made, refused again: from the newest pod on',
      [pulledPod('n1', { created: 40 }), refused(daemonSet, 5, 50)],
      69,
      'Progressing Pulling',
    ],
    ['the same, past it', [pulledPod('n1', { created: 40 }), refused(daemonSet, 5, 50)], 70, 'Degraded PodsRefused'],
    [
      'no pod is missing',
      [
        pulledPod('n1'),
        pulledPod('n2'),
        { ...daemonSet, status: puller({ desired: 2 }).status },
        refused(daemonSet, 5, 20),
      ]
        .slice(2)
        .concat([pulledPod('n1'), pulledPod('n2')]),
      100,
      'Healthy Pulled',
    ],
    [
      'a webhook that does not answer may pass',
      [pulledPod('n1'), refused(daemonSet, 5, 20, 'failed calling webhook "x": timed out')],
      100,
      'Progressing Pulling',
    ],
    [
      'of another object',
      [pulledPod('n1'), refused({ kind: 'DaemonSet', metadata: { uid: 'other' } }, 5, 20)],
      100,
      'Progressing Pulling',
    ],
    ['another event', [pulledPod('n1'), event(daemonSet, 'FailedDelete', 'x', 5, 20)], 100, 'Progressing Pulling'],
    [
      'event without a uid, by name',
      [pulledPod('n1'), refused({ kind: 'DaemonSet', metadata: { name: 'hook-image-puller' } }, 5, 20)],
      100,
      'Degraded PodsRefused',
    ],
  ])('rung 3: %s', (_, objects, now, expected) => {
    const all = objects.some(({ kind }) => kind === 'DaemonSet') ? objects : [daemonSet, ...objects];
    expect(told(all, { now })).toBe(expected);
  });

  test('rung 3: no status at all, no pod', () => {
    const fresh = puller({ status: {} });
    expect(told([fresh, refused(fresh, 5, 20)], { now: 35 })).toBe('Degraded PodsRefused');
    expect(told([fresh, pod('n1'), refused(fresh, 5, 20)], { now: 35 })).toBe('Progressing NotObserved');
  });

  test('rung 3: the newest text is told, with what to do; while it may pass it is told too', () => {
    const texts = [
      refused(daemonSet, 5, 20, 'old quota'),
      refused(daemonSet, 6, 25, 'no PriorityClass with name x was found'),
    ];
    expect(lookAt([daemonSet, pulledPod('n1'), ...texts], { now: 40 }).message).toBe(
      '1/2 nodes pulled, 1 pulling: Error creating: pods "x" is forbidden: no PriorityClass with name x was found. Create what is named, or free the quota, and sync again.',
    );
    expect(lookAt([daemonSet, pulledPod('n1'), ...texts], { now: 30 }).message).toBe(
      '1/2 nodes pulled, 1 pulling: 1 pod not made yet: Error creating: pods "x" is forbidden: no PriorityClass with name x was found',
    );
  });

  test('rung 3: untimed and without text it still has words', () => {
    const bare = { ...refused(daemonSet, 5, 20), message: '', firstTimestamp: undefined, lastTimestamp: undefined };
    const nothing = puller({ status: {} });
    expect(lookOften([nothing, bare], [10, 40]).message).toContain('the API server refuses the pods');
  });
});

describe('rung 4: not observed', () => {
  test.each([
    ['no status', {}],
    ['an old generation', { observedGeneration: 1, desiredNumberScheduled: 0 }],
  ])('rung 4: %s', (_, status) => {
    const objects = [puller({ generation: 2, status })];
    expect(lookAt(objects, { now: 10 })).toMatchObject({
      health: 'Progressing',
      reason: 'NotObserved',
      recheckAfterMs: 3_600_000,
    });
    expect(lookOften(objects, [10, 3609]).health).toBe('Progressing');
    expect(lookOften(objects, [10, 3610])).toMatchObject({ health: 'Degraded', reason: 'NeverObserved' });
  });
  test('rung 4: a later observed generation than ours is one too', () => {
    expect(told([puller({ status: { observedGeneration: 2 } })], { now: 10 })).toBe('Healthy NoEligibleNodes');
  });
  test('rung 4: on-deadline does not tolerate it', () => {
    expect(lookOften([puller({ status: {} })], [0, 3600], { policy: { onDeadline: 'tolerate' } }).health).toBe(
      'Degraded',
    );
  });
});

describe('rung 5: failed and pulling', () => {
  test('rung 5: Degraded only at a second look 10 seconds later', () => {
    const objects = [puller({ desired: 2 }), ...missing(), pulledPod('n2')];
    expect(lookAt(objects, { now: 156 })).toMatchObject({
      health: 'Progressing',
      reason: 'Confirming',
      recheckAfterMs: 10_000,
    });
    expect(lookOften(objects, [156, 165])).toMatchObject({ health: 'Progressing', recheckAfterMs: 1000 });
    expect(lookOften(objects, [156, 166])).toMatchObject({ health: 'Degraded', reason: 'ImageMissing' });
  });
  test('rung 5: not failed in between begins anew', () => {
    const failing = [puller(), ...missing()];
    const first = lookAt(failing, { now: 156 });
    const between = lookAt([puller(), pod('n1')], { now: 160, facts: first.facts });
    expect(lookAt(failing, { now: 170, facts: between.facts }).reason).toBe('Confirming');
  });
  test('rung 5: one look counts as two when the error stood 10 seconds past its window', () => {
    const objects = [puller(), ...missing()];
    expect(lookAt(objects, { now: 134, once: true }).reason).toBe('Confirming');
    expect(lookAt(objects, { now: 135, once: true }).reason).toBe('ImageMissing');
    const invalid = [puller(), pod('n1', { containers: [waiting('InvalidImageName', 'invalid reference format')] })];
    expect(lookAt(invalid, { now: 12, once: true }).reason).toBe('Confirming');
    expect(lookAt(invalid, { now: 13, once: true }).reason).toBe('ImageInvalid');
  });
  test.each([
    ['ErrImagePull', waiting('ErrImagePull', NOT_FOUND()), 133],
    ['back-off: the kubelet tries at 150 seconds', backOff('quay.io/a/nb:1', NOT_FOUND()), 153],
  ])('rung 5: one look, no event, %s', (_, container, final) => {
    const objects = [puller(), pod('n1', { containers: [container] })];
    expect(lookAt(objects, { now: final - 1, once: true }).health).toBe('Progressing');
    expect(lookAt(objects, { now: final, once: true }).health).toBe('Degraded');
  });
  test('rung 5: a deadline needs no second look', () => {
    expect(told([puller(), pod('n1')], { now: 3603 })).toBe('Degraded DeadlineExceeded');
    expect(told([puller(), pod('n1')], { now: 3603, policy: { onDeadline: 'tolerate' } })).toBe('Healthy Pulled');
  });
  const lacking = puller({ status: { observedGeneration: 1, desiredNumberScheduled: 3, currentNumberScheduled: 1 } });
  test('rung 5: missing pods have a deadline since the first look', () => {
    const objects = [lacking, pulledPod('n1')];
    expect(lookAt(objects, { now: 10 })).toMatchObject({
      health: 'Progressing',
      counts: { pulled: 1, pulling: 2 },
      recheckAfterMs: 3_600_000,
    });
    expect(lookOften(objects, [10, 3610])).toMatchObject({
      health: 'Degraded',
      reason: 'DeadlineExceeded',
      counts: { failed: 2 },
    });
    const tolerated = lookOften(objects, [10, 3610], { policy: { onDeadline: 'tolerate' } });
    expect(tolerated).toMatchObject({
      health: 'Healthy',
      counts: { tolerated: 2 },
      message: '1/3 nodes pulled, 2 tolerated: 2 pods not made yet',
    });
    expect(lookOften(objects, [10, 3610], { policy: { onDeadline: 'tolerate', strict: true } }).reason).toBe(
      'ToleratedInStrict',
    );
  });
  test('rung 5: a pod that goes missing late has its own deadline', () => {
    const full = lookAt([puller({ desired: 2 }), pulledPod('n1'), pod('n2', { created: 3000 })], { now: 3500 });
    expect(told([lacking, pulledPod('n1')], { now: 3700, facts: full.facts })).toBe('Progressing Pulling');
  });
});
