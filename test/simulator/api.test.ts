/** The small rules below the API: patches, selectors, time, events that are counted, combined or dropped. */
import fc from 'fast-check';
import { scopeOf, steppedClock } from '../../simulator/clock.ts';
import { createCorrelator } from '../../simulator/events.ts';
import { jsonPatch } from '../../simulator/json-patch.ts';
import { mergePatch, strategicMergePatch } from '../../simulator/patch.ts';
import { parseQuantity } from '../../simulator/quantities.ts';
import { labelSelector } from '../../simulator/selectors.ts';
import type { ApiObject } from '../../simulator/store.ts';

// [patch type, target, patch, result]
test.each([
  [mergePatch, { a: 1, b: { c: 1 } }, { b: { c: null, d: 2 } }, { a: 1, b: { d: 2 } }],
  [mergePatch, { conditions: [{ type: 'A' }] }, { conditions: [{ type: 'B' }] }, { conditions: [{ type: 'B' }] }],
  [
    strategicMergePatch,
    { conditions: [{ type: 'A', status: 'x', reason: 'r' }] },
    {
      conditions: [
        { type: 'A', status: 'y', reason: null },
        { type: 'B', message: null },
      ],
    },
    { conditions: [{ type: 'A', status: 'y' }, { type: 'B' }] },
  ],
  [
    strategicMergePatch,
    { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
    {
      containers: [
        { name: 'b', $patch: 'delete' },
        { name: 'a', image: '2' },
      ],
    },
    { containers: [{ name: 'a', image: '2' }] },
  ],
  [strategicMergePatch, { finalizers: ['a'] }, { finalizers: ['b'] }, { finalizers: ['b'] }],
  [
    jsonPatch,
    { a: { 'x/y': 1 }, l: [1, 2] },
    [
      { op: 'replace', path: '/a/x~1y', value: 2 },
      { op: 'add', path: '/l/-', value: 3 },
      { op: 'remove', path: '/l/0' },
      { op: 'test', path: '/a', value: { 'x/y': 2 } },
    ],
    { a: { 'x/y': 2 }, l: [2, 3] },
  ],
])('%p', (patch, target, change, result) => {
  const before = structuredClone(target);
  expect(patch(target, change)).toEqual(result);
  expect(target).toEqual(before);
});

test.each([
  ['a=b', true],
  ['a==b,c!=d', true],
  ['a!=b', false],
  ['a in (x, b),!z', true],
  ['a notin (b)', false],
  ['z notin (b)', true],
  ['z', false],
  ['', true],
])('label selector %s on a=b', (text, matches) => {
  expect(labelSelector(text)({ metadata: { labels: { a: 'b' } } } as unknown as ApiObject)).toBe(matches);
});

test.each([
  ['250m', 0.25],
  ['2', 2],
  ['64Mi', 64 * 2 ** 20],
  ['1e3', 1000],
  ['1.5G', 1.5e9],
])('quantity %s', (text, value) => {
  expect(parseQuantity(text)).toBe(value);
});

test('stepped time runs everything in order of its time, then of its planning, cancelled tasks never', async () => {
  const plan = fc.array(fc.record({ at: fc.integer({ min: 0, max: 50 }), cancelled: fc.boolean() }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(plan, async (tasks) => {
      const clock = steppedClock(0);
      const ran: [number, number, number][] = [];
      tasks.forEach(({ at, cancelled }, index) => {
        const cancel = clock.after(at, () => ran.push([at, index, clock.now()]));
        if (cancelled) cancel();
      });
      await clock.advance(60);
      const wanted = tasks
        .map(({ at, cancelled }, index) => ({ at, index, cancelled }))
        .filter((one) => !one.cancelled);
      wanted.sort((a, b) => a.at - b.at || a.index - b.index);
      expect(ran).toEqual(wanted.map(({ at, index }) => [at, index, at]));
    }),
    { numRuns: 50 },
  );
});

test('a scope takes its timers with it', async () => {
  const clock = steppedClock(0);
  const scope = scopeOf(clock);
  let ran = 0;
  scope.clock.after(10, () => (ran += 1));
  scope.stop();
  scope.clock.after(10, () => (ran += 1));
  expect(clock.untilNext()).toBeUndefined();
  await clock.advance(20);
  expect(ran).toBe(0);
});

describe('events', () => {
  const about = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
  } as unknown as ApiObject;
  const source = { component: 'kubelet', host: 'a' };
  const tell = (correlate: ReturnType<typeof createCorrelator>, message: string) =>
    correlate({ about, type: 'Warning', reason: 'Failed', message }, source);

  test('equal ones are counted in one object', () => {
    const correlate = createCorrelator(steppedClock(0));
    const first = tell(correlate, 'x');
    const second = tell(correlate, 'x');
    expect([first?.action, second?.action]).toEqual(['create', 'count']);
    expect(second?.event).toMatchObject({ count: 2, message: 'x' });
    expect(second?.event.metadata).toEqual(first?.event.metadata);
  });

  test('from the tenth similar one on they are combined', () => {
    const correlate = createCorrelator(steppedClock(0));
    const messages = Array.from({ length: 12 }, (_, index) => tell(correlate, `x${String(index)}`)?.event);
    expect(messages[8]).toMatchObject({ message: 'x8', count: 1 });
    expect(messages[9]).toMatchObject({ message: '(combined from similar events): x9', count: 1 });
    expect(messages[11]).toMatchObject({ message: '(combined from similar events): x11', count: 3 });
  });

  test('behind 25 about one object the rest is dropped, one in five minutes gets through', async () => {
    const clock = steppedClock(0);
    const correlate = createCorrelator(clock);
    const written = Array.from({ length: 40 }, () => tell(correlate, 'x')).filter((write) => write !== undefined);
    expect(written).toHaveLength(25);
    await clock.advance(300_000);
    expect([tell(correlate, 'x')?.action, tell(correlate, 'x')?.action]).toEqual(['count', undefined]);
  });
});
