/** Plain manifests: the files kubectl would read, in its order, joined so that it reads the same objects. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { failure, makeFolder, removeFolders, render, text } from './app-folder.ts';

const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

/** What kubectl makes of a file or a folder, in its order. */
function kubectlReads(path: string): string[] {
  const json = execFileSync('kubectl', ['annotate', '--local', '-f', path, 'a=b', '-o', 'json'], { encoding: 'utf8' });
  return [...json.matchAll(/"name": "([^"]+)"/g)].map((match) => match[1]!);
}

const FOLDERS: [string, Record<string, string>, string[]][] = [
  [
    'in name order',
    {
      'b.yaml': object('b'),
      'a.yml': object('a'),
      'c.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}',
    },
    ['a', 'b', 'c'],
  ],
  ['without a line break at the end', { 'a.yaml': object('a').trimEnd(), 'b.yaml': object('b') }, ['a', 'b']],
  [
    'with separators of their own',
    { 'a.yaml': `---\n${object('a')}---\n${object('b')}---\n`, 'c.yaml': `# c\n${object('c')}` },
    ['a', 'b', 'c'],
  ],
  [
    'JSON first',
    { 'a.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}', 'b.yaml': object('b') },
    ['a', 'b'],
  ],
  ['with a byte order mark', { 'a.yaml': object('a'), 'b.yaml': `\ufeff${object('b')}` }, ['a', 'b']],
  ['names that would be YAML', { 'a\nb: c.yaml': object('a') }, ['a']],
];

afterAll(removeFolders);

test.each(FOLDERS)('joined so that kubectl reads the same: %s', async (_what, files, names) => {
  const folder = makeFolder(files);
  const stream = await text(render(folder));
  const joined = makeFolder({ 'all.yaml': stream });
  expect(kubectlReads(join(joined, 'all.yaml'))).toEqual(names);
});

test('other files are left out, YAML that is no manifest with a warning', async () => {
  const folder = makeFolder({
    'a.yaml': object('a'),
    'values.yaml': 'x: 1\n',
    'skipped.yaml': `# +argocd:skip-file-rendering\n${object('skipped')}`,
    'README.md': object('readme'),
    'below/b.yaml': object('b'),
  });
  const rendered = await render(folder);
  expect(Buffer.from(rendered.stream).toString()).toBe(`---\n# Source: a.yaml\n${object('a')}`);
  expect(rendered.kind).toBe('plain');
  expect(rendered.warnings).toEqual([
    { message: 'file left out: it holds no Kubernetes object', fields: { file: 'values.yaml' } },
  ]);
});

test('a manifest that is a link out of the repository is refused', async () => {
  const folder = makeFolder({ 'a.yaml': object('a') });
  symlinkSync('/etc/hostname', join(folder, 'b.yaml'));
  expect((await failure(render(folder))).message).toMatch(/^manifest "\/b\.yaml" is a link that leaves the repository/);
});

test.each([
  [{ 'kustomization.yaml': '', 'Chart.yaml': '' }, 'kustomize'],
  [{ Kustomization: '' }, 'kustomize'],
  [{ 'kustomization.yml': '' }, 'kustomize'],
  [{ 'Chart.yaml': '', 'a.yaml': '' }, 'helm'],
  [{ 'a.yaml': '', 'charts/x/Chart.yaml': '' }, 'plain'],
])('%j is rendered as %s', async (files, kind) => {
  const { detectKind } = await import('../../src/hydrate/detect.ts');
  expect(await detectKind(makeFolder(files as Record<string, string>))).toBe(kind);
});

test('a kind that is set wins over the files', async () => {
  const folder = makeFolder({ 'Chart.yaml': 'name: x\n', 'a.yaml': object('a') });
  expect((await render(folder, { source: { kind: 'plain' } })).kind).toBe('plain');
});
