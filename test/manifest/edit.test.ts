/** What an edit changes and what it must leave alone, judged by bytes and by kubectl. */
import fc from 'fast-check';
import { UserError } from '../../src/errors.ts';
import { editStream, objectsIn, type Edit } from '../../src/manifest/edit.ts';
import type { KubeObject, Manifest } from '../../src/manifest/manifest.ts';
import { printStream, readStream } from '../../src/manifest/stream.ts';
import { streamText } from './arbitrary.ts';
import { readWithKubectl } from './kubectl.ts';

const NONE: Edit = { replace: new Map(), drop: new Set(), add: [] };
const ADDED: KubeObject = { apiVersion: 'v1', kind: 'Added', metadata: { name: 'added' } };

function read(text: string): Manifest[] {
  return readStream(Buffer.from(text));
}

function named(name: string): string {
  return `apiVersion: v1\nkind: Foo\nmetadata:\n  name: ${name}\n`;
}

function json(name: string): string {
  return `{"apiVersion":"v1","kind":"Foo","metadata":{"name":"${name}"}}`;
}

function find(manifests: Manifest[], name: string): KubeObject {
  const object = objectsIn(manifests).find(({ metadata }) => metadata.name === name);
  if (object === undefined) throw new Error(`no ${name}`);
  return object;
}

/** The stream after dropping, renaming to upper case and adding. */
function edited(
  text: string,
  { drop = [], rename = [], add = [] }: { drop?: string[]; rename?: string[]; add?: KubeObject[] },
): string {
  const manifests = read(text);
  const replace = new Map(
    rename.map((name) => {
      const object = find(manifests, name);
      return [object, { ...object, metadata: { ...object.metadata, name: name.toUpperCase() } }];
    }),
  );
  const stream = editStream(manifests, { replace, drop: new Set(drop.map((name) => find(manifests, name))), add });
  return Buffer.from(printStream(stream)).toString();
}

const added = '---\napiVersion: v1\nkind: Added\nmetadata:\n  name: added\n';

// [ what, before, change, after ]
test.each<[string, string, Parameters<typeof edited>[1], string]>([
  ['nothing', `${named('a')}---\n${named('b')}`, {}, `${named('a')}---\n${named('b')}`],
  [
    'the second of three',
    `${named('a')}---\n# b\n\n${named('b')}--- # c\n${named('c')}`,
    { rename: ['b'] },
    `${named('a')}---\n# b\n${named('B')}--- # c\n${named('c')}`,
  ],
  [
    'a document with comments and quotes',
    `# Source: x.yaml\r\napiVersion: "v1" # v\nkind: Foo\nmetadata: {name: a}\nx: "yes"\n`,
    { rename: ['a'] },
    `# Source: x.yaml\r\napiVersion: v1\nkind: Foo\nmetadata:\n  name: A\nx: 'yes'\n`,
  ],
  [
    'a comment that another break ends',
    `# x\rapiVersion: v1\nkind: Foo\nmetadata: {name: a}\n`,
    { rename: ['a'] },
    named('A'),
  ],
  ['the first dropped', `${named('a')}---\n${named('b')}`, { drop: ['a'] }, `---\n${named('b')}`],
  ['the last dropped', `${named('a')}---\n${named('b')}`, { drop: ['b'] }, named('a')],
  ['all dropped', `${named('a')}---\n${named('b')}`, { drop: ['a', 'b'] }, ''],
  ['added', named('a'), { add: [ADDED, ADDED] }, named('a') + added + added],
  ['added to nothing', '', { add: [ADDED] }, added],
  ['added after no line break', named('a').trimEnd(), { add: [ADDED] }, `${named('a')}${added}`],
  ['added after a bare separator', `${named('a')}---`, { add: [ADDED] }, `${named('a')}---\n${added}`],
  [
    'one object of a List',
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Foo, metadata: {name: a}}\n- {apiVersion: v1, kind: Foo, metadata: {name: b}}\n`,
    { rename: ['b'] },
    `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Foo\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: Foo\n  metadata:\n    name: B\nmetadata: {}\n`,
  ],
  [
    'one object out of a List',
    `apiVersion: v1\nkind: List\nmetadata: {}\nitems:\n- {apiVersion: v1, kind: Foo, metadata: {name: a}}\n- {apiVersion: v1, kind: Foo, metadata: {name: b}}\n`,
    { drop: ['a'] },
    `apiVersion: v1\nkind: List\nmetadata: {}\nitems:\n- apiVersion: v1\n  kind: Foo\n  metadata:\n    name: b\n`,
  ],
  [
    'all of a List',
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Foo, metadata: {name: a}}\n---\n${named('b')}`,
    { drop: ['a'] },
    `---\n${named('b')}`,
  ],
  ['one JSON document', json('a'), { rename: ['a'], add: [ADDED] }, named('A') + added],
  ['JSON before YAML', `${json('a')}\n---\n${named('b')}`, { rename: ['a'] }, `${named('A')}---\n${named('b')}`],
  ['JSON right before YAML', `${json('a')}\n${named('b')}`, { rename: ['a'] }, `${named('A')}---\n${named('b')}`],
  ['YAML right after JSON', `${json('a')}\n${named('b')}`, { rename: ['b'] }, `${json('a')}\n---\n${named('B')}`],
])('%s', (_what, before, change, after) => {
  expect(edited(before, change)).toBe(after);
});

