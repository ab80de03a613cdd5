/** The built program on apps made for a test, with what it leaves behind: files, processes, memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { environment, PREPULLER, ROOT } from './prepuller.ts';

/** A place of its own for one test: apps below `repository`, and a HOME and TMPDIR that nothing else writes to. */
export interface Ground {
  root: string;
  repository: string;
  temporary: string;
  home: string;
}

export interface Observed {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
  /** Of the program itself, without helm; 0 when it was killed. */
  maxRssMiB: number;
}

export interface Run {
  app?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** SIGTERM so many milliseconds after the start. */
  stopAfter?: number;
  /** File modes count, as they do for everybody but root. */
  obeyModes?: boolean;
}

/** The example chart as app `hub`, and as a dependency that is not vendored of app `umbrella`. */
export function makeGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), 'prepuller-ground-'));
  const ground = { root, repository: join(root, 'git'), temporary: join(root, 'tmp'), home: join(root, 'home') };
  for (const folder of [join(ground.repository, '.git'), ground.temporary, ground.home]) {
    mkdirSync(folder, { recursive: true });
  }
  cpSync(join(ROOT, 'examples/chart'), join(ground.repository, 'hub'), { recursive: true });
  writeFiles(ground, {
    'umbrella/Chart.yaml':
      'apiVersion: v2\nname: umbrella\nversion: 1.0.0\ndependencies:\n- {name: jupyterhub, version: "*", repository: "file://../hub"}\n',
    'umbrella/values.yaml': 'jupyterhub: {}\n',
  });
  // Memory is read by the program itself at its end.
  writeFileSync(
    join(root, 'at-exit.mjs'),
    `import { appendFileSync } from 'node:fs';\nprocess.on('exit', () => appendFileSync(process.env.RSS_FILE, String(process.resourceUsage().maxRSS)));\n`,
  );
  return ground;
}

export function removeGround({ root }: Ground): void {
  rmSync(root, { recursive: true, force: true });
}

export function writeFiles({ repository }: Ground, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), content);
  }
}

let runs = 0;

/** For setpriv: a root that must keep to modes. */
const WITHOUT_OVERRIDE = ['--bounding-set', '-dac_override,-dac_read_search', process.execPath];

/** `prepuller generate` in the app's folder. */
export async function generate(
  ground: Ground,
  { app = 'hub', args = [], env = {}, stopAfter, obeyModes = false }: Run,
): Promise<Observed> {
  const rssFile = join(ground.root, `rss-${String((runs += 1))}`);
  const started = performance.now();
  const wrapped = obeyModes && process.getuid?.() === 0;
  const child = spawn(
    wrapped ? 'setpriv' : process.execPath,
    [
      ...(wrapped ? WITHOUT_OVERRIDE : []),
      '--import',
      join(ground.root, 'at-exit.mjs'),
      PREPULLER,
      'generate',
      ...args,
    ],
    {
      cwd: join(ground.repository, app),
      env: environment({
        HOME: ground.home,
        TMPDIR: ground.temporary,
        ARGOCD_APP_NAME: 'hub',
        RSS_FILE: rssFile,
        ...env,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const timer = stopAfter === undefined ? undefined : setTimeout(() => child.kill('SIGTERM'), stopAfter);
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (texts.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (texts.stderr += chunk));
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { ...texts, exitCode, signal, milliseconds: performance.now() - started, maxRssMiB: readRss(rssFile) };
}

function readRss(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) / 1024;
  } catch {
    return 0;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Every file below HOME and TMPDIR, by its path in them. */
export function filesLeft({ home, temporary }: Ground): string[] {
  return [home, temporary].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' })).sort();
}

/** What lies in TMPDIR and is not the cache of dependencies. */
export function temporaryLeft({ temporary }: Ground): string[] {
  return readdirSync(temporary).filter((name) => !name.startsWith('prepuller-cache-'));
}

/** Processes that know this ground: the program, and helm, whose TMPDIR lies in it. */
export function processesLeft({ root }: Ground): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(root) && !isZombie(id);
    } catch {
      return false; // gone, or of another user
    }
  });
}

function isZombie(id: string): boolean {
  return readFileSync(`/proc/${id}/stat`, 'utf8').includes(') Z ');
}
