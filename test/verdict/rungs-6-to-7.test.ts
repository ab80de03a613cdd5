/** Rungs 6 and 7: what all nodes together come to. A title opens with the rung it proves; docs/rules.md lists them. */
import { node, pod, pulledPod, puller, stamp, unschedulable, waiting, type Raw } from './cluster.ts';
import { lookAt } from './look.ts';
import { told } from './stories.ts';

describe('rung 6: strict and min-pulled', () => {
  test.each<[string, Raw[], string]>([
    ['full', [unschedulable('n2')], 'Degraded ToleratedInStrict'],
    ['not ready', [pod('n2'), node('n2', { ready: 'False', readySince: 0 })], 'Degraded ToleratedInStrict'],
    ['leaving', [pod('n2'), node('n2', { deleted: 3 })], 'Healthy Pulled'],
    ['impossible', [pod('n2'), node('n2', { labels: { type: 'virtual-kubelet' } })], 'Healthy Pulled'],
    ['late', [pod('n2', { created: 90 }), node('n2', { created: 80 })], 'Healthy Pulled'],
  ])('rung 6: strict and %s', (_, more, expected) => {
    const before = lookAt([puller({ desired: 1 })], { now: 0 });
    const objects = [puller({ desired: 2 }), pulledPod('n1'), ...more];
    const facts = { ...before.facts };
    expect(told(objects, { now: 100, policy: { strict: true }, facts })).toBe(expected);
    expect(told(objects, { now: 100, facts })).toBe('Healthy Pulled');
  });

  const three = (...more: Raw[]): Raw[] => [
    puller({ desired: 3 }),
    pulledPod('n1'),
    pulledPod('n2'),
    unschedulable('n3'),
    ...more,
  ];
  test.each<[string, Raw[], object, string]>([
    ['2 of 2', three(), { nodes: 2 }, 'Healthy Pulled'],
    ['3 of 2', three(), { nodes: 3 }, 'Degraded TooFewPulled'],
    ['66%', three(), { percent: 66 }, 'Healthy Pulled'],
    ['67%', three(), { percent: 67 }, 'Degraded TooFewPulled'],
    [
      'late and impossible nodes are in no percentage',
      [
        puller({ desired: 3 }),
        pulledPod('n1'),
        pulledPod('n2'),
        pod('n3'),
        node('n3', { labels: { type: 'virtual-kubelet' } }),
      ],
      { percent: 100 },
      'Healthy Pulled',
    ],
    [
      'nodes left out because they are not ready are',
      [
        puller({ desired: 1 }),
        pulledPod('n1'),
        node('n2', { ready: 'False', taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] }),
      ],
      { percent: 51 },
      'Degraded TooFewPulled',
    ],
    ['nothing eligible meets a percentage', [puller({ desired: 0 })], { percent: 100 }, 'Healthy NoEligibleNodes'],
    ['nothing eligible is below a number', [puller({ desired: 0 })], { nodes: 1 }, 'Degraded TooFewPulled'],
  ])('rung 6: min-pulled %s', (_, objects, minPulled, expected) => {
    expect(told(objects, { now: 100, policy: { minPulled: minPulled as { nodes: number } } })).toBe(expected);
  });

  test('rung 6: says what was demanded', () => {
    expect(lookAt(three(), { now: 100, policy: { minPulled: { percent: 67 } } }).message).toMatch(
      /^2\/3 nodes pulled, 1 tolerated: min-pulled demands 67% of 3 nodes; the node is full/,
    );
    expect(lookAt(three(), { now: 100, policy: { minPulled: { nodes: 3 } } }).message).toContain(
      'min-pulled demands 3; ',
    );
    expect(lookAt(three(), { now: 100, policy: { strict: true } }).message).toMatch(
      /: strict is set; the node is full/,
    );
  });
});

describe('rung 7: Healthy', () => {
  const out = (name: string, more = {}): Raw =>
    node(name, {
      ready: 'Unknown',
      readySince: -100,
      taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }],
      ...more,
    });
  test('rung 7: nothing to pull on, nodes that are not ready named', () => {
    expect(lookAt([puller({ desired: 0 }), out('n9')], { now: 10 })).toMatchObject({
      health: 'Healthy',
      reason: 'NoEligibleNodes',
      counts: { eligible: 0, tolerated: 1 },
      message: `0/1 node pulled, 1 tolerated: no node to pull on; the node is not ready since ${stamp(-100)}: kubelet said so (on n9)`,
    });
    expect(lookAt([puller({ desired: 0 })], { now: 10 }).message).toBe('0/0 nodes pulled: no node to pull on');
    expect(told([puller({ desired: 0 }), out('n9')], { now: 10, policy: { strict: true } })).toBe(
      'Degraded ToleratedInStrict',
    );
  });
  test.each<[string, Raw, Raw, string[]]>([
    ['not selected', puller({ desired: 0, spec: { nodeSelector: { pool: 'user' } } }), out('n9'), []],
    [
      'selected',
      puller({ desired: 0, spec: { nodeSelector: { pool: 'user' } } }),
      out('n9', { labels: { pool: 'user' } }),
      ['NodeNotReady'],
    ],
    [
      'with a taint of its own',
      puller({ desired: 0 }),
      out('n9', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      [],
    ],
    ['ready', puller({ desired: 0 }), node('n9'), []],
    ['leaving', puller({ desired: 0 }), out('n9', { deleted: 1 }), ['Leaving']],
    ['virtual', puller({ desired: 0 }), out('n9', { labels: { type: 'virtual-kubelet' } }), ['VirtualNode']],
    ['late', puller({ desired: 0 }), out('n9', { created: 50 }), ['Late']],
  ])('rung 7: a node without a pod that is %s', (_, daemonSet, other, expected) => {
    const before = lookAt([puller({ desired: 0 })], { now: 0 });
    expect(lookAt([daemonSet, other], { now: 100, facts: before.facts }).nodes.map(({ reason }) => reason)).toEqual(
      expected,
    );
  });
  test('rung 7: the exceptions of a large cluster: five names, then a number', () => {
    const full = Array.from({ length: 8 }, (_, index) => unschedulable(`f${index}`));
    const dead = [pod('d1'), node('d1', { ready: 'False', readySince: 0 })];
    expect(lookAt([puller({ desired: 10 }), pulledPod('n1'), ...full, ...dead], { now: 100 }).message).toBe(
      '1/10 nodes pulled, 9 tolerated: the node is full: 1 Too many pods (on 8 nodes: f0, f1, f2, f3, f4 and 3 more); 1 more',
    );
  });
  test('rung 7: an image that cannot run is an exception too', () => {
    const crashing = waiting('CrashLoopBackOff', 'x', {
      imageID: 's',
      lastState: { terminated: { exitCode: 126, reason: 'Error' } },
    });
    expect(lookAt([puller(), pod('n1', { containers: [crashing] })], { now: 10 }).message).toBe(
      '1/1 node pulled: image quay.io/a/nb:1: pulled, but its container cannot run: Error (exit code 126) (on n1)',
    );
  });
});
