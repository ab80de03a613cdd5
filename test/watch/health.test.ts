/** Probes: red for an old picture, an unknown one, a Lease that cannot be read and a look that never ends; else green. */
import type { ControllerState } from '../../src/watch/controller.ts';
import { liveness, readiness } from '../../src/watch/health.ts';

const GOOD: ControllerState = { pictureAge: 1_000, leading: false, leaseKnown: true, queued: 0, longestLook: 0 };

test.each<[string, Partial<ControllerState>, RegExp[]]>([
  ['a fresh picture, leading or not', {}, []],
  ['nothing known yet', { pictureAge: undefined }, [/not known yet/]],
  ['a picture that is too old', { pictureAge: 180_001 }, [/said nothing for 3m1ms/]],
  ['a Lease out of reach, and an old picture', { leaseKnown: false, pictureAge: 200_000 }, [/said nothing/, /Lease/]],
])('ready: %s', (_what, state, problems) => {
  const health = readiness({ ...GOOD, ...state }, 180_000);
  expect(health.ok).toBe(problems.length === 0);
  expect(health.problems).toHaveLength(problems.length);
  for (const [index, problem] of problems.entries()) expect(health.problems[index]).toMatch(problem);
});

test('alive unless a look does not end', () => {
  expect(liveness({ ...GOOD, longestLook: 299_000 }).ok).toBe(true);
  expect(liveness({ ...GOOD, longestLook: 301_000 })).toEqual({
    ok: false,
    problems: ['a look at a puller has not ended for 5m1s'],
  });
});
