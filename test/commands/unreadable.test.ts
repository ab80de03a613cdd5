/** Files that may not be read: the first line names the file and what to do. Root may read everything, so it gives that right away. */
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KUSTOMIZE } from '../hydrate/app-folder.ts';
import { generate, makeGround, removeGround, writeFiles, type Ground } from './observed.ts';

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

let ground: Ground;
beforeAll(() => {
  ground = makeGround();
  writeFiles(ground, {
    'hub/v.yaml': 'singleuser: {}\n',
    'plain/a.yaml': OBJECT,
    'kustomize/kustomization.yaml': 'resources: [a.yaml, base]\n',
    'kustomize/a.yaml': OBJECT,
    'kustomize/base/kustomization.yaml': 'resources: [b.yaml]\n',
    'kustomize/base/b.yaml': OBJECT.replace('a}', 'b}'),
  });
});
afterAll(() => {
  removeGround(ground);
});

const CASES: [file: string, args: string[], line: string][] = [
  ['hub/v.yaml', ['--value-files', 'v.yaml'], 'values file "v.yaml" cannot be read, its mode is 000: chmod a+r'],
  ['hub/values.yaml', [], 'values file "./values.yaml" cannot be read, its mode is 000: chmod a+r'],
  ['hub/Chart.yaml', [], 'Chart.yaml cannot be read: chmod a+r'],
  ['hub/templates/hub.yaml', [], 'templates/hub.yaml cannot be read: chmod a+r'],
  ['hub/templates', [], 'templates cannot be read: chmod a+r'],
  ['plain/a.yaml', [], 'manifest "/plain/a.yaml" cannot be read, its mode is 000: chmod a+r'],
];
const KUSTOMIZE_CASES: typeof CASES = [
  ['kustomize/kustomization.yaml', [], '"kustomize/kustomization.yaml" is no readable file, or larger than 10 MiB'],
  ['kustomize/a.yaml', [], 'kustomize/a.yaml cannot be read: chmod a+r'],
  ['kustomize/base/b.yaml', [], 'kustomize/base/b.yaml cannot be read: chmod a+r'],
];

async function check(file: string, args: string[], line: string): Promise<void> {
  const path = join(ground.repository, file);
  chmodSync(path, 0);
  try {
    const env = { PATH: `${KUSTOMIZE === undefined ? '' : `${dirname(KUSTOMIZE)}:`}${process.env.PATH ?? ''}` };
    const { stderr, stdout, exitCode } = await generate(ground, {
      app: file.split('/')[0]!,
      args,
      env,
      obeyModes: true,
    });
    expect(stderr.split('\n')[0]).toBe(`prepuller: ${line}`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  } finally {
    chmodSync(path, 0o755);
  }
}

test.each(CASES)('%s', check);

(KUSTOMIZE === undefined ? describe.skip : describe)('with kustomize (needs PREPULLER_KUSTOMIZE)', () => {
  test.each(KUSTOMIZE_CASES)('%s', check);
});
