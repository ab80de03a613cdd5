/** `images --since` on repositories made here, rendered by the real helm: EVIDENCE G-01, G-02, G-04. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../src/images.ts';
import { createLog } from '../../src/log.ts';
import type { ImageChanges } from '../../src/prepull/image-changes.ts';

const CHART = 'apiVersion: v2\nname: hub\nversion: 1.0.0\n';
/** The hub's Secret is all that `images` needs: the chart's values under `values.yaml`. */
const SECRET = `apiVersion: v1
kind: Secret
metadata:
  name: hub
  labels: {app: jupyterhub, component: hub, release: {{ .Release.Name }}, heritage: Helm, chart: jupyterhub-4.0.0}
data:
  values.yaml: {{ .Values | toYaml | b64enc }}
`;
const profile = (name: string, image: string) =>
  `    - display_name: ${name}\n      kubespawner_override: {image: "${image}"}\n`;
const values = (tag: string, ...profiles: string[]) =>
  `singleuser:\n  image: {name: quay.io/example/nb, tag: ${tag}}\n  profileList:\n${profiles.join('')}`;
const GPU = profile('GPU', 'quay.io/example/gpu:1');
const R = profile('R', 'quay.io/example/r:1');

let repo: string;
beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), 'prepuller-since-test-'));
  git('init', '-q', '-b', 'main');
});
afterEach(() => {
  rmSync(repo, { recursive: true, force: true });
});

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], {
    cwd: repo,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function commit(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'change');
  return git('rev-parse', 'HEAD');
}

function hub(folder: string, text: string): Record<string, string> {
  return {
    [`${folder}/Chart.yaml`]: CHART,
    [`${folder}/templates/secret.yaml`]: SECRET,
    [`${folder}/values.yaml`]: text,
  };
}

async function images(since: string, { folder = 'hub', output = 'json' } = {}) {
  const result = await run({
    args: [],
    options: { since, output },
    flags: {},
    env: { ...process.env, ARGOCD_APP_NAME: 'hub' },
    folder: join(repo, folder),
    home: new URL('../../', import.meta.url),
    readStdin: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
    log: createLog(false, () => undefined),
    terminal: { isInteractive: false, say: () => undefined, ask: () => Promise.reject(new Error('not asked')) },
  });
  return { stdout: String(result.stdout), warnings: result.warnings ?? [] };
}

async function changes(since: string, folder = 'hub') {
  const answer = JSON.parse((await images(since, { folder })).stdout) as ImageChanges;
  const names = (list: ImageChanges['added']) => list.map(({ reference }) => reference);
  return { added: names(answer.added), removed: names(answer.removed), unchanged: answer.unchanged };
}

const SAME = { added: [], removed: [], unchanged: 3 };

test('a tag bump of one of three: exactly one added, one removed', async () => {
  const older = commit(hub('hub', values('"1"', GPU, R)));
  commit(hub('hub', values('"1"', GPU.replace('gpu:1', 'gpu:2'), R)));
  expect(await changes(older)).toEqual({
    added: ['quay.io/example/gpu:2'],
    removed: ['quay.io/example/gpu:1'],
    unchanged: 2,
  });
});

test.each([
  ['profiles are reordered', hub('hub', values('"1"', R, GPU))],
  ['a tag is quoted in another way', hub('hub', values("'1'", GPU, R))],
  ['another app changes', hub('other', values('"9"', R))],
  ['a comment changes', hub('hub', `# new\n${values('"1"', GPU, R)}`)],
])('nothing changes when %s', async (_name, files) => {
  const older = commit(hub('hub', values('"1"', GPU, R)));
  commit(files);
  expect(await changes(older)).toEqual(SAME);
});

test('a revert undoes its commit', async () => {
  const first = commit(hub('hub', values('"1"', GPU, R)));
  const bump = commit(hub('hub', values('"2"', GPU, R)));
  git('revert', '--no-edit', bump);
  expect(await changes(first)).toEqual(SAME);
  expect(await changes(bump)).toEqual({
    added: ['quay.io/example/nb:1'],
    removed: ['quay.io/example/nb:2'],
    unchanged: 2,
  });
});

test('a merge is compared with the named revision, whichever parent is first', async () => {
  const production = commit(hub('hub', values('"1"', GPU, R)));
  git('switch', '-q', '-c', 'staging');
  commit(hub('hub', values('"2"', GPU, R)));
  git('switch', '-q', 'main');
  commit({ 'README.md': 'x' });
  git('switch', '-q', 'staging');
  git('merge', '-q', '--no-edit', 'main');
  git('switch', '-q', 'main');
  git('merge', '-q', '--ff-only', 'staging');
  expect(await changes(production)).toMatchObject({
    added: ['quay.io/example/nb:2'],
    removed: ['quay.io/example/nb:1'],
  });
});

