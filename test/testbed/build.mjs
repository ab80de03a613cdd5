/**
 * Builds the programs of this Go module: `node test/testbed/build.mjs [NAME]...`. The first build compiles Kubernetes and takes
 * minutes; always the same flags, or Go compiles all of it again. What was built is kept by what it was built from.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('.', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'argocd-prepuller');
const NEEDED = [1, 25];

/** The release of k8s.io/kubernetes in go.mod: without it the parts call themselves v0.0.0, and kubectl and Argo CD misread them. */
function kubernetesRelease() {
  return /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(module, 'go.mod'), 'utf8'))[1];
}

function flags() {
  const release = kubernetesRelease();
  const [major, minor] = release.slice(1).split('.');
  const version = { gitVersion: release, gitMajor: major, gitMinor: minor };
  const stamps = Object.entries(version).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ['-trimpath', '-buildvcs=false', '-ldflags', `-s -w ${stamps.join(' ')}`];
}

function goVersion() {
  let text;
  try {
    text = execFileSync('go', ['env', 'GOVERSION'], { cwd: module, encoding: 'utf8' }).trim();
  } catch {
    throw new Error('the testbed is built by Go: install Go 1.25 or newer');
  }
  const [major, minor] = text.replace('go', '').split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return text;
  throw new Error(`the testbed needs Go ${NEEDED.join('.')} or newer, this is ${text}`);
}

function digestOf(name) {
  const sources = readdirSync(join(module, name)).map((file) => join(name, file));
  const hash = createHash('sha256').update(JSON.stringify([goVersion(), process.arch, flags()]));
  for (const file of ['go.mod', 'go.sum', ...sources.sort()]) hash.update(readFileSync(join(module, file)));
  return hash.digest('hex').slice(0, 16);
}

/** The path of a program, built when it is not there. Says on stderr what takes long. */
export async function testbedProgram(name) {
  const folder = join(cache, 'testbed');
  const program = join(folder, `${name}-${digestOf(name)}`);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  process.stderr.write(`testbed: building ${name} of Kubernetes ${kubernetesRelease()} (minutes the first time)\n`);
  const began = performance.now();
  const scratch = `${program}.${process.pid}`;
  await goBuild(['build', ...flags(), '-o', scratch, `./${name}`]);
  await rename(scratch, program);
  for (const other of readdirSync(folder)) {
    if (other.startsWith(`${name}-`) && join(folder, other) !== program) await rm(join(folder, other), { force: true });
  }
  process.stderr.write(`testbed: ${name} built in ${Math.round((performance.now() - began) / 1000)} s\n`);
  return program;
}

function goBuild(args) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd: module, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`go build failed with exit code ${code}`))));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : ['cluster', 'argocd', 'manifests'])
    console.log(await testbedProgram(name));
}
