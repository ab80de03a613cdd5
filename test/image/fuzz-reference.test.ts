/** References against the grammar of distribution/reference written down a second time, as one expression. */
import fc from 'fast-check';
import { isProblem, normaliseReference, parseReference, printReference } from '../../src/image/reference.ts';
import { fuzz } from '../long-mode.ts';

const PART = '[a-z0-9]+(?:(?:[.]|_|__|[-]+)[a-z0-9]+)*';
const LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][-a-zA-Z0-9]*[a-zA-Z0-9])';
const DOMAIN = `(?:${LABEL}(?:[.]${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const GRAMMAR = new RegExp(
  `^(?<name>(?:${DOMAIN}/)?${PART}(?:/${PART})*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>${DIGEST}))?$`,
);
const HEX = { sha256: 64, sha384: 96, sha512: 128 } as Record<string, number>;

/** The part before the first slash that a runtime takes for a registry. */
const LOOKS_LIKE_HOST = /^(?:localhost|[^/]*[.:\]A-Z][^/]*)\//;

/** What the grammar takes and this program refuses all the same, each for a reason of its own. */
function isRefusedByIntent(text: string): boolean {
  const { name, tag, digest } = { ...GRAMMAR.exec(text)?.groups };
  if (name === undefined) return false;
  return [
    name.length > 255,
    /^[a-f0-9]{64}$/.test(name), // an id on the node
    tag === 'set-by-chartpress' && digest === undefined,
    digest !== undefined && hasOddLength(digest),
    LOOKS_LIKE_HOST.test(name) && !new RegExp(`^${DOMAIN}/`).test(name), // a__quay.io/a: neither host nor path
  ].some(Boolean);
}

function hasOddLength(digest: string): boolean {
  const [algorithm = '', hex = ''] = digest.split(':');
  return HEX[algorithm] !== undefined && (hex.length !== HEX[algorithm] || hex !== hex.toLowerCase());
}

const pieces = fc.constantFrom(
  ...[
    'a',
    'b0',
    'nb',
    'A',
    '/',
    ':',
    '@',
    '.',
    '_',
    '__',
    '-',
    '--',
    '5000',
    'localhost',
    'quay.io',
    '[::1]',
    ' ',
    '\n',
  ],
  ...[
    'sha256',
    `sha256:${'0a'.repeat(32)}`,
    `sha512:${'0'.repeat(128)}`,
    '0a'.repeat(16),
    'latest',
    '2e+06',
    '{{',
    '$x',
  ],
  ...['set-by-chartpress', 'é', '<no value>', 'a'.repeat(130), '0a'.repeat(32)],
);
const likely = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(''));
const any = fc.oneof({ weight: 4, arbitrary: likely }, fc.string({ unit: 'binary', maxLength: 40 }));

test('a reference is read exactly when the grammar has it', () => {
  let read = 0;
  const property = fc.property(any, (text) => {
    const result = parseReference(text);
    expect([text, isProblem(result)]).toEqual([text, !GRAMMAR.test(text) || isRefusedByIntent(text)]);
    if (isProblem(result)) return;
    read += 1;
    expect(printReference(result)).toBe(text);
    if (text.length > 220) return; // found here: Docker Hub's name before it can make a name too long that was not
    const identity = parseReference(normaliseReference(result));
    expect(isProblem(identity) ? identity : normaliseReference(identity)).toBe(normaliseReference(result));
  });
  fuzz('image references', property, { short: 3000, long: 300_000 });
  expect(read).toBeGreaterThan(200);
});
