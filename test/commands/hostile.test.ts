/** Input made to hurt, through the real command: refused by name or read, in bounded time and memory, and nothing is left behind. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStream } from '../../src/manifest/stream.ts';
import { HOSTILE } from './hostile-input.ts';
import {
  generate,
  makeGround,
  processesLeft,
  removeGround,
  temporaryLeft,
  writeFiles,
  type Ground,
} from './observed.ts';

/** Generous: a machine under load is slow, growth that is not linear is slower by far. */
const SECONDS = 40;
const MEBIBYTES = 700;

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => {
  expect(temporaryLeft(ground)).toEqual([]);
  expect(processesLeft(ground)).toEqual([]);
  removeGround(ground);
});

/** PATH with a script for helm. */
function withHelm(script: string): Record<string, string> {
  writeFileSync(join(ground.root, 'helm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${ground.root}:${process.env.PATH ?? ''}` };
}

test.each(Object.entries(HOSTILE))(
  '%s',
  async (_what, { files, prepare, helm, run, exitCode, first }) => {
    writeFiles(ground, files?.() ?? {});
    prepare?.(ground);
    const env = { ...run.env, ...(helm !== undefined && withHelm(helm)) };
    const observed = await generate(ground, { ...run, env });
    expect(observed.stderr.split('\n')[0]).toMatch(first);
    expect(observed).toMatchObject({ exitCode, ...(exitCode !== 0 && { stdout: '' }) });
    expect(observed.stderr.split('\n')[0]!.length).toBeLessThanOrEqual(300);
    expect(observed.milliseconds).toBeLessThan(SECONDS * 1000);
    expect(observed.maxRssMiB).toBeLessThan(MEBIBYTES);
  },
  (SECONDS + 20) * 1000,
);

/** Names end up in names, labels and annotations of pullers: there they stay text. */
test('names with YAML in them add no object', async () => {
  const name = 'a\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: injected}\n';
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { 'argocd-prepuller.github.io/pull': 'true' } },
    spec: { template: { spec: { containers: [{ name, image: 'quay.io/a/b:1' }] } } },
  };
  writeFiles(ground, { 'a/a.yaml': `---\n${JSON.stringify(deployment)}\n` });
  const env = { ARGOCD_APP_REVISION: name, ARGOCD_APP_NAMESPACE: 'jhub' };
  const { stdout, exitCode, stderr } = await generate(ground, { app: 'a', env });
  if (exitCode === 0) {
    const kinds = readStream(Buffer.from(stdout)).map(({ object }) => object?.kind);
    expect(kinds.filter((kind) => kind === 'Secret')).toEqual([]);
    expect(kinds).toContain('DaemonSet');
  } else {
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.split('\n')[0]).not.toMatch(/^kind/);
  }
});
