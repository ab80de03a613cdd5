/** A policy survives its way through annotations; text it does not take is named and the default stands. */
import fc from 'fast-check';
import { PREFIX } from '../../src/api/names.ts';
import { DEFAULT_POLICY, POLICY_SETTINGS, printPolicy, readPolicy, type Policy } from '../../src/api/policy.ts';

const milliseconds = fc.nat({ max: 10 ** 10 });
const policies: fc.Arbitrary<Policy> = fc.record({
  strict: fc.boolean(),
  schedulingGrace: milliseconds,
  rejectionGrace: milliseconds,
  networkGrace: milliseconds,
  missingImageWindow: milliseconds,
  deadline: milliseconds,
  onDeadline: fc.constantFrom('fail', 'tolerate'),
  minPulled: fc.oneof(fc.record({ nodes: fc.nat({ max: 999_999_999 }) }), fc.record({ percent: fc.nat({ max: 100 }) })),
  judge: fc.constantFrom('reconciler', 'builtin'),
});

test('a policy written as annotations is read back, and all of it is written', () => {
  fc.assert(
    fc.property(policies, (policy) => {
      const annotations = printPolicy(policy);
      expect(readPolicy(annotations)).toEqual({ policy, problems: [] });
      expect(Object.keys(annotations)).toHaveLength(Object.keys(POLICY_SETTINGS).length);
      expect(Object.values(annotations).every((text) => typeof text === 'string')).toBe(true);
    }),
  );
});

test('an object without our annotations has the default policy', () => {
  expect(readPolicy({ 'example.org/strict': 'true' })).toEqual({ policy: DEFAULT_POLICY, problems: [] });
});

test('the defaults are the documented ones', () => {
  expect(printPolicy(DEFAULT_POLICY)).toEqual(
    Object.fromEntries(
      Object.entries({
        strict: 'false',
        'scheduling-grace': '1m',
        'rejection-grace': '30s',
        'network-grace': '5m',
        'missing-image-window': '2m',
        deadline: '1h',
        'on-deadline': 'fail',
        'min-pulled': '0',
        judge: 'reconciler',
      }).map(([name, text]) => [`${PREFIX}/${name}`, text]),
    ),
  );
});

test.each([
  // setting, text, what it reads as
  ['strict', 'true', { strict: true }],
  ['strict', 'false', { strict: false }],
  ['scheduling-grace', '90s', { schedulingGrace: 90_000 }],
  ['deadline', '0', { deadline: 0 }],
  ['on-deadline', 'tolerate', { onDeadline: 'tolerate' }],
  ['min-pulled', '3', { minPulled: { nodes: 3 } }],
  ['min-pulled', '80%', { minPulled: { percent: 80 } }],
  ['min-pulled', '100%', { minPulled: { percent: 100 } }],
  ['min-pulled', '0%', { minPulled: { percent: 0 } }],
  ['judge', 'builtin', { judge: 'builtin' }],
])('%s: %s', (name, text, expected) => {
  expect(readPolicy({ [`${PREFIX}/${name}`]: text })).toEqual({
    policy: { ...DEFAULT_POLICY, ...expected },
    problems: [],
  });
});

test.each([
  ['strict', 'True'],
  ['strict', '1'],
  ['strict', ''],
  ['scheduling-grace', '60'],
  ['deadline', '1d'],
  ['on-deadline', 'ignore'],
  ['min-pulled', '101%'],
  ['min-pulled', '-1'],
  ['min-pulled', '0.5'],
  ['min-pulled', '80 %'],
  ['min-pulled', '1000000000'],
  ['judge', 'lua'],
])('%s: %j is named, and its default stands', (name, text) => {
  const { policy, problems } = readPolicy({ [`${PREFIX}/${name}`]: text });
  expect(policy).toEqual(DEFAULT_POLICY);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`${PREFIX}/${name} takes `);
});

test('every unreadable annotation is named, the readable ones count', () => {
  const reading = readPolicy({ [`${PREFIX}/strict`]: 'yes', [`${PREFIX}/deadline`]: '2h', [`${PREFIX}/judge`]: '' });
  expect(reading.policy).toEqual({ ...DEFAULT_POLICY, deadline: 7_200_000 });
  expect(reading.problems).toHaveLength(2);
});

test('the defaults cannot be changed through a reading', () => {
  readPolicy({}).policy.strict = true;
  expect(readPolicy({}).policy.strict).toBe(false);
});
