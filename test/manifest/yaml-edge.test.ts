/** Odd YAML, one file a case: kubectl must see the same objects before and after us, and we refuse what it refuses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { editStream, objectsIn } from '../../src/manifest/edit.ts';
import { printStream, readStream } from '../../src/manifest/stream.ts';
import { readWithKubectl, withoutProbe, type Reading } from './kubectl.ts';

const folder = process.env.PREPULLER_YAML_EDGE ?? join(import.meta.dirname, '../../../shared/yaml-edge');
const isThere = existsSync(folder);
/** The folder is replaced by unseen data at times: then any number will do. */
const minimum = process.env.PREPULLER_YAML_EDGE === undefined ? 52 : 1;
/** kubectl writes U+FFFD for bytes that are not UTF-8; we refuse them, since nobody meant that. */
const refusedByUsAlone = new Set(['37-not-utf8']);

const names = isThere
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => file.slice(0, -'.yaml'.length))
      .sort()
  : [];
const good = names.filter((name) => !existsSync(join(folder, `${name}.error.txt`)) && !refusedByUsAlone.has(name));
const bad = names.filter((name) => !good.includes(name));

function bytesOf(name: string): Buffer {
  return readFileSync(join(folder, `${name}.yaml`));
}

/** Every object replaced by a copy of itself: each document is written anew. */
function rewritten(name: string): Uint8Array {
  const manifests = readStream(bytesOf(name));
  const replace = new Map(objectsIn(manifests).map((object) => [object, { ...object }]));
  return printStream(editStream(manifests, { replace, drop: new Set(), add: [] }));
}

if (isThere) {
  describe('edge files', () => {
    const before = new Map<string, Reading>();
    const after = new Map<string, Reading>();

    beforeAll(async () => {
      const readings = await readWithKubectl([...names.map(bytesOf), ...good.map(rewritten)]);
      names.forEach((name, index) => before.set(name, readings[index]!));
      good.forEach((name, index) => after.set(name, readings[names.length + index]!));
      console.log(`yaml-edge: ${names.length} files, ${good.length} read, ${bad.length} refused`);
    }, 60_000);

    test('there are enough of them', () => {
      expect(names.length).toBeGreaterThanOrEqual(minimum);
    });

    test.each(good)('%s: unchanged, it keeps its bytes', (name) => {
      const manifests = readStream(bytesOf(name));
      expect(Buffer.from(printStream(manifests)).equals(bytesOf(name))).toBe(true);
      expect(editStream(manifests, { replace: new Map(), drop: new Set(), add: [] })).toEqual(manifests);
    });

    test.each(good)('%s: kubectl reads the recorded objects', (name) => {
      const recorded = join(folder, `${name}.expect.json`);
      expect(before.get(name)?.error).toBeUndefined();
      if (!existsSync(recorded)) return;
      // Recorded through a parser that rounds, so numbers are compared as JavaScript sees them.
      const expected = JSON.parse(readFileSync(recorded, 'utf8')) as object[];
      expect(before.get(name)!.objects.map(rounded)).toEqual(expected.map((object) => withoutProbe(object)));
    });

    test.each(good)('%s: written anew, kubectl reads the same', (name) => {
      expect(after.get(name)?.error).toBeUndefined();
      expect(after.get(name)?.objects).toEqual(before.get(name)?.objects);
    });

    test.each(good)('%s: we see as many objects as kubectl', (name) => {
      expect(objectsIn(readStream(bytesOf(name)))).toHaveLength(before.get(name)!.objects.length);
    });

    test.each(bad)('%s: refused, with document and line', (name) => {
      if (!refusedByUsAlone.has(name)) expect(before.get(name)?.error).toBeDefined();
      expect(() => readStream(bytesOf(name))).toThrow(UserError);
      expect(() => readStream(bytesOf(name))).toThrow(/^document [1-9][0-9]*, line [1-9][0-9]*: \S/);
    });
  });
} else if (process.env.CI !== undefined) {
  test('edge files', () => {
    throw new Error('the folder of edge files is missing: set PREPULLER_YAML_EDGE');
  });
} else {
  test.skip('edge files (no folder: set PREPULLER_YAML_EDGE)', () => undefined);
}

function rounded(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('number ') ? Number(value.slice('number '.length)) : value;
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, rounded(field)]));
}
