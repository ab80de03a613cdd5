/** How a stream is cut and refused: document and line of each, every byte kept, kubectl as the judge. */
import fc from 'fast-check';
import { UserError } from '../../src/errors.ts';
import { objectsIn } from '../../src/manifest/edit.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { splitStream } from '../../src/manifest/split.ts';
import { printStream, readStream } from '../../src/manifest/stream.ts';
import { streamText } from './arbitrary.ts';
import { readWithKubectl } from './kubectl.ts';

const A = 'apiVersion: v1\nkind: A\n';
const B = 'apiVersion: v1\nkind: B\n';
const JSON_A = '{"apiVersion":"v1","kind":"A"}';
const JSON_B = '{"apiVersion":"v1","kind":"B"}';

function read(text: string): Manifest[] {
  return readStream(Buffer.from(text));
}

// [ stream, [document, line, kind] of each ]
test.each<[string, [number, number, string | undefined][]]>([
  ['', []],
  [A, [[1, 1, 'A']]],
  [`---\n${A}`, [[1, 2, 'A']]],
  [
    `${A}---\n${B}`,
    [
      [1, 1, 'A'],
      [2, 4, 'B'],
    ],
  ],
  [
    `${A}--- # Source: b.yaml\n${B}`,
    [
      [1, 1, 'A'],
      [2, 4, 'B'],
    ],
  ],
  [
    `${A}---  \r\n${B}`,
    [
      [1, 1, 'A'],
      [2, 4, 'B'],
    ],
  ],
  [
    `${A}---\n---\n# c\n---\nnull\n---\n${B}---`,
    [
      [1, 1, 'A'],
      [2, 4, undefined],
      [3, 5, undefined],
      [4, 7, undefined],
      [5, 9, 'B'],
      [6, 11, undefined],
    ],
  ],
  [`${A}text: |\n  ---\n  x\n`, [[1, 1, 'A']]],
  [`\ufeff---\n${A}`, [[1, 1, 'A']]],
  [JSON_A, [[1, 1, 'A']]],
  [
    `\n ${JSON_A}\n\n${JSON_B}\n`,
    [
      [1, 1, 'A'],
      [2, 2, 'B'],
    ],
  ],
  [
    `${JSON_A}null${JSON_B}`,
    [
      [1, 1, 'A'],
      [2, 1, undefined],
      [3, 1, 'B'],
    ],
  ],
  [
    `${JSON_A}\n---\n${B}`,
    [
      [1, 1, 'A'],
      [2, 3, 'B'],
    ],
  ],
  [
    `${JSON_A}\n${B}`,
    [
      [1, 1, 'A'],
      [2, 2, 'B'],
    ],
  ],
  [
    `${JSON_A}\n---\n${JSON_B}\n`,
    [
      [1, 1, 'A'],
      [2, 3, 'B'],
    ],
  ],
  [
    `{apiVersion: v1, kind: A}\n---\n${B}`,
    [
      [1, 1, 'A'],
      [2, 3, 'B'],
    ],
  ],
])('%j is cut into %j', (text, expected) => {
  const manifests = read(text);
  expect(manifests.map(({ position, object }) => [position.document, position.line, object?.kind])).toEqual(expected);
  expect(Buffer.from(printStream(manifests)).toString()).toBe(text);
});

// [ stream, where, words ]
test.each([
  [`${A}---\n- a\n`, 'document 2, line 4', 'but a list'],
  [`${A}---\nWARNING\n`, 'document 2, line 4', 'but a single string'],
  [`${A}---\n5\n`, 'document 2, line 4', 'but a single number'],
  ['a: 1\n', 'document 1, line 1', 'kind is missing'],
  ['kind: A\n', 'document 1, line 1', 'apiVersion is missing'],
  ['apiVersion: v1\nkind: 5\n', 'document 1, line 1', 'kind is missing'],
  [`${A}metadata: x\n`, 'document 1, line 1', 'metadata is a single string'],
  [`${A}items: {}\n`, 'document 1, line 1', 'items is not a list'],
  [`${A}items: [5]\n`, 'document 1, line 1', 'items[0]: the document is no Kubernetes object'],
  ['apiVersion: v1\nkind: List\nitems:\n- metadata: {}\n', 'document 1, line 1', 'items[0]: kind is missing'],
  [`${A}---\n${B}x: [\n`, 'document 2, line 7', ''],
  [`${A}---\n${B}\tx: 1\n`, 'document 2, line 6', 'tab'],
  [`${A}x: .nan\n`, 'document 1, line 3', 'infinity'],
  [`${A}--- x\n${B}`, 'document 2, line 3', 'text follows the separator'],
  [`${A}----\n${B}`, 'document 2, line 3', 'text follows the separator'],
  [`---x\n${A}`, 'document 1, line 1', 'text follows the separator'],
  [`%YAML 1.1\n---\n${A}`, 'document 1, line 2', 'directives end mark'],
  [`${JSON_A}${JSON_B}\n---\n${A}`, 'document 3, line 1', 'does not go on as such'],
  [`${JSON_A}\n{"apiVersion":"v1","kind":"B","x":1e999}`, 'document 2, line 1', 'out of range'],
  [`${JSON_A}\n5`, 'document 2, line 1', 'but a single number'],
  [`${JSON_A} #`, 'document 2, line 1', 'neither JSON nor YAML'],
])('%j is refused at %s', (text, where, words) => {
  expect(() => read(text)).toThrow(UserError);
  expect(() => read(text)).toThrow(`${where}: `);
  expect(() => read(text)).toThrow(words);
});

