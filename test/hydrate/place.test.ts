/** Which folders and files an app may name: nothing outside its repository, nothing but regular, readable files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError, UserError } from '../../src/errors.ts';
import { CHART, failure, makeFolder, removeFolders, render, text, type Settings } from './app-folder.ts';

const OUTSIDE = makeFolder({ 'secret.yaml': 'extra: CANARY\n' });

/** A repository whose app is the tiny chart in `app`. */
function repository(): string {
  const app = Object.fromEntries(Object.entries(CHART).map(([name, content]) => [`app/${name}`, content]));
  return makeFolder({ '.git/HEAD': '', 'shared.yaml': 'extra: shared\n', ...app });
}

/** what → how it gets there, what is asked for, what is said. */
const REFUSED: [string, (root: string) => void, Settings, RegExp][] = [
  [
    'a path out of the repository',
    () => undefined,
    { helm: { valueFiles: ['../../secret.yaml'] } },
    /^values file "\.\.\/\.\.\/secret\.yaml" leaves the repository/,
  ],
  ['a glob out of the repository', () => undefined, { helm: { valueFiles: ['../../*.yaml'] } }, /leave the repository/],
  [
    'a link out of the repository',
    (root) => {
      symlinkSync(join(OUTSIDE, 'secret.yaml'), join(root, 'app/v.yaml'));
    },
    { helm: { valueFiles: ['v.yaml'] } },
    /^values file "v\.yaml" is a link that leaves the repository/,
  ],
  [
    'a linked folder out of the repository',
    (root) => {
      symlinkSync(OUTSIDE, join(root, 'app/envs'));
    },
    { helm: { valueFiles: ['envs/secret.yaml'] } },
    /^values file "envs\/secret\.yaml" is a link that leaves the repository/,
  ],
  [
    'a link by a glob',
    (root) => {
      symlinkSync(join(OUTSIDE, 'secret.yaml'), join(root, 'app/v.yaml'));
    },
    { helm: { valueFiles: ['v*.yaml'] } },
    /is a link that leaves the repository/,
  ],
  [
    'a link in the chart',
    (root) => {
      symlinkSync('/etc/hostname', join(root, 'app/templates/x.txt'));
    },
    {},
    /^"app\/templates\/x\.txt" is a link that leaves the repository/,
  ],
  [
    'a link to nothing',
    (root) => {
      symlinkSync('nowhere', join(root, 'app/v.yaml'));
    },
    { helm: { valueFiles: ['v.yaml'] } },
    /^values file "v\.yaml" is a link to nothing/,
  ],
  [
    'a FIFO',
    (root) => {
      execFileSync('mkfifo', [join(root, 'app/v.yaml')]);
    },
    { helm: { valueFiles: ['v.yaml'] } },
    /^values file "v\.yaml" is a FIFO, not a file/,
  ],
  [
    'a device',
    (root) => {
      symlinkSync('/dev/zero', join(root, 'app/v.yaml'));
    },
    { helm: { valueFiles: ['v.yaml'] }, context: { repositoryRoot: '/' } },
    /^values file "v\.yaml" is a device, not a file/,
  ],
  [
    'a folder',
    (root) => {
      mkdirSync(join(root, 'app/v.yaml'));
    },
    { helm: { valueFiles: ['v.yaml'] } },
    /^values file "v\.yaml" is a folder, not a file/,
  ],
  [
    'a file of 11 MiB',
    (root) => {
      writeFileSync(join(root, 'app/v.yaml'), '');
      truncateSync(join(root, 'app/v.yaml'), 11 * 1024 * 1024);
    },
    { helm: { valueFiles: ['v.yaml'] } },
    /^values file "v\.yaml" has 11 MiB: more than 10 MiB is refused/,
  ],
  [
    'what reads like a flag',
    () => undefined,
    { helm: { valueFiles: ['--post-renderer'] } },
    /^values file "--post-renderer" reads like a flag/,
  ],
  ['an empty path', () => undefined, { helm: { valueFiles: ['$ARGOCD_APP_NOTHING'.slice(0, 0)] } }, /is an empty path/],
  [
    'a file parameter out of the repository',
    () => undefined,
    { helm: { fileParameters: [{ name: 'a', path: '/../x' }] } },
    /^file parameter .* (leaves the repository|does not exist)/,
  ],
  [
    'a file parameter of a second source',
    () => undefined,
    { helm: { fileParameters: [{ name: 'a', path: '$values/x' }] } },
    /multi-source/,
  ],
];

afterAll(removeFolders);

test.each(REFUSED)('refused by name: %s', async (_what, prepare, settings, message) => {
  const root = repository();
  prepare(root);
  const error = await failure(render(join(root, 'app'), settings));
  expect(error).toBeInstanceOf(UserError);
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('CANARY');
});

test.each<[string, Settings]>([
  ['release name', { helm: { releaseName: '--post-renderer=/bin/sh' } }],
  ['release name that is a template', { helm: { releaseName: '{{ env "PATH" }}' } }],
  ['release name of 54 characters', { helm: { releaseName: 'a'.repeat(54) } }],
  ['no release name', { source: { appName: '' } }],
  ['namespace', { source: { namespace: '--kubeconfig=/x' } }],
  ['kube-version', { source: { kubeVersion: '--post-renderer' } }],
  ['api-versions', { source: { apiVersions: ['--post-renderer'] } }],
  ['parameter name', { helm: { parameters: [{ name: '--post-renderer', value: 'x' }] } }],
  ['file parameter name', { helm: { fileParameters: [{ name: '', path: 'values.yaml' }] } }],
])('no setting can be a flag: %s', async (_what, settings) => {
  expect(await failure(render(join(repository(), 'app'), settings))).toBeInstanceOf(UsageError);
});

test.each<[string, Record<string, string>]>([
  ['by .git', {}],
  ['by the path Argo CD names', { ARGOCD_APP_SOURCE_PATH: 'app' }],
])('a leading / is the root of the repository, found %s', async (how, env) => {
  const root = repository();
  if (how !== 'by .git') execFileSync('rm', ['-r', join(root, '.git')]);
  const rendered = await text(
    render(join(root, 'app'), { helm: { valueFiles: ['/shared.yaml'] }, context: { env: { ...process.env, ...env } } }),
  );
  expect(rendered).toContain('shared');
});

test('a folder that is none', async () => {
  expect((await failure(render('/nowhere/at/all'))).message).toMatch(/is not a folder/);
});
