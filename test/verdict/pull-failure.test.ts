/** One image's failing pull: which text counts, since when it fails, and when that is final. */
import type { RememberedError } from '../../src/verdict/facts.ts';
import { classify } from '../../src/verdict/pull-errors.ts';
import { finalAfter, isPullReason, readFailure, type FailureInput } from '../../src/verdict/pull-failure.ts';
import { readEvent } from '../../src/verdict/read-pod.ts';
import type { Event } from '../../src/verdict/snapshot.ts';
import { after, failedPull, stamp } from './cluster.ts';

const IMAGE = 'quay.io/a/nb:1';
const NOT_FOUND = `${IMAGE}: not found`;
const DENIED = 'unauthorized: access denied';
const BUSY = '429 Too Many Requests';
const REFUSED = 'dial tcp 10.0.0.1:443: connect: connection refused';
const time = (seconds: number): number => after(seconds).getTime();
const seen = (text: string, ...times: number[]): Event =>
  readEvent(failedPull({ kind: 'Pod', metadata: {} }, text, ...times));
const backOff = (text = ''): FailureInput['waiting'] => ({
  reason: 'ImagePullBackOff',
  message: `Back-off pulling image "${IMAGE}"${text === '' ? '' : `: ErrImagePull: ${text}`}`,
});

const remembered = (fields: Partial<RememberedError>): RememberedError => ({
  kind: 'missing',
  text: NOT_FOUND,
  refusedAt: time(10),
  kindSince: time(10),
  at: time(20),
  shown: 'ErrImagePull',
  seen: time(20),
  ...fields,
});

function read(input: Partial<FailureInput>): RememberedError {
  return readFailure({
    image: IMAGE,
    waiting: backOff(),
    events: [],
    remembered: undefined,
    fallback: time(3),
    classify,
    once: false,
    floor: -Infinity,
    now: time(100),
    ...input,
  });
}

describe('which text counts', () => {
  test.each<[string, Partial<FailureInput>, string]>([
    [
      'the kubelet’s own of now',
      { waiting: { reason: 'ErrImagePull', message: NOT_FOUND }, events: [seen(BUSY, 5)] },
      'missing',
    ],
    [
      'what back-off repeats',
      { waiting: backOff(BUSY), events: [seen(NOT_FOUND, 5)], remembered: remembered({}) },
      'busy',
    ],
    ['the newest event when back-off hides it', { events: [seen(NOT_FOUND, 5), seen(BUSY, 6)] }, 'busy'],
    ['memory when it is newer', { events: [seen(BUSY, 6)], remembered: remembered({ at: time(20) }) }, 'missing'],
    ['events when they are newer', { events: [seen(BUSY, 30)], remembered: remembered({ at: time(20) }) }, 'busy'],
    ['an answer before an error of the same time', { events: [seen(BUSY, 5), seen(NOT_FOUND, 5)] }, 'missing'],
    ['a timed event before an untimed one', { events: [seen(NOT_FOUND), seen(BUSY, 5)] }, 'busy'],
    ['nothing', {}, 'unknown'],
    [
      'no event of another image',
      { events: [{ ...seen(NOT_FOUND, 5), message: 'Failed to pull image "x": not found' }] },
      'unknown',
    ],
    ['no event of another reason', { events: [{ ...seen(NOT_FOUND, 5), reason: 'BackOff' }] }, 'unknown'],
    [
      'credentials, which no lost connection takes back',
      { waiting: backOff(REFUSED), events: [seen(DENIED, 5)] },
      'credentials',
    ],
    ['a missing image is not kept over it', { waiting: backOff(REFUSED), events: [seen(NOT_FOUND, 5)] }, 'connection'],
    ['credentials are not kept over another answer', { waiting: backOff(BUSY), events: [seen(DENIED, 5)] }, 'busy'],
  ])('%s', (_, input, kind) => {
    expect(read(input).kind).toBe(kind);
  });

  test('of two equal ones always the same', () => {
    const texts = [seen(`${NOT_FOUND} b`, 5), seen(`${NOT_FOUND} a`, 5)];
    expect(read({ events: texts }).text).toBe(`${NOT_FOUND} a`);
    expect(read({ events: texts.reverse() }).text).toBe(`${NOT_FOUND} a`);
  });
});