describe('bytes that are not UTF-8', () => {
  const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

  test.each([
    [`${A}metadata: {name: caf\u00e9}\n`, 'document 1, line 3'],
    [`${A}---\n${B}caf\u00e9: 1\n`, 'document 2, line 6'],
    [`${A}x: {y: ["\ufffd\u00e9"]}\n`, 'document 1, line 3'],
  ])('in %j are refused at %s', (text, where) => {
    expect(() => readStream(latin1(text))).toThrow(`${where}: the text is not UTF-8`);
  });

  test('in a comment do not matter', () => {
    const bytes = latin1(`${A}# caf\u00e9\nx: 1\n`);
    expect(readStream(bytes)[0]?.object).toMatchObject({ kind: 'A', x: 1 });
    expect(printStream(readStream(bytes))).toEqual(bytes);
  });
});

test('no refusal repeats what a document holds', () => {
  for (const text of [
    'password: *CANARY',
    'password: [CANARY',
    '- CANARY',
    'password: "CANARY',
    '--- CANARY',
    `{"CANARY"}`,
  ]) {
    const refusal = (): Manifest[] => read(text);
    expect(refusal).toThrow(UserError);
    expect(refusal).not.toThrow('CANARY');
  }
});

test('numbers of JSON documents are exact', () => {
  const text = '{"apiVersion":"v1","kind":"A","i":9007199254740993,"u":18446744073709551615,"f":1.50,"e":1e3}';
  expect(read(text)[0]?.object).toMatchObject({ i: 9007199254740993n, u: 2 ** 64, f: 1.5, e: 1000 });
});

test('cutting keeps every byte of any bytes', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .constantFrom('---\n', '\n---\n', '--- #\n', '{"a":1}', '{', '}', '\n', '\r\n', ' ', 'null', '"')
      .map((text) => new Uint8Array(Buffer.from(text))),
  );
  let cut = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const bytes = Buffer.concat(pieces);
      const chunks = orRefusal(() => splitStream(bytes));
      if (chunks === undefined) return;
      cut += 1;
      expect(Buffer.concat(chunks.flatMap(({ separator, body }) => [separator, body])).equals(bytes)).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(cut).toBeGreaterThan(500);
});

test('reading and printing any stream is identity', () => {
  let number = 0;
  fc.assert(
    fc.property(streamText, (text) => {
      const manifests = orRefusal(() => read(text));
      if (manifests === undefined) return;
      number += 1;
      expect(Buffer.from(printStream(manifests)).toString()).toBe(text);
    }),
    { numRuns: 1000 },
  );
  expect(number).toBeGreaterThan(200);
});

test('kubectl sees as many objects, and refuses what we refuse', async () => {
  const texts = [...new Set(fc.sample(streamText, 400))];
  const readings = await readWithKubectl(texts.map((text) => Buffer.from(text)));
  const ours = texts.map((text) => orRefusal(() => objectsIn(read(text)).length));
  const differences = texts.flatMap((text, index) => {
    const { objects, error } = readings[index]!;
    const kubectl = error === undefined ? objects.length : undefined;
    return kubectl === ours[index] || isOurOwnRefusal(text) ? [] : [{ text, kubectl, error, ours: ours[index] }];
  });
  expect(differences).toEqual([]);
  expect(ours.filter((count) => count !== undefined && count > 0).length).toBeGreaterThan(50);
}, 60_000);

/** kubectl drops silently what follows the end of a document, and reads on over an end marker or a directive right after `---`. */
function isOurOwnRefusal(text: string): boolean {
  const refusal = ((): string => {
    try {
      read(text);
      return '';
    } catch (error) {
      return error instanceof UserError ? error.message : '';
    }
  })();
  return /separator is expected|end marker|directives end mark/.test(refusal);
}

function orRefusal<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

test('a refused document names the template Helm made it from', () => {
  const stream =
    '---\n# Source: hub/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\n---\n# Source: hub/templates/b.yaml\nkind: Secret\n';
  expect(() => readStream(Buffer.from(stream))).toThrow(/^document 2, line \d+ \(from hub\/templates\/b\.yaml\): /);
});
