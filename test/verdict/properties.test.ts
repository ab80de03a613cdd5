/** What holds for every cluster: thousands of random ones, their truth known. */
import fc from 'fast-check';
import { DEFAULT_POLICY, type Policy } from '../../src/api/policy.ts';
import { HEALTHS } from '../../src/api/reasons.ts';
import { MEMORY, NO_FACTS } from '../../src/verdict/facts.ts';
import { judge } from '../../src/verdict/judge.ts';
import { after, node, pulledPod, puller, type Raw } from './cluster.ts';
import { lookAt, snapshotOf } from './look.ts';
import { clusters, policies, type StoryName } from './random-clusters.ts';

const RUNS = Number(process.env.PREPULLER_RUNS ?? 300);
const times = fc.nat(6000);
const check = <T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>): void => {
  fc.assert(property, { numRuns: RUNS });
};

test('the order of pods, nodes and events changes nothing', () => {
  const shuffled = clusters().chain((cluster) =>
    fc.tuple(fc.constant(cluster), fc.shuffledSubarray(cluster.objects, { minLength: cluster.objects.length })),
  );
  check(
    fc.property(shuffled, policies, times, ([cluster, others], policy, now) => {
      const first = lookAt(cluster.objects, { now: 0, policy });
      const look = { now, policy, facts: first.facts };
      expect(lookAt(others, look)).toEqual(lookAt(cluster.objects, look));
    }),
  );
});

const anything = fc.object({ maxDepth: 4, withNullPrototype: false, withDate: false });
const KEYS = [
  'metadata',
  'spec',
  'status',
  'conditions',
  'containers',
  'initContainers',
  'uid',
  'labels',
  'nodeName',
  'state',
  'waiting',
  'message',
];
const likely = fc.object({ key: fc.constantFrom(...KEYS), maxDepth: 5 });

test('no input throws, and every verdict has words', () => {
  const object = fc
    .oneof(anything, likely)
    .chain((value) => fc.constantFrom('DaemonSet', 'Pod', 'Node', 'Event').map((kind): Raw => ({ ...value, kind })));
  check(
    fc.property(fc.array(object, { maxLength: 6 }), times, fc.boolean(), (objects, now, once) => {
      const verdict = lookAt([...objects, { kind: 'DaemonSet' }], { now, once });
      expect(HEALTHS).toContain(verdict.health);
      expect(verdict.message).not.toBe('');
      expect(lookAt([...objects, puller(), pulledPod('n1')], { now, once, facts: verdict.facts }).message).not.toBe('');
    }),
  );
});

test('messages: one line, at most 1 KiB, whatever nodes and images are called', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  check(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), times, (names, now) => {
      const pods = names.map(([name, message], index) => {
        const raw = pulledPod(`n${index}`);
        return { ...raw, spec: { ...raw.spec, nodeName: name }, status: { phase: 'Failed', reason: message, message } };
      });
      const { message } = lookAt([puller({ desired: names.length }), ...pods], { now });
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1024);
      expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});

const ALWAYS_COUNTED: readonly StoryName[] = ['creating', 'half', 'old', 'busy', 'cordoned'];

test('never Healthy while an image is failed or a counted node is pulling, a 59 minute pull that shows nothing included', () => {
  check(
    fc.property(clusters(), policies, fc.nat(999), ({ objects, truth }, policy, now) => {
      const verdict = lookAt(objects, { now, policy, facts: lookAt(objects, { now: 0, policy }).facts });
      const stories = [...truth.values()];
      const isDone = (story: StoryName): boolean =>
        story === 'half' && (objects[0]?.spec.template.spec.containers.length as number) < 3;
      const pulling = stories.filter((story) => ALWAYS_COUNTED.includes(story) && !isDone(story));
      if (pulling.length > 0 || stories.includes('invalid'))
        expect(verdict.health === 'Healthy' && !stories.includes('pulledFromRegistry')).toBe(false);
      if (verdict.health === 'Healthy' && verdict.facts.pullers.get('ds')?.completed !== true)
        expect(verdict.counts).toMatchObject({ pulling: 0, failed: 0 });
    }),
  );
  const slow = [puller(), ...clustersOf59Minutes()];
  expect(lookAt(slow, { now: 3540 }).health).toBe('Progressing');
});

function clustersOf59Minutes(): Raw[] {
  const raw = pulledPod('n1');
  const creating = { name: 'pull-0', state: { waiting: { reason: 'ContainerCreating' } } };
  return [{ ...raw, status: { ...raw.status, containerStatuses: [creating] } }];
}

