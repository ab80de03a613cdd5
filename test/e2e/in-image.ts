/** Programs of the image as Kubernetes would run them: its root read-only, any user, no capability, what is mounted and nothing else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { start } from '../testbed/processes.ts';
import type { Running } from '../testbed/processes.ts';
import type { Unpacked } from './image-build.ts';

const SCRIPT = join(import.meta.dirname, 'in-image.sh');

export interface Container {
  uid: number;
  env?: Record<string, string>;
  /** Folder of this machine → where its copy lies, below /tmp or /run. */
  mounts?: Record<string, string>;
  folder?: string;
}

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The command line for `unshare`, and the folder with what is mounted. */
function commandFor({ root, config }: Unpacked, container: Container, command: readonly string[]) {
  const mounts = mkdtempSync(join(tmpdir(), 'prepuller-mounts-'));
  for (const [from, to] of Object.entries(container.mounts ?? {})) {
    mkdirSync(dirname(join(mounts, to)), { recursive: true });
    cpSync(from, join(mounts, to), { recursive: true });
  }
  // As runtimes do for a user that /etc/passwd does not know.
  const env = { HOME: '/', ...container.env };
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const folder = ['-C', container.folder ?? config.WorkingDir];
  const args = [
    ...['--mount', SCRIPT, root, String(container.uid), mounts],
    ...['/usr/bin/env', '-i', ...folder, ...variables, ...command],
  ];
  return { args, forget: () => { rmSync(mounts, { recursive: true, force: true }); } }; // prettier-ignore
}

/** Any command of the image, to its end. */
export function runInImage(image: Unpacked, container: Container, command: readonly string[]): Outcome {
  const { args, forget } = commandFor(image, container, command);
  const { status, stdout, stderr, error } = spawnSync('unshare', args, {
    encoding: 'utf8',
    timeout: 100_000,
    maxBuffer: 1 << 26,
  });
  forget();
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** Any command of the image, until the test ends it. */
export function startInImage(
  image: Unpacked,
  container: Container,
  { name, command, log }: { name: string; command: readonly string[]; log: string },
): Running {
  const { args, forget } = commandFor(image, container, command);
  const running = start({ name, command: 'unshare', args, log });
  void running.exited.then(forget);
  return running;
}

/** Makes a repository as Argo CD checks it out, with its history, to be mounted as /tmp/NAME. */
export function checkout(folder: string, name: string, fill: (path: string) => void): Record<string, string> {
  const repository = join(folder, name);
  mkdirSync(repository);
  fill(repository);
  const author = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.org'];
  for (const call of ['init --quiet', 'add --all', 'commit --quiet --message=Newer-notebooks'])
    execFileSync('git', ['-C', repository, ...author, ...call.split(' ')]);
  return { [repository]: `tmp/${name}` };
}
