/** Every dependency has its reason on a page in docs/decisions, and every page says why and how to leave. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './examples/argo-cd.ts';

const folder = join(ROOT, 'docs/decisions');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const dependencies = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies'].flatMap((kind) =>
  Object.entries(manifest[kind] ?? {}),
);

function read(page: string): string {
  return readFileSync(join(folder, page), 'utf8');
}

/** Packages a page gives a reason for: rows of the table under its heading `Packages`. */
function explained(page: string): string[] {
  const [, table = ''] = read(page).split('\n## Packages\n');
  return [...table.matchAll(/^\| `([^`]+)` \| \S.*\|$/gm)].map(([, name]) => name ?? '');
}

test('every dependency is explained on one page, and no page explains what is not there', () => {
  expect(pages.flatMap(explained).sort()).toEqual(dependencies.map(([name]) => name).sort());
});

test.each(dependencies)('%s is pinned: %s', (_name, version) => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test.each(pages)('%s says what was decided, why, and how to leave', (page) => {
  expect(read(page)).toMatch(/^# .+\n\n\*\*Decided:\*\* [^]+\n## Why\n\n[^]+\n## What it would take to leave\n\n\S/);
  expect(read('README.md')).toContain(`(${page})`);
});
