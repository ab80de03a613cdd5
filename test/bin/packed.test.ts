/** The package as a user gets it: packed, installed into an empty folder, every command called there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HUB, ROOT } from '../commands/prepuller.ts';

let folder: string;
let installed: string;
let packed: { files: { path: string; mode: number }[]; size: number };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-packed-'));
  // Without scripts: packing would build again, under the feet of other tests.
  const report = npm(ROOT, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [pack] = JSON.parse(report) as [typeof packed & { filename: string }];
  packed = pack;
  installed = join(folder, 'installed');
  mkdirSync(installed);
  npm(installed, ['init', '--yes']);
  const flags = ['--ignore-scripts', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
  npm(installed, ['install', ...flags, join(folder, pack.filename)]);
}, 300_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function npm(cwd: string, args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function call(args: readonly string[], { input = '', cwd = installed } = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const program = join(installed, 'node_modules/.bin/prepuller');
  const env = { PATH, HOME, ARGOCD_APP_NAME: 'hub' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('holds the program, its examples and its papers, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  const top = new Set(paths.map((path) => path.split('/')[0]));
  expect([...top].sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'examples', 'package.json', 'plugin.yaml'].sort(),
  );
  expect(
    paths.filter((path) => path.startsWith('examples/')).every((path) => /^examples\/(chart|hub)\//.test(path)),
  ).toBe(true);
  expect(packed.files.find(({ path }) => path === 'bin/prepuller.mjs')!.mode & 0o111).toBe(0o111);
  expect(packed.size).toBeLessThan(2 * 1024 * 1024);
});

test('installs nothing but Node: all else is in the bundle', () => {
  const others = readdirSync(join(installed, 'node_modules')).filter(
    (name) => !/^(\.|argocd-prepuller$|node-linux-)/.test(name),
  );
  expect(others).toEqual([]);
  expect(readFileSync(join(installed, 'node_modules/argocd-prepuller/dist/LICENCES.txt'), 'utf8')).toMatch(
    /^commander /m,
  );
});

test('generate', () => {
  const cwd = join(installed, 'node_modules/argocd-prepuller/examples/chart');
  const { status, stdout } = call(['generate'], { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain('argocd-prepuller.github.io/role: hook');
});

test('transform', () => {
  const { status, stdout, stderr } = call(['transform', '--summary'], { input: HUB });
  expect(status).toBe(0);
  expect(stdout).toContain('argocd-prepuller.github.io/role: hook');
  expect(stderr).toContain('gate presync');
});

test('images', () => {
  const { status, stdout } = call(['images', '--from', '-', '-o', 'json'], { input: HUB });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ images: [{ reference: 'quay.io/example/notebook:1.0' }] });
});

test('parameters', () => {
  const json = call(['parameters', '-o', 'json']);
  expect(json.status).toBe(0);
  expect((JSON.parse(json.stdout) as { name: string }[])[0]).toMatchObject({ name: 'gate', string: 'presync' });
  expect(call(['parameters'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^- name: gate\n/) });
});

test('demo', () => {
  const { status, stdout } = call(['demo', '--scenario', 'missing-image']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^The sync failed\. /m);
});

test('--version and --help', () => {
  expect(call(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(call(['--help'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: prepuller /) });
});

test('the packaged Node comes with it where it could be fetched', () => {
  const node = join(installed, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (!existsSync(node))
    throw new Error('no packaged Node: the registry could not be reached, or has none for this machine');
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./);
});
