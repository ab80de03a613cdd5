#!/usr/bin/env node
/**
 * Starts the bundle. On a Node older than package.json's `engines`, starts itself again with the packaged Node.
 * Plain enough to be read by that older Node.
 */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const home = new URL('../', import.meta.url);
const { version, engines } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
const needed = engines.node.replace('>=', '');

if (isNewEnough(process.versions.node, needed)) {
  if (process.env.NODE_COMPILE_CACHE === undefined) enableCompileCache();
  const { main } = await import('../dist/main.js');
  await main(process.argv.slice(2), { version, home });
} else {
  await restart();
}

/** In the user's cache folder; in Argo CD's sidecar, where only TMPDIR can be written, in a folder of this user there. */
function enableCompileCache() {
  const { HOME, XDG_CACHE_HOME } = process.env;
  const cache = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  const { FAILED } = module.constants.compileCacheStatus;
  if (cache && module.enableCompileCache(`${cache}/argocd-prepuller/compile-cache`).status !== FAILED) return;
  const folder = privateTemporaryFolder();
  if (folder !== undefined) module.enableCompileCache(`${folder}/compile-cache`);
}

/** Others may write to TMPDIR, and whoever can write the cache can run code as whoever reads it: ours and closed, or none. */
function privateTemporaryFolder() {
  const user = process.getuid ? process.getuid() : 0;
  const folder = `${process.env.TMPDIR || '/tmp'}/prepuller-cache-${user}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const info = lstatSync(folder);
    return info.isDirectory() && info.uid === user && (info.mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isNewEnough(have, wanted) {
  const [major, minor] = have.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

async function restart() {
  const packaged = packagedNode();
  if (packaged === undefined || process.env.PREPULLER_RESTARTED !== undefined) {
    refuse('install a newer one, or argocd-prepuller with its optional dependencies');
    return;
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(packaged, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, PREPULLER_RESTARTED: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => refuse('the packaged one does not start on this machine; install a newer one'));
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9 }[signal] || 15) : code;
  });
}

function packagedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
}

function refuse(fix) {
  process.stderr.write(`prepuller: needs Node ${needed} or newer, this is ${process.versions.node}: ${fix}\n`);
  process.exitCode = 2;
}
