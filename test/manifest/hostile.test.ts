/** Input made to hurt. The limits in seconds only catch growth that is not linear: bench/ measures. */
import { readStream } from '../../src/manifest/stream.ts';

const A = 'apiVersion: v1\nkind: A\n';
const JSON_A = '{"apiVersion":"v1","kind":"A"}';

describe('ends quickly, read or refused by name', () => {
  const hostile: [string, () => string, string | number][] = [
    ['10,000 documents', () => `---\n${A}`.repeat(10_000), 10_000],
    ['100,000 separators', () => '---\n'.repeat(100_000), 100_000],
    ['100,000 JSON values', () => JSON_A.repeat(100_000), 100_000],
    ['a document of 100 MB', () => `${A}x: |\n${'  0123456789abcdef\n'.repeat(5_600_000)}`, 'at most 16 MiB'],
    ['a JSON value of 20 MB', () => `{"x":"${'y'.repeat(20_000_000)}"}`, 'at most 16 MiB'],
    ['5 million comment lines', () => '#\n'.repeat(5_000_000), 1],
    ['brackets without end', () => `${A}x: ${'['.repeat(200_000)}`, 'nesting'],
    ['dashes without end', () => `${A}x:\n${'- '.repeat(100_000)}y\n`, 'nesting'],
    [
      'a staircase',
      () => `${A}${Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}x:\n`).join('')}`,
      'nesting',
    ],
    ['deep JSON', () => `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 'nesting'],
    ['a million aliases', () => `${A}x: &x y\nz: [${'*x, '.repeat(1_000_000)}]\n`, 1],
    ['quoted text of 20,000 lines that stand too far left', () => `${A}x: "${'y\n'.repeat(20_000)}"\n`, 1],
    ['5,000 places that stand too far left', () => `${A}x: "${"it's\n".repeat(5_000)}"\n`, 'indent them'],
  ];

  test.each(hostile)(
    '%s',
    (_name, make, expected) => {
      const bytes = Buffer.from(make());
      if (typeof expected === 'number') expect(readStream(bytes)).toHaveLength(expected);
      else expect(() => readStream(bytes)).toThrow(expected);
    },
    20_000,
  );
});
