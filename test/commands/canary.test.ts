/** Secrets planted in values, parameters, broken YAML and URLs appear in no output of a call that fails, nor in warnings of one that works. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HUB, prepuller, ROOT, type Outcome } from './prepuller.ts';

const CANARY = 'hunter2CANARYs3cret';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-canary-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function parameters(...entries: Record<string, unknown>[]): Record<string, string> {
  return { ARGOCD_APP_NAME: 'hub', ARGOCD_APP_PARAMETERS: JSON.stringify(entries) };
}

/** A chart of the usual shape, with these files over it. */
function chart(files: Record<string, string>): string {
  const copy = join(folder, 'chart');
  cpSync(join(ROOT, 'examples/chart'), copy, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
}

function expectNothingSaid({ exitCode, stdout, stderr }: Outcome): void {
  expect(exitCode).toBeGreaterThan(0);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^prepuller: .{20,}/);
  expect(stderr).not.toContain(CANARY);
  expect(stderr).not.toContain(Buffer.from(CANARY).toString('base64'));
  expect(stderr).not.toMatch(/^\s+at |this is a bug/m);
  expect(stderr.split('\n')[0]!.length).toBeLessThanOrEqual(300);
}

const BROKEN_YAML = {
  'a tab': `a: 1\n\tpassword: ${CANARY}\n`,
  'an open quote': `password: "${CANARY}\nb: 1\n`,
  'an open bracket': `password: [${CANARY}\n`,
  'an unknown alias': `password: *${CANARY}\n`,
  'a colon too many': `password: ${CANARY}: a: b\n`,
  'bad indentation': `password:\n  ${CANARY}\n b: c\n`,
  'a control character': `password: "${CANARY}\u0007"\n`,
  'a list for a mapping': `- ${CANARY}\n`,
  'a text for a mapping': `${CANARY}\n`,
};

test.each(Object.entries(BROKEN_YAML))('a stream with %s', (_case, text) => {
  const { exitCode, stdout, stderr } = prepuller(['transform'], { input: `${HUB}---\n${text}` });
  expect([stdout, stderr.includes(CANARY)]).toEqual(['', false]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^prepuller: .*\b(document 3|line \d+)\b/);
});

test.each(Object.entries(BROKEN_YAML))('a values file with %s', (_case, text) => {
  const env = parameters({ name: 'value-files', array: ['broken.yaml'] });
  expectNothingSaid(prepuller(['generate'], { folder: chart({ 'broken.yaml': text }), env }));
});

test.each(Object.entries(BROKEN_YAML))('inline values with %s', (_case, text) => {
  const env = parameters({ name: 'values', string: text });
  expectNothingSaid(prepuller(['generate'], { folder: chart({}), env }));
});

test.each(Object.entries(BROKEN_YAML))('a plain manifest with %s', (_case, text) => {
  writeFileSync(join(folder, 'a.yaml'), text);
  expectNothingSaid(prepuller(['generate', '--kind', 'plain'], { folder, env: parameters() }));
});

test.each([
  ['no JSON', { ARGOCD_APP_PARAMETERS: `[{"name":"values","string":"${CANARY}"` }],
  ['a number for a text', parameters({ name: 'values', string: { password: CANARY } })],
  ['a list for a text', parameters({ name: 'values', array: [CANARY] })],
  ['an unknown name', parameters({ name: 'value', string: CANARY })],
  ['a secret in a choice', parameters({ name: 'gate', string: CANARY })],
  ['a secret in a toggle', parameters({ name: 'strict', string: CANARY })],
  ['a secret in a duration', parameters({ name: 'deadline', string: CANARY })],
  ['a parameter Helm cannot parse', parameters({ name: 'parameters', map: { 'hub.a[99999999]': CANARY } })],
  ['a NUL', parameters({ name: 'parameters', map: { 'hub.a': `${CANARY}\0` } })],
])('parameters: %s', (_case, env) => {
  expectNothingSaid(prepuller(['generate'], { folder: chart({}), env }));
});

test('a template that fails on a secret value', () => {
  const copy = chart({ 'templates/fails.yaml': '{{ fail (printf "bad password %s" .Values.canary) }}\n' });
  const env = parameters({ name: 'parameters', map: { canary: CANARY } });
  expectNothingSaid(prepuller(['generate'], { folder: copy, env }));
});

test('a template that makes broken YAML of a secret value', () => {
  const copy = chart({
    'templates/breaks.yaml': 'kind: Secret\nmetadata: {name: a}\npassword: [{{ .Values.canary }}\n',
  });
  const env = parameters({ name: 'values', string: `canary: ${CANARY}\n` });
  expectNothingSaid(prepuller(['generate'], { folder: copy, env }));
});

