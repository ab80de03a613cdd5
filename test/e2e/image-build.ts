/** The Dockerfile built by buildah, on stand-ins for its base images; storage and caches stay between runs. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const STORE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'argocd-prepuller/image');
const NEEDED = ['buildah', 'debootstrap', 'setpriv', 'unshare', 'go'];

/** Cold, everything that Helm is made of is compiled. */
export const BUILD_MINUTES = 30;

/** What this machine lacks for it; empty when nothing. */
function missing(): string[] {
  const lacking = NEEDED.filter(
    (name) => !(process.env.PATH ?? '').split(':').some((one) => existsSync(join(one, name))),
  );
  return [...lacking, ...(process.getuid?.() === 0 ? [] : ['root'])];
}

/** `describe`, or its `skip` with the reason for the title; where nothing may be skipped it throws. */
export function canBuildImages(): { whenPossible: typeof describe; lacking: string } {
  const names = missing();
  if (names.length === 0) return { whenPossible: describe, lacking: '' };
  if (process.env.CI !== undefined) throw new Error(`the suite needs ${names.join(', ')}`);
  return { whenPossible: describe.skip, lacking: ` (skipped without ${names.join(', ')})` };
}

/** Storage of its own, without the kernel's overlay and without containers: what works on any machine, and touches nobody else's images. */
function environment(): NodeJS.ProcessEnv {
  const config = join(STORE, 'storage.conf');
  mkdirSync(STORE, { recursive: true });
  writeFileSync(config, `[storage]\ndriver = "vfs"\ngraphroot = "${STORE}/storage"\nrunroot = "${STORE}/run"\n`);
  return { ...process.env, CONTAINERS_STORAGE_CONF: config, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
}

async function call(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: ROOT, env: { ...environment(), ...env }, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout.trim();
}

function buildah(...args: string[]): Promise<string> {
  return call('buildah', args);
}

/** Images that stand in for the official ones, by version: another Node or Go makes another. */
export const BASE = `stand-in-node:${process.versions.node}`;
const goImage = async (): Promise<string> => `stand-in-go:${(await call('go', ['env', 'GOVERSION'])).slice(2)}`;

async function makeStandIn(tag: string, parts: Record<string, string>): Promise<void> {
  const known = await buildah('images', '--quiet', '--filter', `reference=localhost/${tag}`);
  if (known === '') await call(join(ROOT, 'test/e2e/image-stand-ins.sh'), [tag, STORE], parts);
}

/** Made once, in a minute. */
export async function prepareStandIns(): Promise<void> {
  const npm = dirname(dirname(realpathSync(await call('sh', ['-c', 'command -v npm']))));
  await makeStandIn(BASE, { NODE: process.execPath, NPM: npm });
  await makeStandIn(await goImage(), { GOROOT: await call('go', ['env', 'GOROOT']) });
}

export interface BuildOptions {
  /** Absent: all of it. */
  target?: string;
  args?: Record<string, string>;
}

/** Builds, and names the result. */
export async function buildImage(tag: string, { target, args = {} }: BuildOptions = {}): Promise<void> {
  const given = { NODE_IMAGE: `localhost/${BASE}`, GO_IMAGE: `localhost/${await goImage()}`, ...args };
  await buildah(
    ...['build', '--pull-never', '--layers=false', '--tag', `localhost/${tag}`],
    ...(target === undefined ? [] : ['--target', target]),
    ...Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    '.',
  );
}

export interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Labels: Record<string, string>;
}

export interface Unpacked {
  /** The folder that is the root of its containers. */
  root: string;
  config: ImageConfig;
  remove(): Promise<void>;
}

export async function unpackImage(tag: string): Promise<Unpacked> {
  const container = await buildah('from', '--pull-never', `localhost/${tag}`);
  const root = await buildah('mount', container);
  const { Docker } = JSON.parse(await buildah('inspect', container)) as { Docker: { config: ImageConfig } };
  return {
    root,
    config: Docker.config,
    async remove() {
      await buildah('rm', container);
    },
  };
}

/** Removes results, and what builds before them left without a name. */
export async function forgetImages(...tags: string[]): Promise<void> {
  if (tags.length > 0) await buildah('rmi', '--force', ...tags.map((tag) => `localhost/${tag}`));
  await buildah('rmi', '--prune', '--force');
}
