/**
 * Sidecar and reconciler of different versions: what the one wrote is read by the other. Contract 1 is held here as text, so that a later
 * version that cannot read it any more fails; what a later version may add is read as if it were not there.
 */
import fc from 'fast-check';
import { CONTRACT_ANNOTATION, CONTRACT_VERSION, PREFIX, VERDICT_ANNOTATION } from '../../src/api/names.ts';
import { DEFAULT_POLICY, readPolicy } from '../../src/api/policy.ts';
import { readAnnotation } from '../../src/verdict/annotation.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { threeNodes } from '../watch/simulation.ts';
import type { Simulation } from '../watch/simulation.ts';
import { startWatcher } from '../watch/watchers.ts';
import type { Watcher } from '../watch/watchers.ts';

const MINUTE = 60_000;

let running: Watcher[] = [];
afterEach(async () => {
  await Promise.all(running.map((watcher) => watcher.stop()));
  running = [];
});

function start(simulation: Simulation, identity: string): Watcher {
  const watcher = startWatcher(simulation, identity);
  running.push(watcher);
  return watcher;
}

/** As `generate` of version 0.1.0 writes it: names and texts of contract 1. */
const POLICY_1 = {
  contract: '1',
  strict: 'true',
  'scheduling-grace': '90s',
  'rejection-grace': '45s',
  'network-grace': '6m',
  'missing-image-window': '3m',
  deadline: '2h',
  'on-deadline': 'tolerate',
  'min-pulled': '80%',
  judge: 'reconciler',
  sources: '{"pull-0-lab":"Secret/hub singleuser.image"}',
};

/** As the reconciler of version 0.1.0 writes it, of a puller whose UID is `uid`. */
const VERDICT_1 = {
  at: '2026-03-01T08:02:00Z',
  uid: 'uid',
  generation: 1,
  health: 'Progressing',
  reason: 'Retrying',
  counts: { eligible: 3, pulled: 0, pulling: 3, tolerated: 0, failed: 0 },
  firstLook: 1_772_352_000_000,
  missingSince: 1_772_352_005_000,
  failedSince: [['registry.example/user:2', 1_772_352_010_000]],
  fromRegistry: ['registry.example/tools:1'],
  turnedAway: [['a', 1_772_352_020_000, true]],
  errors: [
    ['b registry.example/user:2', 'missing', 'not found', 1_772_352_030_000, 1_772_352_031_000, 1_772_352_032_000],
  ],
  nodes: [['b', 'pulling', 'Retrying', 'registry.example/user:2']],
  more: 2,
};

function prefixed(annotations: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).map(([name, text]) => [`${PREFIX}/${name}`, text]));
}

/** What a reconciler of this version remembers from a verdict annotation. */
function remembered(verdict: object) {
  const annotations = { [VERDICT_ANNOTATION]: JSON.stringify(verdict) };
  const daemonSet = readDaemonSet({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'pull', namespace: 'hub', uid: 'uid', generation: 1, annotations },
    spec: { selector: {}, template: {} },
  });
  return readAnnotation(daemonSet, new Date('2026-03-01T08:03:00Z'));
}

function without(verdict: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(verdict).filter(([name]) => !names.includes(name)));
}

describe('contract 1', () => {
  test('is the present one; another gets a fixture of its own beside these', () => {
    expect(CONTRACT_VERSION).toBe(POLICY_1.contract);
  });

  test('its policy is read as it was meant', () => {
    expect(readPolicy(prefixed(POLICY_1))).toEqual({
      problems: [],
      policy: {
        strict: true,
        schedulingGrace: 90_000,
        rejectionGrace: 45_000,
        networkGrace: 360_000,
        missingImageWindow: 180_000,
        deadline: 7_200_000,
        onDeadline: 'tolerate',
        minPulled: { percent: 80 },
        judge: 'reconciler',
      },
    });
  });

  test('what its reconciler could not derive again is remembered', () => {
    const facts = remembered(VERDICT_1);
    const seen = Date.parse(VERDICT_1.at);
    expect([...facts.turnedAway]).toEqual([['a', { since: 1_772_352_020_000, seen, uid: 'uid', rejected: true }]]);
    expect(facts.errors.get('b registry.example/user:2')).toMatchObject({
      kind: 'missing',
      text: 'not found',
      refusedAt: 1_772_352_030_000,
      kindSince: 1_772_352_031_000,
      at: 1_772_352_032_000,
    });
    expect(facts.pullers.get('uid')).toMatchObject({
      generation: 1,
      firstLook: 1_772_352_000_000,
      missingSince: 1_772_352_005_000,
      failedSince: new Map([['registry.example/user:2', 1_772_352_010_000]]),
      fromRegistry: new Set(['registry.example/tools:1']),
    });
  });
});

