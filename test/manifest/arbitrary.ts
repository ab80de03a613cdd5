/** Random values and streams for the properties of the manifest folder. */
import fc from 'fast-check';

/** Texts that one YAML reader or another takes for something else. */
const TRICKY = [
  ...[
    'yes',
    'No',
    'on',
    'off',
    'y',
    'N',
    'true',
    'null',
    '~',
    '',
    '0400',
    '0o400',
    '0x1F',
    '0b101',
    '0b-1',
    '1_000',
    '1e3',
  ],
  ...[
    '178819e05792',
    '12:30:45',
    '2024-03-18',
    '2.0',
    '.5',
    '.inf',
    '.nan',
    '<<',
    '=',
    '-',
    '?',
    ':',
    '---',
    '...',
    '08',
    '+1',
  ],
  ...[
    'a: b',
    'a #b',
    '#',
    ' lead',
    'trail ',
    'a\n',
    '\na',
    'a\n\n',
    ' a\n b',
    'a\n  b\n',
    '\t',
    'a\tb',
    '"',
    "'",
    '\\n',
    '{',
    '[x]',
  ],
  ...[
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '\u0007',
    '🤍',
    'é',
    '{{ x }}',
    '%a',
    '@a',
    '`',
    '!x',
    '&a',
    '*a',
    '|',
    '>',
    'a'.repeat(300),
  ],
];

const character = fc.constantFrom(
  ...'ab01 :-#\n\t"\'\\{}[],&*!|>%@`?~.é'.split(''),
  '🤍',
  '\r',
  '\u0085',
  '\u2028',
  '\ufeff',
);
export const text = fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: character, maxLength: 20 }));

const integer = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1, -1, 1e15, 2 ** 53 - 1, 1e21, 2 ** 63));
const bigInteger = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
);
const float = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const leaf = fc.oneof(text, text, integer, bigInteger, float, fc.boolean(), fc.constant(null));

/** JSON values, integers beyond 2^53 as BigInt. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** A document kubectl takes, or nearly so: `name` tells whose it is. */
function documentOf(name: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {\n  "name": "${name}"\n}\n`,
    `# Source: x\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: ${name}}\n`,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}\n`,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}`,
    `apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: ${name}\r\ndata:\r\n  x: |\r\n    a\r\n`,
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  x: |+\n    --- a\n\n\n`,
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}`,
    'null\n',
    '# only a comment\n',
    '',
    '  \n',
    'a scalar\n',
    '- a list\n',
    'kind: [unfinished\n',
  );
}

const separator = fc.constantFrom(
  '---\n',
  '---\n',
  '---\n',
  '\n---\n',
  '--- # c\n',
  '---\r\n',
  '---  \n',
  '...\n---\n',
  '\n',
  '',
  '---x\n',
  '----\n',
  '%YAML 1.1\n---\n',
);
const opening = fc.constantFrom('', '', '---\n', '\ufeff', '\n', '# c\n---\n');

/** Streams of up to four documents, some of them broken. */
export const streamText: fc.Arbitrary<string> = fc
  .tuple(opening, fc.array(fc.tuple(documentOf('a'), separator), { minLength: 1, maxLength: 4 }))
  .map(([start, documents]) => start + documents.map(([body, end]) => body + end).join(''));
