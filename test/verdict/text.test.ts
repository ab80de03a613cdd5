/** Texts from outside: one line, no secrets, bounded. */
import fc from 'fast-check';
import { clean, cut, plural, pointOf, timeText } from '../../src/verdict/text.ts';

test.each([
  ['a\nb\tc\u0000d', 'a b c d'],
  ['  much   space ', 'much space'],
  ['right\u202eto left', 'right to left'],
  ['line\u2028end', 'line end'],
  ['Get "https://user:word@r.example/v2/x": EOF', 'Get "https://r.example/v2/x": EOF'],
  ['Get "https://s3.example/blob?X-Amz-Signature=abc&x=1": 403', 'Get "https://s3.example/blob": 403'],
  ['what? no URL', 'what? no URL'],
])('%j becomes %j', (text, expected) => {
  expect(clean(text, 200)).toBe(expected);
});

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'lo…'],
  ['a  bcd', 6, 'a  bcd'],
  ['ab cdefg', 6, 'ab…'],
  ['üüü', 6, 'üüü'],
  ['üüüü', 7, 'üü…'],
  ['😀😀', 7, '😀…'],
])('%j in %i bytes is %j', (text, limit, expected) => {
  expect(cut(text, limit)).toBe(expected);
});

test('never more bytes than allowed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 3, max: 60 }), (text, limit) => {
      expect(Buffer.byteLength(clean(text, limit))).toBeLessThanOrEqual(limit);
    }),
  );
});

test.each([
  [
    'rpc error: code = NotFound desc = failed to pull and unpack image "q/x:1": failed to resolve reference "q/x:1": q/x:1: not found',
    'q/x:1: not found',
  ],
  [
    'failed to pull and unpack image "q/x:1": failed to resolve reference "q/x:1": failed to do request: Head "https://q/v2/": EOF',
    'Head "https://q/v2/": EOF',
  ],
  ['Failed to apply default image tag "q/X": couldn\'t parse image name', "couldn't parse image name"],
  ['initializing source docker://q/x:1: reading manifest 1 in q/x: manifest unknown', 'manifest unknown'],
  ['choosing an image from manifest list docker://q/x:1: no image found', 'no image found'],
  ['reading manifest latest in q.example/x: manifest unknown', 'manifest unknown'],
  ...[
    'rpc error: code = X desc = y',
    'failed to pull and unpack image "q/x:1": y',
    'failed to resolve reference "q/x:1": y',
    'failed to do request: y',
    'Failed to apply default image tag "q/X": y',
    'initializing source docker://q/x:1: y',
    'choosing an image from manifest list docker://q/x:1: y',
    'reading manifest latest in q/x: y',
  ].map((text): [string, string] => [`something else: ${text}`, `something else: ${text}`]),
  ['', ''],
])('the point of %j', (text, expected) => {
  expect(pointOf(text)).toBe(expected);
});

test('times and numbers', () => {
  expect(timeText(Date.parse('2026-01-10T12:00:00.999Z'))).toBe('2026-01-10T12:00:00Z');
  expect(timeText(NaN)).toBe('an unknown time');
  expect([plural(0, 'node'), plural(1, 'node'), plural(2, 'node')]).toEqual(['0 nodes', '1 node', '2 nodes']);
});
