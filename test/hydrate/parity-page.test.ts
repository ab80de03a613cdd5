/** The parity table has every parameter in it, and docs/helm-parity.md is what it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parametersOf } from '../../src/config/parameters.ts';
import { HELM_ROWS } from './parity-helm.ts';
import { KUSTOMIZE_ROWS } from './parity-kustomize.ts';
import { parityPage } from './parity-page.ts';

const ROOT = join(import.meta.dirname, '../..');

test('docs/helm-parity.md is up to date: node scripts/update-parity.mjs', () => {
  expect(readFileSync(join(ROOT, 'docs/helm-parity.md'), 'utf8')).toBe(parityPage());
});

test('no option stands in two rows', () => {
  for (const rows of [HELM_ROWS, KUSTOMIZE_ROWS]) {
    expect(new Set(rows.map(({ option }) => option)).size).toBe(rows.length);
  }
});

/** As the parameter is called. */
const kustomizeName = (field: string) => `kustomize-${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

test.each(
  parametersOf(['source', 'helm', 'kustomize'])
    .map(({ name }) => name)
    .filter((name) => name !== 'kind'),
)('%s has a row', (name) => {
  const named = [
    ...HELM_ROWS.map(({ option }) => /^[a-z-]+/.exec(option)?.[0]),
    ...KUSTOMIZE_ROWS.flatMap(({ option }) => option.split(/[ ,]+/).map(kustomizeName)),
  ];
  expect(named).toContain(name);
});

test('CI renders every row, with both Helms', () => {
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  for (const line of [
    'export CI=true',
    'export PREPULLER_LONG=1',
    'export PREPULLER_HELM3=',
    'export PREPULLER_KUSTOMIZE=',
  ]) {
    expect(ci.split('\n').filter((one) => one.startsWith(line))).toHaveLength(1);
  }
});