test('a values URL with credentials', () => {
  const url = `https://user:${CANARY}@127.0.0.1:1/values.yaml?token=${CANARY}`;
  const env = parameters({ name: 'value-files', array: [url] });
  expectNothingSaid(prepuller(['generate'], { folder: chart({}), env }));
  const allowed = { ...env, PREPULLER_VALUE_FILE_SCHEMES: 'https' };
  expectNothingSaid(prepuller(['generate'], { folder: chart({}), env: allowed }));
});

test('a dependency repository with credentials', () => {
  const url = `http://user:${CANARY}@127.0.0.1:1/charts`;
  const dependency = `\ndependencies:\n  - { name: other, version: 1.0.0, repository: "${url}" }\n`;
  const metadata = `apiVersion: v2\nname: hub\nversion: 1.0.0${dependency}`;
  expectNothingSaid(prepuller(['generate'], { folder: chart({ 'Chart.yaml': metadata }), env: parameters() }));
});

test('a call that works: secrets stand in the manifests alone', () => {
  const values = `hub:\n  password: ${CANARY}\nsingleuser:\n  image: { name: quay.io/example/lab, tag: latest }\n`;
  const env = parameters({ name: 'values', string: values });
  const { exitCode, stderr } = prepuller(['generate', '-v', '--summary'], { folder: chart({}), env });
  expect([exitCode, stderr.includes(CANARY)]).toEqual([0, false]);
  const images = prepuller(['images', '-o', 'json'], { folder: chart({}), env });
  expect([images.exitCode, `${images.stdout}${images.stderr}`.includes(CANARY)]).toEqual([0, false]);
});

/** The environment of Argo CD's repository server and of the Application, none of it asked for. */
const SURROUNDINGS = { ARGOCD_ENV_PASSWORD: CANARY, REDIS_PASSWORD: CANARY, GIT_ASKPASS_TOKEN: CANARY };

test('a pull Secret and the environment: in Secrets of the output alone, never in what is said of it', () => {
  const values = `imagePullSecret: { create: true, registry: registry.example.org, username: robot, password: ${CANARY} }\n`;
  const env = { ...parameters({ name: 'values', string: values }), ...SURROUNDINGS };
  const { exitCode, stdout, stderr } = prepuller(['generate', '-v', '--summary'], { folder: chart({}), env });
  expect(exitCode).toBe(0);
  const shapes = [CANARY, Buffer.from(CANARY).toString('base64')];
  const holds = (text: string): boolean =>
    [text, ...[...text.matchAll(/[A-Za-z0-9+/]{24,}=*/g)].map(([word]) => Buffer.from(word, 'base64').toString())].some(
      (one) => shapes.some((shape) => one.includes(shape)),
    );
  const holders = stdout.split(/^---.*\n/m).filter(holds);
  expect(holders.map((document) => /^kind: (\w+)/m.exec(document)?.[1])).toEqual(
    // The chart's values, its pull Secret, and our copy of that for the hook.
    Array(3).fill('Secret'),
  );
  expect(holds(stderr)).toBe(false);
});

test.each([['generate', '--kind', 'plain'], ['images', '-o', 'json'], ['parameters']])(
  'the environment is in nothing that %s says',
  (...args) => {
    writeFileSync(join(folder, 'a.yaml'), HUB);
    const { stdout, stderr } = prepuller(args, { folder, env: { ...parameters(), ...SURROUNDINGS } });
    expect(`${stdout}${stderr}`).not.toContain(CANARY);
  },
);

test.each([
  [`https://user:${CANARY}@github.com/lab/hub.git?token=${CANARY}`, 'https://github.com/lab/hub'],
  [`${CANARY}:${CANARY}@github.com:lab/hub.git`, 'https://github.com/lab/hub'],
  [`https://user:a/${CANARY}@github.com/lab/hub.git`, undefined],
])("the repository's address as Argo CD passes it: %s", (address, page) => {
  const env = { ARGOCD_APP_NAME: 'hub', ARGOCD_APP_REVISION: 'abc', ARGOCD_APP_SOURCE_REPO_URL: address };
  const { exitCode, stdout, stderr } = prepuller(['transform'], { input: HUB, env });
  expect(exitCode).toBe(0);
  expect(stdout + stderr).not.toContain(CANARY);
  expect(/prepuller\.github\.io\/repository: (\S+)/.exec(stdout)?.[1]).toBe(page);
});