test('the folder was renamed in between', async () => {
  const older = commit(hub('apps/hub', values('"1"', GPU, R)));
  mkdirSync(join(repo, 'hubs'));
  renameSync(join(repo, 'apps/hub'), join(repo, 'hubs/main'));
  commit({ 'hubs/main/values.yaml': values('"2"', GPU, R) });
  expect(await changes(older, 'hubs/main')).toMatchObject({
    added: ['quay.io/example/nb:2'],
    removed: ['quay.io/example/nb:1'],
  });
});

test('a new app: everything is added, and it is said', async () => {
  const older = commit({ 'README.md': 'x' });
  commit(hub('hub', values('"1"', GPU, R)));
  const { stdout, warnings } = await images(older);
  expect((JSON.parse(stdout) as ImageChanges).added).toHaveLength(3);
  expect(warnings).toContainEqual({
    message: 'the app did not exist at that commit: every image counts as added',
    fields: { since: older },
  });
});

test('uncommitted changes are not looked at, nor touched', async () => {
  const older = commit(hub('hub', values('"1"', GPU, R)));
  writeFileSync(join(repo, 'hub/values.yaml'), 'not: [yaml');
  const before = git('status', '--porcelain=v2');
  expect(await changes(older)).toEqual(SAME);
  expect(git('status', '--porcelain=v2')).toBe(before);
});

test('the same commit on both sides', async () => {
  commit(hub('hub', values('"1"', GPU, R)));
  expect(await changes('HEAD')).toEqual(SAME);
});

test('a missing parent of a shallow clone is an error with the fix', async () => {
  commit(hub('hub', values('"1"', GPU, R)));
  commit(hub('hub', values('"2"', GPU, R)));
  const shallow = join(repo, 'shallow');
  git('clone', '-q', '--depth', '1', `file://${repo}`, shallow);
  await expect(images('HEAD~1', { folder: 'shallow/hub' })).rejects.toThrow(/clone is shallow.*fetch-depth: 0/);
});

test('no repository is an error that says what is needed', async () => {
  const bare = mkdtempSync(join(tmpdir(), 'prepuller-bare-'));
  try {
    await expect(images('HEAD', { folder: join('..', bare.slice(tmpdir().length + 1)) })).rejects.toThrow(
      'needs a git repository',
    );
  } finally {
    rmSync(bare, { recursive: true });
  }
});

test('an app that does not render at the older commit is an error that names the commit', async () => {
  const older = commit(hub('hub', values('20240101', GPU, R)));
  commit(hub('hub', values('"20240101"', GPU, R)));
  await expect(images(older)).rejects.toThrow(new RegExp(`^at ${older.slice(0, 8)}: .*quote`, 's'));
});

test('as text and as Markdown, with the profile each image belongs to', async () => {
  const older = commit(hub('hub', values('"1"', GPU, R)));
  const newer = commit(hub('hub', values('"1"', GPU.replace('GPU', 'GPU | `@all`').replace('gpu:1', 'gpu:2'), R)));
  const [from, to] = [older.slice(0, 8), newer.slice(0, 8)];
  expect((await images(older, { output: 'text' })).stdout).toBe(
    `images from ${from} to ${to}: 1 added, 1 removed, 2 unchanged
+ quay.io/example/gpu:2
    Secret/hub singleuser.profileList[0].kubespawner_override.image (GPU | \`@all\`)
- quay.io/example/gpu:1
    Secret/hub singleuser.profileList[0].kubespawner_override.image (GPU)
`,
  );
  expect((await images(older, { output: 'markdown' })).stdout).toBe(
    `**User images** from \`${from}\` to \`${to}\`: 1 added, 1 removed, 2 unchanged.

| | image | named by |
|---|---|---|
| added | \`quay.io/example/gpu:2\` | \`\` Secret/hub singleuser.profileList[0].kubespawner_override.image (GPU \\| \`@all\`) \`\` |
| removed | \`quay.io/example/gpu:1\` | \`Secret/hub singleuser.profileList[0].kubespawner_override.image (GPU)\` |
`,
  );
  expect((await images('HEAD', { output: 'markdown' })).stdout).toBe(
    `**No user image changes** from \`${to}\` to \`${to}\` (3 unchanged).\n`,
  );
});
