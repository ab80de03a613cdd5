/** YAML as go-yaml v2 under sigs.k8s.io/yaml reads it, and that what we print reads back the same through kubectl. */
import fc from 'fast-check';
import { parseYaml, printYaml, YamlProblem } from '../../src/manifest/yaml.ts';
import { jsonValue, text } from './arbitrary.ts';
import { readWithKubectl } from './kubectl.ts';

// [ scalar, what sigs.k8s.io/yaml makes of it ]
test.each<[string, unknown]>([
  ['yes', true],
  ['No', false],
  ['on', true],
  ['OFF', false],
  ['y', true],
  ['N', false],
  ['tRue', 'tRue'],
  ['~', null],
  ['Null', null],
  ['', null],
  ['nUll', 'nUll'],
  ['0400', 256],
  ['0o400', 256],
  ['-0o17', -15],
  ['08', 8],
  ['0x1F', 31],
  ['0b101', 5],
  ['0b-1', -1],
  ['1_000', 1000],
  ['_1', '_1'],
  ['+12', 12],
  ['-0', 0],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', 2 ** 63],
  ['18446744073709551615', 2 ** 64],
  ['18446744073709551616', 2 ** 64],
  ['0xFFFFFFFFFFFFFFFFF', '0xFFFFFFFFFFFFFFFFF'],
  ['1e3', 1000],
  ['.5', 0.5],
  ['1.', 1],
  ['-1.5e-3', -0.0015],
  ['.1_0', '.1_0'],
  ['178819e05792', '178819e05792'],
  ['12:30:45', '12:30:45'],
  ['2024-03-18', '2024-03-18'],
  ['2024-03-18T10:00:00Z', '2024-03-18T10:00:00Z'],
  ['<<', '<<'],
  ['!!str 0400', '0400'],
  ['!!int "5"', 5],
  ['!!float 1', 1],
  ['!!binary aGk=', 'hi'],
  ['!ours x', 'x'],
  ['!ours {a: 1}', { a: 1 }],
])('%s', (scalar, expected) => {
  expect(parseYaml(`a: ${scalar}\n`)).toEqual({ a: expected });
});

// [ key, its text ]
test.each([
  ['y', 'true'],
  ['0x10', '16'],
  ['1.50', '1.5'],
  ['1e6', '1e+06'],
  ['0.00001', '1e-05'],
  ['3.14159265358979', '3.1415927'],
  ['.inf', '.inf'],
  ['9007199254740993', '9007199254740993'],
  ['"y"', 'y'],
  ['__proto__', '__proto__'],
])('the key %s is %j', (key, expected) => {
  expect(Object.keys(parseYaml(`${key}: 1\n`) as object)).toEqual([expected]);
});

// [ text, value ]
test.each<[string, unknown]>([
  ['a: 1\na: 2\n', { a: 2 }],
  ['b: &b {x: 1, z: 1}\nc: {x: 2, <<: *b}\n', { b: { x: 1, z: 1 }, c: { x: 1, z: 1 } }],
  ['b: &b {x: 1, z: 1}\nc: {<<: *b, x: 2}\n', { b: { x: 1, z: 1 }, c: { x: 2, z: 1 } }],
  ['c: {<<: [{x: 1}, {x: 2, z: 2}]}\n', { c: { x: 1, z: 2 } }],
  ['"<<": {x: 1}\n', { '<<': { x: 1 } }],
  ['a: 1\n...\nb: 2\n', { a: 1 }],
  ['a: {\n  b: [\n  1\n]}\n', { a: { b: [1] } }],
  ['a:\n- "x\n\ny"\n', { a: ['x\ny'] }],
  ['a: "x\u0085  y"\n', { a: 'x y' }],
  ['a: "x\u2028y"\n', { a: 'x\u2028y' }],
  ['# nothing\n', undefined],
  ['', undefined],
  ['\ufeffa: 1\n', { a: 1 }],
])('%j', (source, expected) => {
  expect(parseYaml(source)).toEqual(expected);
});