// With strict or min-pulled it can: a node that alone cannot reach the registry is then tolerated, and that is counted.
test('adding a pulled node never makes it worse', () => {
  check(
    fc.property(clusters(), policies, times, fc.nat(5000), (cluster, policy, start, wait) => {
      const lax = { ...policy, strict: false, minPulled: { nodes: 0 } };
      const { objects, shape, role, desired } = cluster;
      const more = [puller({ ...shape, role, desired: desired + 1 }), ...objects.slice(1), pulledPod('z', shape)];
      const health = (list: Raw[]): number => {
        const first = lookAt(list, { now: start, policy: lax });
        const { health: found, reason } = lookAt(list, { now: start + wait, policy: lax, facts: first.facts });
        return reason === 'Confirming' ? HEALTHS.length - 1 : HEALTHS.indexOf(found);
      };
      expect(health(more)).toBeLessThanOrEqual(health(objects));
    }),
  );
});

test('a frozen cluster is decided within the sum of its windows, and recheckAfterMs leads there', () => {
  check(
    fc.property(clusters(), policies, times, ({ objects }, partial, start) => {
      const policy: Policy = { ...DEFAULT_POLICY, ...partial };
      const { schedulingGrace, rejectionGrace, networkGrace, missingImageWindow, deadline } = policy;
      const limit = schedulingGrace + rejectionGrace + networkGrace + missingImageWindow + deadline + 10_000;
      let now = after(start).getTime();
      const end = now + limit;
      let verdict = judge(snapshotOf(objects), policy, new Date(now));
      for (let looks = 0; verdict.health === 'Progressing' && looks < 500; looks += 1) {
        expect(verdict.recheckAfterMs).toBeGreaterThan(0);
        now += verdict.recheckAfterMs ?? Infinity;
        verdict = judge(snapshotOf(objects, { facts: verdict.facts }), policy, new Date(now));
      }
      expect(verdict.health).not.toBe('Progressing');
      expect(now).toBeLessThanOrEqual(end);
    }),
  );
});

test('recheckAfterMs is exact: until then time alone changes nothing', () => {
  check(
    fc.property(clusters(), policies, times, fc.nat(), ({ objects }, partial, start, some) => {
      const policy: Policy = { ...DEFAULT_POLICY, ...partial };
      const verdict = judge(snapshotOf(objects), policy, after(start));
      const open = verdict.recheckAfterMs ?? 10_000_000;
      const later = judge(
        snapshotOf(objects, { facts: verdict.facts }),
        policy,
        new Date(after(start).getTime() + (some % Math.min(open, MEMORY))),
      );
      const { health, reason, message, counts, nodes } = verdict;
      const isFinal = verdict.recheckAfterMs === undefined;
      expect(later).toMatchObject({ health, reason, message, ...(!isFinal && { counts, nodes }) });
    }),
  );
});

const LONGER = ['schedulingGrace', 'rejectionGrace', 'networkGrace', 'missingImageWindow', 'deadline'] as const;

test.each(LONGER)('a bigger %s never makes the verdict earlier', (wait) => {
  check(
    fc.property(clusters(), policies, times, fc.nat(5_000_000), ({ objects }, partial, now, more) => {
      const policy: Policy = { ...DEFAULT_POLICY, ...partial };
      const bigger = { ...policy, [wait]: policy[wait] + more };
      if (wait === 'missingImageWindow' && now * 1000 >= policy.deadline) return;
      const first = lookAt(objects, { now: 0, policy: bigger });
      const look = { now, facts: { ...first.facts, pullers: NO_FACTS.pullers } };
      if (lookAt(objects, { ...look, policy }).health === 'Progressing') {
        expect(lookAt(objects, { ...look, policy: bigger }).health).toBe('Progressing');
      }
    }),
  );
});

test('strict only ever turns Healthy into Degraded', () => {
  check(
    fc.property(clusters(), policies, times, ({ objects }, policy, now) => {
      const { health, nodes } = lookAt(objects, { now, policy: { ...policy, strict: false } });
      const strict = lookAt(objects, { now, policy: { ...policy, strict: true } });
      expect(strict.nodes).toEqual(nodes);
      expect([health, 'Degraded']).toContain(strict.health);
      if (health === 'Progressing') expect(strict.health).toBe('Progressing');
    }),
  );
});

test('pulled + pulling + tolerated + failed are all nodes named or missing', () => {
  check(
    fc.property(clusters(), policies, times, ({ objects, truth }, policy, now) => {
      const { counts, nodes } = lookAt(objects, { now, policy });
      const total = counts.pulled + counts.pulling + counts.tolerated + counts.failed;
      expect(total).toBeGreaterThanOrEqual(Math.max(truth.size, nodes.length));
      expect(total - nodes.length).toBe(
        counts.eligible - [...truth.values()].filter((story) => story !== 'leftOut').length,
      );
    }),
  );
});

test('a node object more, of a node without pods that is ready, changes nothing', () => {
  check(
    fc.property(clusters(['pulled', 'creating', 'full', 'missing']), policies, times, ({ objects }, policy, now) => {
      expect(lookAt([...objects, node('other')], { now, policy })).toEqual(lookAt(objects, { now, policy }));
    }),
  );
});
