/** The version stands in many places and is one; the changelog says what it brings, newest first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
const headings = sections.map((section) => section.split('\n')[0] ?? '');

test('the newest section is that of the version, and says something', () => {
  expect(headings[0]).toMatch(
    new RegExp(`^${version.replaceAll('.', '\\.')} \\((not released|\\d{4}-\\d\\d-\\d\\d)\\)$`),
  );
  expect(sections[0]?.match(/^- \S/gm)?.length ?? 0).toBeGreaterThan(0);
});

test('all others are released, and older', () => {
  for (const heading of headings.slice(1)) expect(heading).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/);
  const numbers = headings.map((heading) => heading.split(' ')[0]!.split('.').map(Number));
  const sorted = [...numbers].sort(([a = 0, b = 0, c = 0], [x = 0, y = 0, z = 0]) => x - a || y - b || z - c);
  expect(numbers).toEqual(sorted);
  expect(new Set(headings.map((heading) => heading.split(' ')[0])).size).toBe(headings.length);
});

test('a contract that is not the first is told of', () => {
  const [, contract] = /CONTRACT_VERSION = '(\d+)'/.exec(read('src/api/names.ts')) ?? [];
  expect(read('CHANGELOG.md')).toContain(`contract version ${contract ?? '?'}`);
});

test.each(['install/argocd/repo-server.yaml', 'install/controller/kustomization.yaml'])('%s names it', (path) => {
  expect(read(path)).toContain(version);
});
