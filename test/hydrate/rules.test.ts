/** The small rules of hydrate/ beside what they mirror: Go's expansion, globs and number printing, redaction, values. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expand, namesOtherSource } from '../../src/hydrate/expand.ts';
import { expandGlob } from '../../src/hydrate/glob.ts';
import { plainKubeVersion } from '../../src/hydrate/helm-arguments.ts';
import { printedByGo, refuseNumberTags } from '../../src/hydrate/number-tags.ts';
import { redactor, shorten, withoutCredentials } from '../../src/hydrate/redact.ts';
import { findKey, leaves, readValues } from '../../src/hydrate/values-tree.ts';
import { makeFolder, removeFolders } from './app-folder.ts';

afterAll(removeFolders);

const ENV = { ARGOCD_APP_NAME: 'hub', ARGOCD_APP_REVISION: 'abc', OTHER: 'no', ARGOCD_APP_PARAMETERS: 'no' };

test.each([
  ['$ARGOCD_APP_NAME', 'hub'],
  ['${ARGOCD_APP_NAME}x', 'hubx'],
  ['$ARGOCD_APP_NAMEx', ''],
  ['a$ARGOCD_APP_NAME/$ARGOCD_APP_REVISION', 'ahub/abc'],
  ['$OTHER$ARGOCD_APP_PARAMETERS', ''],
  ['$$', '$'],
  ['$$ARGOCD_APP_NAME', '$ARGOCD_APP_NAME'],
  ['${$}', '$'],
  ['5$', '5$'],
  ['$ x', '$ x'],
  ['$.x', '$.x'],
  ['${}a', 'a'],
  ['${a', 'a'],
  ['$1a$*b', 'ab'],
])('expand %j → %j, as os.Expand', (written, expanded) => {
  expect(expand(written, ENV)).toBe(expanded);
});

test.each([
  ['$values/a.yaml', true],
  ['$values', true],
  ['${values}/a.yaml', true],
  ['$ARGOCD_APP_NAME/a.yaml', false],
  ['$ARGOCD_APP_NAME.yaml', false],
  ['a/$values', false],
  ['$', false],
])('%s names another source: %s', (path, other) => {
  expect(namesOtherSource(path)).toBe(other);
});

test.each([
  ['*.yaml', ['a.yaml', 'z.yaml']],
  ['**/*.yaml', ['a.yaml', 'z.yaml', 'b/a.yaml', 'b/c/d.yaml']],
  ['b/**', ['b/a.yaml', 'b/c', 'b/c/d.yaml']],
  ['[!a].yaml', ['z.yaml']],
  ['[^z].yaml', ['a.yaml']],
  ['[a-c].yaml', ['a.yaml']],
  ['{a,z}.y?ml', ['a.yaml', 'z.yaml']],
  ['*/a.yaml', ['b/a.yaml']],
  ['./b/../*.yaml', ['b/../a.yaml', 'b/../z.yaml'].map((path) => path.replace('b/../', ''))],
  ['.*', ['.hidden']],
  ['*+(x)*', ['+(x).txt']],
  ['gone/*', []],
])('glob %s', async (pattern, expected) => {
  const folder = makeFolder({
    'z.yaml': '',
    'a.yaml': '',
    'b/a.yaml': '',
    'b/c/d.yaml': '',
    '.hidden': '',
    '+(x).txt': '',
  });
  const found = await expandGlob(folder, pattern);
  expect(found.map((path) => path.slice(folder.length + 1))).toEqual(expected);
});

test.each([
  ['v1.33.4-gke.100', '1.33.4'],
  ['1.28+', '1.28'],
  ['1.34', '1.34'],
  ['', undefined],
])('kube version %j → %j', (given, plain) => {
  expect(plainKubeVersion(given)).toBe(plain);
});

test.each(['latest', '1', '1.x', '1.033', 'v1', '-1'])('kube version %j is refused', (given) => {
  expect(() => plainKubeVersion(given)).toThrow(/is no Kubernetes version/);
});

