/** What `npm ci` may bring: packages with checksums alone, and no install script that docs/supply-chain.md does not justify. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, Locked> };
const { '': root, ...installed } = lock.packages;
const packages = Object.entries(installed).map(([path, entry]) => ({
  path,
  name: path.replace(/^.*node_modules\//, ''),
  entry,
}));

test('it is of this version', () => {
  expect([lock.version, root?.version]).toEqual(Array(2).fill((JSON.parse(read('package.json')) as Locked).version));
});

test('every package has a checksum, and none comes from git, a folder or without TLS', () => {
  expect(packages.length).toBeGreaterThan(500);
  const unsound = packages.filter(
    ({ entry }) => !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? '') || entry.link === true,
  );
  expect(unsound.map(({ path }) => path)).toEqual([]);
  const insecure = packages.filter(({ entry }) => !(entry.resolved ?? 'https:').startsWith('https:'));
  expect(insecure.map(({ path }) => path)).toEqual([]);
});

test('one version of a package has one checksum', () => {
  const sums = new Map<string, string | undefined>();
  for (const { name, entry } of packages) {
    const id = `${name}@${entry.version ?? ''}`;
    expect(sums.get(id) ?? entry.integrity).toBe(entry.integrity);
    sums.set(id, entry.integrity);
  }
});

test('install scripts are those that docs/supply-chain.md lists, and no build needs them', () => {
  const [, section = ''] = read('docs/supply-chain.md').split('\n## Install scripts\n');
  const listed = [...section.split('\n## ')[0]!.matchAll(/^\| `([^`]+)` \| \S.+ \| \S.+ \|$/gm)].map(
    ([, name]) => name,
  );
  const scripted = packages.filter(({ entry }) => entry.hasInstallScript === true).map(({ name }) => name);
  expect(listed.sort()).toEqual([...new Set(scripted)].sort());
  for (const file of ['Dockerfile', '.github/workflows/release.yaml']) {
    const installs = read(file).match(/npm ci\b.*$/gm) ?? [];
    expect(installs.length).toBeGreaterThan(0);
    for (const install of installs) expect(install).toContain('--ignore-scripts');
  }
});