// [ text, line, words ]
test.each([
  ['a: .inf\n', 1, 'infinity'],
  ['a: 1\nb: [.nan]\n', 2, 'infinity'],
  ['~: 1\n', 1, 'a key is null'],
  ['? [a]\n: 1\n', 1, 'a key is null'],
  ['18446744073709551615: 1\n', 1, 'beyond 64 bits'],
  ['a: 1\nb: {<<: 5}\n', 2, 'map merge'],
  ['a: "\\/"\n', 1, 'escape'],
  ['a: 1\nb: "\\ud83d\\ude00"\n', 2, 'escape'],
  ['a: 1\n\u0007\n', 2, 'non-printable'],
  ['a: 1 # \u001b[0m\n', 1, 'control'],
  ['# x\n...\n', 2, 'end marker'],
  ['  ---\na: 1\n', 1, 'marker'],
  ['a: 1\n# x\u2028b: 2\n', 2, 'separator'],
  ['a:\n\tb: 1\n', 2, 'tab'],
  ['a: *secret\n', 1, 'unidentified alias'],
  ['a: &a [*a]\n', 1, 'contains itself'],
  ['a: "\n...\n"\n', 2, 'stand left of the block'],
  [`a: ${'['.repeat(1001)}${']'.repeat(1001)}\n`, 1, 'nesting'],
])('%j is refused', (source, line, words) => {
  const refusal = refusalOf(source);
  expect(refusal.message).toContain(words);
  expect(refusal.line).toBe(line);
});

function refusalOf(source: string): YamlProblem {
  try {
    parseYaml(source);
  } catch (error) {
    if (error instanceof YamlProblem) return error;
    throw error;
  }
  throw new Error('it was read');
}

test('a refusal never repeats the text', () => {
  const canary = 'CANARY';
  for (const source of [
    `a: *${canary}`,
    `a: !${canary}!x y`,
    `%${canary}`,
    `a: !!int ${canary}`,
    `{${canary}`,
    `a: "${canary}`,
    `!<${canary}\n`,
  ]) {
    expect(refusalOf(source).message).not.toContain(canary);
  }
});

test.each([
  ['lists of lists', bomb((name) => `[${Array.from({ length: 10 }, () => `*${name}`).join(',')}]`)],
  [
    'merged maps',
    `a: &a {${Array.from({ length: 5000 }, (_, index) => `k${index}: 1`).join(',')}}\n${Array.from({ length: 5000 }, (_, index) => `m${index}: {<<: *a}\n`).join('')}`,
  ],
])('an alias bomb of %s is refused by name', (_name, source) => {
  expect(refusalOf(source).message).toContain('aliases excessively');
});

function bomb(body: (previous: string) => string): string {
  const names = 'abcdefghij'.split('');
  return names.map((name, index) => `${name}: &${name} ${index === 0 ? '[x, x]' : body(names[index - 1]!)}\n`).join('');
}

test('aliases that only save typing are read', () => {
  const source = `a: &a {x: 1}\nb: [${Array.from({ length: 90 }, () => '*a').join(', ')}]\n`;
  expect((parseYaml(source) as { b: unknown[] }).b).toHaveLength(90);
});

test('what we print we read again', () => {
  fc.assert(
    fc.property(fc.dictionary(text, jsonValue), (value) => {
      expect(leaves(parseYaml(printYaml({ value })))).toEqual(leaves({ value }));
    }),
    { numRuns: 500 },
  );
});

test.each(['word ', 'aGVsbG8=', 'x: y\n', '\u007f\u2028', '"\\'])('a text of 4 MB made of %j is printed', (unit) => {
  const value = { a: unit.repeat(4_000_000 / unit.length), b: 2n ** 60n };
  expect(parseYaml(printYaml(value))).toEqual(value);
});

test('what we print kubectl reads', async () => {
  const values = fc.sample(fc.dictionary(text, jsonValue, { maxKeys: 6 }), 300);
  const objects = values.map((spec, index) => ({
    apiVersion: 'example.org/v1',
    kind: 'Foo',
    metadata: { name: `n${index}` },
    spec,
  }));
  const [reading] = await readWithKubectl([Buffer.from(objects.map((object) => printYaml(object)).join('---\n'))]);
  expect(reading?.error).toBeUndefined();
  expect(reading?.objects.map((object) => leaves(object))).toEqual(objects.map((object) => leaves(object)));
}, 60_000);

/** Numbers as texts: kubectl's as it printed them, which is how JavaScript prints the same float or integer. */
function leaves(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return `number ${value}`;
  if (Array.isArray(value)) return value.map(leaves);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, leaves(field)]));
}