/** What a chart sees of a plain scalar is asked of helm itself. */
test('tags as Go prints them, compared with helm', () => {
  const tags = [
    ...['20240101', '2986812', '999999', '1000000', '1.10', '1.0', '1.1', '1e3', '012', '0x1F', '0b11', '1_000', '09'],
    ...[
      '0',
      '-0',
      '7',
      '1.',
      '.5',
      '+1',
      '1e-7',
      '0.0001',
      '0.00001',
      '123456.5',
      '12345678901234567890',
      '0o17',
      '0o19',
    ],
    ...[
      'yes',
      'No',
      'on',
      'OFF',
      'true',
      'True',
      'v1',
      '1.2.3',
      '1.10-alpine',
      '2024-01-01',
      '1e',
      'e3',
      '08x',
      '1:30',
      '_1',
    ],
  ];
  const folder = makeFolder({
    'Chart.yaml': 'apiVersion: v2\nname: t\nversion: 1.0.0\n',
    'values.yaml': `tags:\n${tags.map((tag) => `- ${tag}\n`).join('')}`,
    'templates/a.yaml': 'tags:\n{{- range .Values.tags }}\n- "{{ . }}"\n{{- end }}\n',
  });
  const printed = execFileSync('helm', ['template', '.'], { cwd: folder, encoding: 'utf8' });
  const seen = [...printed.matchAll(/^- "(.*)"$/gm)].map((match) => match[1]);
  expect(tags.map((tag) => printedByGo(tag) ?? tag)).toEqual(seen);
});

test('values with positions', () => {
  const { root } = readValues('v', 'a: 1\nb:\n  - x: "y"\n  - &z {k: !!str 1}\nc: *z\nd:\n');
  expect([...leaves(root)].map(({ path, scalar }) => [path.join('.'), scalar.text, scalar.plain, scalar.line])).toEqual(
    [
      ['a', '1', true, 1],
      ['b.0.x', 'y', false, 3],
      ['b.1.k', '1', false, 4],
      ['d', '', true, 6],
    ],
  );
  expect(findKey(root, ['b', '1', 'k'])?.line).toBe(4);
  expect(findKey(root, ['b', 'nope'])).toBeUndefined();
});

test('alias bombs and deep nesting are read in no time', () => {
  const bomb = Array.from(
    { length: 40 },
    (_, level) => `a${String(level)}: &a${String(level)} [${`*a${String(level - 1)},`.repeat(level === 0 ? 0 : 9)}]`,
  ).join('\n');
  expect(readValues('v', bomb).problem).toBeUndefined();
  expect(readValues('v', '['.repeat(100_000)).problem).toBeDefined();
});

test('any text is read or refused, never thrown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (content) => {
      const tree = readValues('v', content);
      expect(tree.shown).toBe('v');
    }),
  );
});

test('values and credentials are taken out, longest first', () => {
  const redact = redactor(
    [readValues('v', 'a: secret-long\nb: secret\nc: "line one\\nline two"\nd: on\n')],
    ['parameter'],
  );
  expect(redact('secret-long secret line two on parameter http://u:p@host/')).toBe(
    '*** *** *** on *** http://***@host/',
  );
  expect(withoutCredentials('--password hunter2 --username=u oci://a:b@c')).toBe(
    '--password *** --username *** oci://***@c',
  );
  expect(shorten(`a\n${'b'.repeat(400)}`)).toHaveLength(300);
});

/** Seconds when each tag is looked at once, minutes when each looks at all others. */
test.each([
  [
    'images by key',
    (n: number) => `images:\n${'  kN: {name: x, tag: v1}\n'.repeat(n).replace(/N/g, () => String((n -= 1)))}`,
  ],
  ['one key again and again', (n: number) => `image:\n${'  tag: 1.1\n'.repeat(n)}`],
])('values of 100,000 tags: %s', (_what, make) => {
  const started = performance.now();
  refuseNumberTags([readValues('v', make(100_000))]);
  expect(performance.now() - started).toBeLessThan(8000);
});
