/** Streams with bytes cut out, doubled and put in: kept byte for byte or refused, cut where a second reading cuts, read as kubectl reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { UserError } from '../../src/errors.ts';
import { objectsIn } from '../../src/manifest/edit.ts';
import { splitStream } from '../../src/manifest/split.ts';
import { printStream, readStream } from '../../src/manifest/stream.ts';
import { fuzz, seed, report, times } from '../long-mode.ts';
import { streamText } from './arbitrary.ts';
import { readWithKubectl } from './kubectl.ts';

const EXAMPLES = ['labelled-workload', 'hub', 'profiles'].map((name) =>
  readFileSync(join(import.meta.dirname, `../../examples/${name}/expected.yaml`), 'latin1').slice(0, 6000),
);

const piece = fc.constantFrom(
  ...['---', '\n---\n', '--- #\n', '---\t\r\n', '...', '\n', '\r', ' ', '\t', '{', '}', '[', ']', '"', "'", ':', '- '],
  ...['&a ', '*a', '!!str ', '|', '>-\n', '#', '%YAML 1.1\n', '<<: ', '\u00ff', '\u00ef\u00bb\u00bf', '\0', '{"a":1}'],
);
interface Edit {
  at: number;
  remove: number;
  insert: string;
  repeat: number;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  insert: piece,
  repeat: fc.nat({ max: 3 }),
});

/** Latin-1 texts, a character a byte. */
const mutated = fc
  .tuple(fc.oneof(streamText, fc.constantFrom(...EXAMPLES)), fc.array(edit, { maxLength: 4 }))
  .map(([text, edits]) =>
    edits.reduce((before, { at, remove, insert, repeat }) => {
      const place = Math.floor(at * before.length);
      return before.slice(0, place) + insert.repeat(repeat) + before.slice(place + remove);
    }, Buffer.from(text, 'utf8').toString('latin1')),
  );

/** Undefined where the action refuses the input; whatever else it throws fails the test. */
function orRefusal<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The rule for streams of YAML once more, line by line; undefined where text follows a separator. */
function cutByLines(text: string): string[] | undefined {
  const documents = [''];
  let first = true;
  for (const line of text.split(/(?<=\n)/)) {
    if (!line.startsWith('---')) {
      first = false;
      documents.push(`${documents.pop() ?? ''}${line}`);
      continue;
    }
    if (/^[ \t\r\n]*[^#\s]/.test(line.slice(3)) || /^[ \t\r\n]*[\v\f]/.test(line.slice(3))) return undefined;
    if (first && documents[0] === '') documents.pop();
    first = false;
    documents.push('');
  }
  return documents;
}

test('any stream is kept byte for byte and cut at its separators, or refused', () => {
  const count = { kept: 0, cut: 0 };
  const property = fc.property(mutated, (text) => {
    const bytes = Buffer.from(text, 'latin1');
    const manifests = orRefusal(() => readStream(bytes));
    if (manifests !== undefined) {
      count.kept += 1;
      expect(Buffer.from(printStream(manifests)).equals(bytes)).toBe(true);
    }
    if (/^\s*\{/.test(text) || text === '') return;
    count.cut += 1;
    const chunks = orRefusal(() => splitStream(bytes));
    expect(chunks?.map(({ body }) => Buffer.from(body).toString('latin1'))).toEqual(cutByLines(text));
  });
  fuzz('streams', property, { short: 700, long: 60_000 });
  expect(count.kept).toBeGreaterThan(50);
  expect(count.cut).toBeGreaterThan(200);
}, 600_000);

/** Where kubectl reads on and we stop: what it passes over in silence, or would hand to an API server that refuses it. */
const STRICTER = /separator is expected|end marker|directives end mark|not UTF-8|apiVersion is missing|duplication of/;
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** Found by this test and left: nothing but the application of what we print depends on it, and that fails in kubectl's words. */
function isKnown(text: string, error: string | undefined): boolean {
  return [
    /^ *\t[ \t]*(?:#.*)?\r*$/m.test(text), // go-yaml refuses most lines of nothing but tabs
    text.lastIndexOf(BYTE_ORDER_MARK) > 0, // go-yaml skips byte order marks at the start of any line
    error?.includes('into Go struct field ObjectMeta'), // labels and annotations that are no mapping of texts
  ].some(Boolean);
}

function refusalOf(bytes: Uint8Array): string | undefined {
  try {
    readStream(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

test('kubectl reads as many objects as we do, and refuses no more but what is known', async () => {
  const texts = [...new Set(fc.sample(mutated, { numRuns: times(150, 8000), seed: seed() }))];
  report(`fuzz: streams beside kubectl: ${String(texts.length)} of seed ${String(seed())}`);
  const streams = texts.map((text) => Buffer.from(text, 'latin1'));
  const readings = await readWithKubectl(streams);
  const differences = streams.flatMap((bytes, index) => {
    const { objects, error } = readings[index]!;
    const refusal = refusalOf(bytes);
    const theirs = error === undefined ? objects.length : undefined;
    if (refusal !== undefined && (theirs === undefined || STRICTER.test(refusal))) return [];
    const ours = refusal === undefined ? objectsIn(readStream(bytes)).length : undefined;
    return ours === theirs || isKnown(texts[index]!, error)
      ? []
      : [{ text: texts[index], ours, theirs, refusal, error }];
  });
  expect(differences).toEqual([]);
}, 600_000);
