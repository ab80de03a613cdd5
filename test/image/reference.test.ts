/** References by the OCI grammar: parts, identity, and what is wrong with the others. */
import fc from 'fast-check';
import {
  isMutable,
  isProblem,
  normaliseReference,
  parseReference,
  printReference,
  type Reference,
  type ReferenceProblem,
} from '../../src/image/reference.ts';

const HEX = '0123456789abcdef'.repeat(4);
const DIGEST = `sha256:${HEX}`;

function parsed(text: string): Reference {
  const result = parseReference(text);
  if (isProblem(result)) throw new Error(`${text}: ${result.problem}`);
  return result;
}

function problemOf(text: string): ReferenceProblem {
  const result = parseReference(text);
  if (!isProblem(result)) throw new Error(`${text} was read`);
  return result;
}

// [ text, registry, repository, tag, digest ]
test.each([
  ['nb', undefined, 'nb', undefined, undefined],
  ['jupyter/base-notebook:2024-03-18', undefined, 'jupyter/base-notebook', '2024-03-18', undefined],
  ['reg.local:5000/team/nb', 'reg.local:5000', 'team/nb', undefined, undefined],
  ['reg.local:5000/team/nb:1', 'reg.local:5000', 'team/nb', '1', undefined],
  [`nb@${DIGEST}`, undefined, 'nb', undefined, DIGEST],
  [`nb:1@${DIGEST}`, undefined, 'nb', '1', DIGEST],
  ['localhost/nb', 'localhost', 'nb', undefined, undefined],
  ['localhost:5000/nb', 'localhost:5000', 'nb', undefined, undefined],
  ['[::1]:5000/nb:1', '[::1]:5000', 'nb', '1', undefined],
  ['[2001:db8::1]/nb', '[2001:db8::1]', 'nb', undefined, undefined],
  ['Registry/nb:1', 'Registry', 'nb', '1', undefined],
  ['a/b', undefined, 'a/b', undefined, undefined],
  ['a__b/c.d/e---f:V_1.0-x', undefined, 'a__b/c.d/e---f', 'V_1.0-x', undefined],
  ['x:178819e05792', undefined, 'x', '178819e05792', undefined],
  [`${'a'.repeat(255)}:1`, undefined, 'a'.repeat(255), '1', undefined],
  [`nb:${'t'.repeat(128)}`, undefined, 'nb', 't'.repeat(128), undefined],
])('R-03 %s', (text, ...parts) => {
  const reference = parsed(text);
  expect([reference.registry, reference.repository, reference.tag, reference.digest]).toEqual(parts);
  expect(reference.text).toBe(text);
  expect(printReference(reference)).toBe(text);
});

// [ text, what the problem says ]
test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['quay.io/a/nb:', 'the tag is empty'],
  ['quay.io/A/nb:1', 'upper-case'],
  ['quay.io/a/nb:1+b', 'holds +'],
  ['quay.io/a/nb:2.0240101e+07', 'quote the tag'],
  ['quay.io/a/nb:2e+06', 'quote the tag'],
  [`nb:${'t'.repeat(129)}`, 'longer than 128'],
  [`${'a'.repeat(256)}:1`, 'longer than 255'],
  [`quay.io/${'a'.repeat(248)}:1`, 'longer than 255'],
  ['a b:1', 'space'],
  ['nb:1\n', 'space'],
  ['https://quay.io/a/nb:1', 'scheme'],
  ['nb:-1', 'begin with'],
  ['nb:é', 'begin with'],
  ['nb@sha256:12', 'digest'],
  [`nb@sha256:${HEX.toUpperCase()}`, 'digest'],
  [`nb@sha256:${HEX}0`, 'digest'],
  [`nb@${DIGEST}@${DIGEST}`, 'digest'],
  ['nb@sha256', 'digest'],
  ['quay.io/:1', 'the name is empty'],
  [HEX, 'image id'],
  ['a//b', 'no image reference'],
  ['/nb', 'no image reference'],
  ['-nb', 'no image reference'],
  ['a..b', 'no image reference'],
  ['quay.io:port/nb', 'no image reference'],
])('R-01, R-02, H-24 %j is invalid', (text, words) => {
  expect(problemOf(text)).toMatchObject({ text, kind: 'invalid', problem: expect.stringContaining(words) });
});

test.each([
  'quay.io/{{ .Values.image }}:1',
  'nb:{username}',
  'nb:$(TAG)',
  '${IMAGE}',
  'nb:$TAG',
  'nb:<no value>',
  'nb:%!s(<nil>)',
])('%s is a template', (text) => {
  expect(problemOf(text).kind).toBe('template');
});

test('R-02 a tag nobody can pull', () => {
  expect(problemOf('quay.io/jupyterhub/k8s-network-tools:set-by-chartpress').kind).toBe('unpullable');
  expect(isProblem(parseReference(`nb:set-by-chartpress@${DIGEST}`))).toBe(false);
});

// [ text, identity ]
test.each([
  ['nb', 'docker.io/library/nb:latest'],
  ['library/nb:latest', 'docker.io/library/nb:latest'],
  ['docker.io/nb', 'docker.io/library/nb:latest'],
  ['index.docker.io/library/nb', 'docker.io/library/nb:latest'],
  ['jupyter/nb:1', 'docker.io/jupyter/nb:1'],
  ['quay.io/nb', 'quay.io/nb:latest'],
  ['localhost/nb', 'localhost/nb:latest'],
  [`nb:1@${DIGEST}`, `docker.io/library/nb@${DIGEST}`],
  [`nb:2@${DIGEST}`, `docker.io/library/nb@${DIGEST}`],
])('%s is %s', (text, identity) => {
  expect(normaliseReference(parsed(text))).toBe(identity);
});

// [ text, mutable ]
test.each([
  ['nb', true],
  ['nb:latest', true],
  ['nb:prod', true],
  ['nb:1', false],
  [`nb@${DIGEST}`, false],
  [`nb:latest@${DIGEST}`, false],
])('H-22 %s may move: %s', (text, expected) => {
  expect(isMutable(parsed(text), ['prod'])).toBe(expected);
});

const letters = (characters: string, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters.split('')), minLength: 1, maxLength });
const part = letters('abz019', 6);
const repository = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const registry = fc.constantFrom(undefined, 'quay.io', 'localhost', 'reg:5000', '[::1]:5000', 'a.b-c.d:1');
const tag = fc.option(
  letters('aZ0_.-', 20).map((text) => `v${text}`),
  { nil: undefined },
);
const digest = fc.constantFrom(undefined, DIGEST);

test('print and parse are each other’s inverse, and identity survives normalising', () => {
  fc.assert(
    fc.property(registry, repository, tag, digest, (host, path, label, hash) => {
      const text = printReference({
        repository: path,
        ...(host !== undefined && { registry: host }),
        ...(label !== undefined && { tag: label }),
        ...(hash !== undefined && { digest: hash }),
      });
      const reference = parsed(text);
      expect([reference.registry, reference.repository, reference.tag, reference.digest]).toEqual([
        host,
        path,
        label,
        hash,
      ]);
      expect(normaliseReference(parsed(normaliseReference(reference)))).toBe(normaliseReference(reference));
    }),
  );
});

test('any text is read exactly or refused in words that do not repeat it', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'ab0A.:/@-_+[]{}$ %é'.split('')), maxLength: 30 });
  fc.assert(
    fc.property(soup, (text) => {
      const result = parseReference(text);
      if (isProblem(result)) expect(result).toMatchObject({ text, problem: expect.stringMatching(/\w/) });
      else expect(printReference(result)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});
