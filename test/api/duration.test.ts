/** Durations read as Go reads them, whole units only. */
import fc from 'fast-check';
import { parseDuration, printDuration } from '../../src/api/duration.ts';

test.each([
  // text, milliseconds
  ['0', 0],
  ['0s', 0],
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['500ms', 500],
  ['1m500ms', 60_500],
  ['60m', 3_600_000],
  ['30m1h', 5_400_000],
  ['007s', 7000],
])('%s is %d ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  '',
  '30',
  's',
  '1.5h',
  '-1s',
  '+1s',
  '1 m',
  ' 1m',
  '1m ',
  '1d',
  '1M',
  '1h30',
  '1µs',
  '٣s',
  '1m\n',
  '9007199254740993h',
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  // milliseconds, text
  [0, '0s'],
  [1, '1ms'],
  [90_000, '1m30s'],
  [3_600_000, '1h'],
  [3_661_001, '1h1m1s1ms'],
  [360_000_000, '100h'],
])('%d ms are written %s', (milliseconds, text) => {
  expect(printDuration(milliseconds)).toBe(text);
});

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), (milliseconds) => {
      expect(parseDuration(printDuration(milliseconds))).toBe(milliseconds);
    }),
  );
});

test('any text is read or refused, never guessed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('0', '1', '9', 'h', 'm', 's', '.', '-', ' '), maxLength: 8 }),
      (text) => {
        const read = parseDuration(text);
        expect(read === undefined || Number.isSafeInteger(read)).toBe(true);
        expect(read === undefined).toBe(!/^(\d+(h|ms|m|s))+$|^0$/.test(text));
      },
    ),
  );
});