describe('since when', () => {
  test.each<[string, Partial<FailureInput>, number | undefined]>([
    ['memory', { events: [seen(NOT_FOUND, 5)], remembered: remembered({ refusedAt: time(1) }) }, 1],
    ['the first event that refuses', { events: [seen(BUSY, 4), seen(NOT_FOUND, 6, 9), seen(`${NOT_FOUND}.`, 7)] }, 6],
    ['the fallback', { waiting: backOff(NOT_FOUND) }, 3],
    [
      'now, when what is remembered was no refusal',
      { waiting: backOff(NOT_FOUND), remembered: remembered({ kind: 'busy', refusedAt: undefined }) },
      100,
    ],
    ['kept over errors that may pass', { waiting: backOff(BUSY), remembered: remembered({ refusedAt: time(1) }) }, 1],
    ['never, for errors that may pass', { waiting: backOff(BUSY) }, undefined],
    ['not before retry-at', { events: [seen(NOT_FOUND, 5)], floor: time(50) }, 50],
  ])('refused: %s', (_, input, expected) => {
    expect(read(input).refusedAt).toBe(expected === undefined ? undefined : time(expected));
  });

  test.each<[string, Partial<FailureInput>, number]>([
    [
      'memory of the same kind',
      { waiting: backOff(REFUSED), remembered: remembered({ kind: 'connection', kindSince: time(8) }) },
      8,
    ],
    [
      'another kind begins anew',
      { waiting: backOff(REFUSED), remembered: remembered({ kind: 'busy', kindSince: time(8) }) },
      100,
    ],
    ['by its own events', { waiting: backOff(REFUSED), events: [seen(BUSY, 4), seen(REFUSED, 7, 90)] }, 7],
    ['the fallback', { waiting: backOff(REFUSED) }, 3],
    ['not before retry-at', { waiting: backOff(REFUSED), floor: time(50) }, 50],
  ])('this kind: %s', (_, input, expected) => {
    expect(read(input).kindSince).toBe(time(expected));
  });

  test.each<[string, Partial<FailureInput>, number | undefined]>([
    ['back-off is no attempt', {}, undefined],
    ['the newest event', { events: [seen(NOT_FOUND, 5, 75), seen(BUSY, 6)] }, 75],
    [
      'ErrImagePull after back-off',
      {
        waiting: { reason: 'ErrImagePull', message: NOT_FOUND },
        remembered: remembered({ shown: 'ImagePullBackOff' }),
      },
      100,
    ],
    [
      'ErrImagePull that still stands',
      { waiting: { reason: 'ErrImagePull', message: NOT_FOUND }, remembered: remembered({}) },
      20,
    ],
    ['ErrImagePull at the first look', { waiting: { reason: 'ErrImagePull', message: NOT_FOUND } }, undefined],
    [
      'ErrImagePull after a restart of ours',
      { waiting: { reason: 'ErrImagePull', message: NOT_FOUND }, remembered: remembered({ shown: undefined }) },
      20,
    ],
    ['ErrImagePull in a single look', { waiting: { reason: 'ErrImagePull', message: NOT_FOUND }, once: true }, 100],
    ['back-off in a single look', { once: true }, undefined],
  ])('newest attempt: %s', (_, input, expected) => {
    expect(read(input).at).toBe(expected === undefined ? undefined : time(expected));
  });

  test('what the kubelet shows is remembered', () => {
    expect(read({})).toMatchObject({ shown: 'ImagePullBackOff', seen: time(100) });
    expect(stamp(100)).toBe(after(100).toISOString().replace('.000', ''));
  });
});

describe('when it is final, in seconds after the first refusal', () => {
  const at = (seconds: number): Partial<RememberedError> => ({ refusedAt: time(0), at: time(seconds) });
  const minutes = 60_000;
  test.each<[string, Partial<RememberedError>, { window?: number; once?: boolean; busy?: boolean }, number]>([
    ['invalid', { kind: 'invalid', refusedAt: undefined }, {}, 0],
    ['never', { kind: 'never' }, {}, 0],
    ['tried after the window', at(150), {}, 120],
    ['tried just at its end', at(120), {}, 120],
    ['tried before: the slowest rhythm and some slack', at(70), {}, 70 + 360],
    ['tried before, another image is being pulled', at(70), { busy: true }, Infinity],
    ['no attempt known', { refusedAt: time(0), at: undefined }, {}, 360],
    ['no attempt known, a long window', { refusedAt: time(0), at: undefined }, { window: 10 * minutes }, 600],
    ['one look: the kubelet’s next attempt', at(70), { once: true }, 150],
    ['one look, busy or not', at(70), { once: true, busy: true }, 150],
    ['one look, a window between attempts', at(0), { once: true, window: 71_000 }, 150],
    ['one look, a window at an attempt', at(0), { once: true, window: 70_000 }, 70],
    ['one look, a window in the slow rhythm', at(0), { once: true, window: 311_000 }, 610],
    ['one look, a longer one', at(0), { once: true, window: 611_000 }, 910],
    ['one look, at the end of the table', at(0), { once: true, window: 310_000 }, 310],
  ])('%s', (_, fields, { window = 120_000, once = false, busy = false }, expected) => {
    expect(finalAfter(remembered(fields), { window, once, busy })).toBe(expected * 1000);
  });
});

test.each([
  ['ErrImagePull', true],
  ['ImagePullBackOff', true],
  ['InvalidImageName', true],
  ['ErrImageNeverPull', true],
  ['ImageInspectError', true],
  ['RegistryUnavailable', true],
  ['SignatureValidationFailed', true],
  ['CrashLoopBackOff', false],
  ['CreateContainerConfigError', false],
])('%s is about a pull: %s', (reason, expected) => {
  expect(isPullReason(reason)).toBe(expected);
});