describe('an older writer', () => {
  test('of a policy with fewer settings, or of no contract: defaults, and no word about it', async () => {
    expect(readPolicy({}).policy).toEqual(DEFAULT_POLICY);
    for (const name of Object.keys(POLICY_1)) {
      const fewer = Object.fromEntries(Object.entries(POLICY_1).filter(([one]) => one !== name));
      expect(readPolicy(prefixed(fewer)).problems).toEqual([]);
    }
    const simulation = threeNodes('pulled');
    const watcher = start(simulation, 'one');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toBe('True Pulled');
    expect(watcher.remarks.filter((remark) => remark.includes('version'))).toEqual([]);
  });

  test.each(Object.keys(VERDICT_1).filter((name) => name !== 'at' && name !== 'uid'))(
    'of a verdict without %s: the rest is remembered',
    (name) => {
      const fewer = without(VERDICT_1, [name]);
      const [whole, part] = [remembered(VERDICT_1), remembered(fewer)];
      if (name !== 'turnedAway') expect(part.turnedAway).toEqual(whole.turnedAway);
      if (name !== 'errors') expect(part.errors).toEqual(whole.errors);
      if (name === 'turnedAway' || name === 'errors' || name === 'nodes' || name === 'more')
        expect(part.pullers).toEqual(whole.pullers);
    },
  );
});

describe('a later writer', () => {
  const later = { contract: '2', quorum: '5', 'on-deadline': 'ask-a-person', strict: 'true' };

  test('of a policy: what is not understood takes its default and is named once, the rest counts', async () => {
    const { policy, problems } = readPolicy(prefixed(later));
    expect(policy).toEqual({ ...DEFAULT_POLICY, strict: true });
    expect(problems).toEqual([expect.stringContaining('on-deadline')]);
    const simulation = threeNodes('pulled');
    simulation.annotate('daemonsets', 'pull', prefixed(later));
    const watcher = start(simulation, 'one');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toBe('True Pulled');
    expect(watcher.remarks.filter((remark) => remark.includes('written by another version'))).toHaveLength(1);
  });

  test('of a verdict: fields and entries this version does not know change nothing', () => {
    const known = Object.keys(VERDICT_1);
    const field = fc
      .string({ minLength: 1, maxLength: 20 })
      .filter((name) => !known.includes(name) && name !== '__proto__');
    const whole = remembered(VERDICT_1);
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue(), { maxKeys: 5 }), (added) => {
        expect(remembered({ ...added, ...VERDICT_1 })).toEqual(whole);
      }),
    );
    const longer = {
      ...VERDICT_1,
      turnedAway: VERDICT_1.turnedAway.map((entry) => [...entry, 'why']),
      errors: [...VERDICT_1.errors.map((entry) => [...entry, { hint: 1 }]), ['c q', 'a-kind-to-come', 'text', 1, 2, 3]],
      nodes: [{ node: 'b' }],
    };
    expect(remembered(longer)).toEqual(whole);
  });
});

describe('up and down while a sync runs', () => {
  /** What the other version leaves on the puller: all of it known to this one, less of it, or more. */
  const OTHERS: [string, (verdict: object) => object][] = [
    ['the same', (verdict) => verdict],
    ['an older one', (verdict) => without(verdict, ['turnedAway', 'errors', 'fromRegistry', 'counts'])],
    ['a later one', (verdict) => ({ ...verdict, contract: 2, trend: { rising: true }, hints: ['x'] })],
  ];

  test.each(OTHERS)('a reconciler takes over from %s: a missing image fails, once', async (_who, rewrite) => {
    const simulation = threeNodes('missing');
    const first = start(simulation, 'one');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toMatch(/^Unknown /);
    await first.stop();
    running = [];
    const left = simulation.daemonSet('pull')!.metadata.annotations?.[VERDICT_ANNOTATION] ?? '';
    simulation.annotate('daemonsets', 'pull', {
      [VERDICT_ANNOTATION]: JSON.stringify(rewrite(JSON.parse(left) as object)),
    });
    start(simulation, 'two');
    await simulation.clock.advance(10 * MINUTE);
    expect(simulation.condition('pull')).toBe('False ImageMissing');
    expect(simulation.events().filter((event) => event.includes('ImageMissing'))).toHaveLength(1);
  });

  test.each(OTHERS)('a reconciler takes over from %s: a good pull passes', async (_who, rewrite) => {
    const simulation = threeNodes('pulling');
    const first = start(simulation, 'one');
    await simulation.clock.advance(MINUTE);
    await first.stop();
    running = [];
    const left = simulation.daemonSet('pull')!.metadata.annotations?.[VERDICT_ANNOTATION] ?? '';
    simulation.annotate('daemonsets', 'pull', {
      [VERDICT_ANNOTATION]: JSON.stringify(rewrite(JSON.parse(left) as object)),
    });
    start(simulation, 'two');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toBe('Unknown Pulling');
    for (const node of ['a', 'b', 'c']) simulation.pod('pull', node, 'pulled');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toBe('True Pulled');
  });

  test('the sidecar changes first: a puller of the next contract is judged by this reconciler, in mid-sync', async () => {
    const simulation = threeNodes('pulling');
    start(simulation, 'one');
    await simulation.clock.advance(MINUTE);
    simulation.annotate('daemonsets', 'pull', { [CONTRACT_ANNOTATION]: '2', [`${PREFIX}/quorum`]: '2' });
    await simulation.clock.advance(MINUTE);
    for (const node of ['a', 'b', 'c']) simulation.pod('pull', node, 'pulled');
    await simulation.clock.advance(MINUTE);
    expect(simulation.condition('pull')).toBe('True Pulled');
  });
});
