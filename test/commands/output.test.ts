/** What reaches the reader: all of stdout through slow pipes, nothing after a failure, no noise when the reader goes away. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { environment, HUB, PREPULLER, prepuller, startPrepuller } from './prepuller.ts';

const SIZE = 5 * 1024 * 1024;
/** 5 MB that pass through: objects with long comments, which nobody re-writes. */
const LARGE = Array.from(
  { length: 50 },
  (_, index) =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${String(index)} }\n# ${'x'.repeat(SIZE / 50)}\n`,
).join('');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-output-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function hash(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('5 MB arrive whole through a pipe that is read slowly', async () => {
  const child = startPrepuller(['transform', '--gate', 'none']);
  child.stdin!.end(LARGE);
  const ended = once(child, 'close');
  const chunks: Buffer[] = [];
  // Taking a little at a time keeps the pipe full until the very end.
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await ended).toEqual([0, null]);
  const got = Buffer.concat(chunks);
  expect(got.length).toBeGreaterThan(SIZE);
  expect(hash(got)).toBe(hash(LARGE));
});

test('5 MB arrive whole in a file', () => {
  const path = join(folder, 'out.yaml');
  const out = openSync(path, 'w');
  const { status } = spawnSync(process.execPath, [PREPULLER, 'transform', '--gate', 'none'], {
    input: LARGE,
    env: environment(),
    stdio: ['pipe', out, 'pipe'],
  });
  closeSync(out);
  expect(status).toBe(0);
  expect(hash(readFileSync(path))).toBe(hash(LARGE));
});

test('a reader that goes away is no error and no noise', async () => {
  const child = startPrepuller(['transform', '--gate', 'none']);
  const stderr: Buffer[] = [];
  child.stderr!.on('data', (chunk: Buffer) => stderr.push(chunk));
  const ended = once(child, 'close');
  child.stdin!.end(LARGE);
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  expect(await ended).toEqual([0, null]);
  expect(Buffer.concat(stderr).toString()).toBe('');
});

test('a full disk is a failure that is named', () => {
  const out = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [PREPULLER, 'transform', '--gate', 'none'], {
    input: HUB,
    env: environment(),
    stdio: ['pipe', out, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(out);
  expect([status, stderr.split('\n')[0]]).toEqual([3, 'prepuller: standard output cannot be written (ENOSPC)']);
});

test.each([
  ['nothing', ''],
  ['comments', '# a\n---\n# b\n'],
  ['separators', '---\n---\n'],
])('%s on stdin is an error, not an empty app', (_case, input) => {
  const { exitCode, stdout, stderr } = prepuller(['transform'], { input });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('prepuller: the stream holds no objects: nothing was rendered\n');
});

test('a stream cut off in the middle is an error', () => {
  const { exitCode, stdout } = prepuller(['transform'], { input: `${HUB}---\nkind: Secret\nmetadata: {name: a,\n` });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});

test('what a tool says comes below the first line, and nothing on stdout', () => {
  const chart = join(folder, 'Chart.yaml');
  writeFileSync(chart, 'apiVersion: v2\nname: a\nversion: 1.0.0\n');
  const helm = join(folder, 'helm');
  writeFileSync(helm, '#!/bin/sh\necho "kind: Secret"\necho "Error: it broke" >&2\nexit 7\n', { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, ARGOCD_APP_NAME: 'hub' };
  const { exitCode, stdout, stderr } = prepuller(['generate'], { folder, env });
  expect(exitCode).toBeGreaterThan(0);
  expect(stdout).toBe('');
  expect(stderr.split('\n')[0]).toMatch(/^prepuller: .*it broke/);
});