test('a stream of JSON values stays one', () => {
  const after = edited(`${json('a')}\n${json('b')} ${json('c')}`, { rename: ['b'], drop: ['a'], add: [ADDED] });
  expect(after).toBe(
    `${JSON.stringify({ apiVersion: 'v1', kind: 'Foo', metadata: { name: 'B' } }, null, 2)}\n ${json('c')}${JSON.stringify(ADDED, null, 2)}\n`,
  );
});

test('integers stay exact in both forms', () => {
  const big = '{"apiVersion":"v1","kind":"Foo","metadata":{"name":"a"},"n":9223372036854775807}';
  expect(edited(big, { rename: ['a'] })).toContain("'n': 9223372036854775807\n");
  expect(edited(`${big}\n${json('b')}`, { rename: ['a'] })).toContain('"n": 9223372036854775807\n');
});

test('the objects: in order, Lists within Lists flattened, typed Lists filled, the same at each call', () => {
  const manifests = read(
    `${named('a')}---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: SecretList\n  items: [{metadata: {name: b}}]\n- {apiVersion: v1, kind: Foo, metadata: {name: c}}\n---\napiVersion: v1\nkind: PodList\nitems: null\n---\n# none\n`,
  );
  const objects = objectsIn(manifests);
  expect(objects.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
    ['v1', 'Foo', 'a'],
    ['v1', 'Secret', 'b'],
    ['v1', 'Foo', 'c'],
  ]);
  objectsIn(manifests).forEach((object, index) => {
    expect(object).toBe(objects[index]);
  });
});

test('an object without metadata has an empty one', () => {
  expect(objectsIn(read('apiVersion: v1\nkind: Foo\n'))[0]?.metadata).toEqual({});
});

test('what is edited can be edited again', () => {
  const once = editStream(read(named('a')), { ...NONE, add: [ADDED] });
  const twice = editStream(once, { ...NONE, drop: new Set([ADDED]) });
  expect(Buffer.from(printStream(twice)).toString()).toBe(named('a'));
});

test('an edit that changes nothing keeps each manifest', () => {
  fc.assert(
    fc.property(streamText, (text) => {
      const manifests = orRefusal(() => read(text));
      if (manifests === undefined) return;
      editStream(manifests, NONE).forEach((manifest, index) => {
        expect(manifest).toBe(manifests[index]);
      });
    }),
  );
});

test('kubectl sees the edit and nothing else', async () => {
  const choice = fc.array(fc.constantFrom('keep', 'drop', 'label'), { minLength: 8, maxLength: 8 });
  const samples = fc.sample(fc.tuple(streamText, choice, fc.boolean()), 400).flatMap(([text, choices, isAdded]) => {
    const manifests = orRefusal(() => read(text));
    return manifests === undefined ? [] : [{ text, manifests, choices, isAdded }];
  });
  const labels = { edited: 'yes' };
  const streams = samples.map(({ manifests, choices, isAdded }) => {
    const objects = objectsIn(manifests);
    const chosen = (what: string): KubeObject[] => objects.filter((_object, index) => choices[index] === what);
    const replace = new Map(
      chosen('label').map((object) => [object, { ...object, metadata: { ...object.metadata, labels } }]),
    );
    return printStream(editStream(manifests, { replace, drop: new Set(chosen('drop')), add: isAdded ? [ADDED] : [] }));
  });
  const readings = await readWithKubectl([...samples.map(({ text }) => Buffer.from(text)), ...streams]);
  samples.forEach(({ text, choices, isAdded }, index) => {
    const before = readings[index]!.objects as KubeObject[];
    const expected = before.flatMap((object, at) => {
      if (choices[at] === 'drop') return [];
      return choices[at] === 'label' ? [{ ...object, metadata: { ...object.metadata, labels } }] : [object];
    });
    const after = readings[samples.length + index]!;
    expect({ text, ...after }).toEqual({ text, objects: isAdded ? [...expected, ADDED] : expected });
  });
  expect(samples.length).toBeGreaterThan(50);
}, 60_000);

function orRefusal<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
