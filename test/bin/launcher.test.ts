/** The launcher: on a Node too old for us it starts itself again with the packaged one, or says so; signals and exit codes pass through. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREPULLER, ROOT } from '../commands/prepuller.ts';

const PACKAGED = `node-${process.platform}-${process.arch}`;
const { version, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
};
const needed = engines.node.replace('>=', '');

/** What makes a Node say it is an old one; only the first, unless it is to be old again after the restart. */
const pretend = (old: string, always = false) =>
  `if (${String(always)} || !process.env.PREPULLER_RESTARTED) ` +
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${old}' } });`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-launcher-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function nodeOptions(code: string): Record<string, string> {
  const file = join(folder, 'pretend.cjs');
  writeFileSync(file, code);
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_OPTIONS: `--require=${file}` };
}

/** A copy of the package with a bundle that does this, and with the packaged Node beside it or not. */
function packageWith(main: string, withNode: boolean): string {
  cpSync(PREPULLER, join(folder, 'bin/prepuller.mjs'));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/main.js'), `export async function main(argv) { ${main} }\n`);
  if (withNode) {
    mkdirSync(join(folder, 'node_modules', PACKAGED, 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(folder, 'node_modules', PACKAGED, 'bin/node'));
  }
  return join(folder, 'bin/prepuller.mjs');
}

function launch(program: string, args: readonly string[], env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('is executable and committed as such', () => {
  expect(statSync(PREPULLER).mode & 0o111).toBe(0o111);
});

test.each([
  ['20.19.0', true],
  ['22.18.9', true],
  [`${needed}.0`, false],
  ['22.20.1', false],
  ['24.0.0', false],
])('Node %s starts again with the packaged one: %s', (old, again) => {
  const program = packageWith('console.log(process.env.PREPULLER_RESTARTED ?? "0", ...argv)', true);
  const outcome = launch(program, ['a', 'b c'], nodeOptions(pretend(old)));
  expect(outcome).toEqual({ status: 0, stdout: `${again ? '1' : '0'} a b c\n`, stderr: '' });
});

test('the exit code passes through', () => {
  const program = packageWith('process.exitCode = 7', true);
  expect(launch(program, [], nodeOptions(pretend('20.0.0'))).status).toBe(7);
});

test('death by a signal passes through as a shell reports it', () => {
  const program = packageWith("process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)", true);
  expect(launch(program, [], nodeOptions(pretend('20.0.0'))).status).toBe(137);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s passes through', async (signal) => {
  const main = `
    const timer = setInterval(() => undefined, 1000);
    process.on('${signal}', () => { clearInterval(timer); console.log('got it'); process.exitCode = 9; });
    console.log('ready');`;
  const child = spawn(process.execPath, [packageWith(main, true)], { env: nodeOptions(pretend('20.0.0')) });
  const closed = once(child, 'close');
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await closed).toEqual([9, null]);
  expect(stdout).toBe('ready\ngot it\n');
});

test('without the packaged Node it says so and exits 2', () => {
  expect(launch(packageWith('', false), [], nodeOptions(pretend('20.1.2')))).toEqual({
    status: 2,
    stdout: '',
    stderr: `prepuller: needs Node ${needed} or newer, this is 20.1.2: install a newer one, or argocd-prepuller with its optional dependencies\n`,
  });
});

test('a packaged Node that is too old itself is not tried again and again', () => {
  const { status, stderr } = launch(packageWith('', true), [], nodeOptions(pretend('20.1.2', true)));
  expect([status, stderr.split('\n')[0]]).toEqual([2, expect.stringMatching(/^prepuller: needs Node /)]);
});

test('a packaged Node that does not start says so and exits 2', () => {
  const program = packageWith('', false);
  mkdirSync(join(folder, 'node_modules', PACKAGED, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', PACKAGED, 'bin/node'), '#!/no/such/loader\n', { mode: 0o755 });
  const { status, stderr } = launch(program, [], nodeOptions(pretend('20.1.2')));
  expect([status, stderr]).toEqual([2, expect.stringContaining('the packaged one does not start on this machine')]);
});

/** The first Node on PATH that is older than we take. */
function oldNode(): string | undefined {
  const found = spawnSync('which', ['-a', 'node'], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  return found.find((node) => {
    const [major = 0] = execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.').map(Number);
    return major < 22;
  });
}

const old = oldNode();
(old === undefined ? test.skip : test)(
  old === undefined ? 'a real old Node (skipped: none on this machine)' : `a real old Node, ${old}`,
  () => {
    const { status, stdout, stderr } = spawnSync(old ?? '', [PREPULLER, '--version'], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  },
);
