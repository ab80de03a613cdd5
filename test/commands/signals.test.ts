/** Ended by a signal: what was being done is said, stdout stays empty, no child and no file is left. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPrepuller } from './prepuller.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-signals-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Ending {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

async function endOf(child: ChildProcess): Promise<Ending> {
  const texts = { stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...texts };
}

/** A chart whose helm writes its process id to a file, and then never ends. */
function endlessHelm(): { env: Record<string, string>; pidFile: string } {
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: a\nversion: 1.0.0\n');
  const pidFile = join(folder, 'helm.pid');
  const script = `#!/bin/sh\necho "kind: Secret"\necho $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile}\nexec sleep 600\n`;
  writeFileSync(join(folder, 'helm'), script, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, ARGOCD_APP_NAME: 'hub', TMPDIR: folder };
  return { env, pidFile };
}

async function appears(file: string): Promise<void> {
  const watcher = watch(dirname(file));
  try {
    while (!existsSync(file)) await once(watcher, 'change');
  } finally {
    watcher.close();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s while helm runs', async (signal, exitCode) => {
  const { env, pidFile } = endlessHelm();
  const before = readdirSync(folder);
  const child = startPrepuller(['generate'], { folder, env });
  const ended = endOf(child);
  await appears(pidFile);
  const helm = Number(readFileSync(pidFile, 'utf8'));
  child.kill(signal);
  expect(await ended).toEqual({
    exitCode,
    stdout: '',
    stderr: `prepuller: stopped by ${signal} while rendering the app; nothing was printed\n`,
  });
  expect(isRunning(helm)).toBe(false);
  expect(readdirSync(folder).filter((name) => name !== 'helm.pid')).toEqual(before);
});

test('a signal that comes twice, as through a launcher in the same group, ends as one', async () => {
  const { env, pidFile } = endlessHelm();
  const child = startPrepuller(['generate'], { folder, env });
  const ended = endOf(child);
  await appears(pidFile);
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  expect((await ended).exitCode).toBe(143);
  expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
});

test('SIGTERM while standard input is open', async () => {
  const child = startPrepuller(['transform', '-v']);
  const ended = endOf(child);
  await once(child.stderr!, 'data');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({
    exitCode: 143,
    stdout: '',
    stderr: expect.stringContaining(
      'prepuller: stopped by SIGTERM while reading standard input; nothing was printed\n',
    ),
  });
});

test('a render past its time limit is a failure that says so', async () => {
  const { env, pidFile } = endlessHelm();
  const ended = await endOf(startPrepuller(['generate'], { folder, env: { ...env, PREPULLER_TIME_LIMIT: '1s' } }));
  expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(ended.stderr).toMatch(/^prepuller: .*1 s.*\n/);
  expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
});
