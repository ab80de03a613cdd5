/** What users get wrong with kustomize: the whole first line of each mistake, as Argo CD shows it. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { CHART, failure, KUSTOMIZE, makeFolder, removeFolders, render, type Settings } from './app-folder.ts';
import { KUSTOMIZE_FILES } from './parity-kustomize.ts';

interface Mistake {
  files: Record<string, string>;
  settings?: Settings;
  /** The whole first line. */
  first: string | RegExp;
}

const CHARTS = Object.fromEntries(Object.entries(CHART).map(([name, text]) => [`app/charts/tiny/${name}`, text]));

const MISTAKES: Record<string, Mistake> = {
  'a resource that is missing': {
    files: { 'app/kustomization.yaml': 'resources: [own.yaml, gone.yaml]\n' },
    first: 'app/gone.yaml does not exist, but a kustomization names it',
  },
  'a base that is missing': {
    files: { 'app/kustomization.yaml': 'resources: [../gone]\n' },
    first: 'gone does not exist, but a kustomization names it',
  },
  'a base without a kustomization': {
    files: { 'app/kustomization.yaml': 'resources: [../none]\n', 'none/a.yaml': '' },
    first: 'none has no kustomization.yaml, but a kustomization names it',
  },
  'a base out of the repository': {
    files: { 'app/kustomization.yaml': 'resources: [../../..]\n' },
    first: '"app": "../../.." leaves the repository: move it inside',
  },
  'a file out of the root': {
    files: { 'app/kustomization.yaml': 'resources: [../base/deployment.yaml]\n' },
    first:
      'base/deployment.yaml lies outside app, where kustomize reads nothing: move it, or give it a kustomization of its own and name its folder',
  },
  'an unknown field': {
    files: { 'app/kustomization.yaml': 'namePrefix: a-\nresource: [own.yaml]\n' },
    first: 'app/kustomization.yaml line 2: kustomize knows no field resource: check its spelling',
  },
  'a number for a tag': {
    files: { 'app/kustomization.yaml': 'resources: [own.yaml]\nimages:\n- name: a\n  newTag: 1.10\n' },
    first: 'app/kustomization.yaml line 2: images.newTag is a number, not a string: put the value in quotes',
  },
  'a kustomization that is no YAML': {
    files: { 'base/kustomization.yaml': 'resources: [deployment.yaml\nx: CANARY\n' },
    first: /^base\/kustomization\.yaml line \d is no valid YAML: /,
  },
  'a resource that is no YAML': {
    files: { 'app/own.yaml': 'a: [\nb: CANARY\n' },
    first: /^app\/own\.yaml line 2 is no valid YAML: /,
  },
  'a resource that is no object': {
    files: { 'app/own.yaml': 'a: CANARY\n' },
    first: 'app/own.yaml holds no Kubernetes object: it needs apiVersion, kind and metadata.name',
  },
  'one object twice': {
    files: {
      'app/kustomization.yaml': 'resources: [own.yaml, more.yaml]\n',
      'app/more.yaml': KUSTOMIZE_FILES['app/own.yaml']!,
    },
    first: 'app/more.yaml: ConfigMap own is there already: each object may come once',
  },
  'a patch for nothing': {
    files: { 'app/kustomization.yaml': 'resources: [own.yaml]\npatches: [{path: patch.yaml}]\n' },
    first: 'a patch is for Deployment hub, which no resource is: check kind and name',
  },
  'a patch file that is missing': {
    files: { 'app/kustomization.yaml': 'resources: [own.yaml]\npatches: [{path: gone.yaml}]\n' },
    first: 'app/gone.yaml does not exist, but a kustomization names it',
  },
  'a cycle': {
    files: { 'base/kustomization.yaml': 'resources: [../app]\n' },
    first: 'app includes itself: take it out of its own resources',
  },
  'helm refuses a chart': {
    files: {
      ...CHARTS,
      'app/charts/tiny/templates/b.yaml': '{{ fail "not CANARY" }}',
      'app/kustomization.yaml': 'helmCharts: [{name: tiny, releaseName: hub, valuesInline: {password: CANARY}}]\n',
    },
    first: 'tiny/templates/b.yaml line 1: not ***',
  },
  'a chart that cannot be fetched': {
    files: {
      'app/kustomization.yaml':
        'helmCharts: [{name: gone, releaseName: hub, version: 1.0.0, repo: "http://u:CANARY@127.0.0.1:1"}]\n',
    },
    first:
      'charts of http://***@127.0.0.1:1 could not be fetched: make it reachable, or commit the chart below charts/',
  },
  'a tag that is a number, for a chart': {
    files: {
      ...CHARTS,
      'app/values.yaml': 'image:\n  name: a\n  tag: 1.10\n',
      'app/kustomization.yaml': 'helmCharts: [{name: tiny, releaseName: hub, valuesFile: values.yaml}]\n',
    },
    first: 'values.yaml line 3: image.tag 1.10 is a number to YAML and would be pulled as 1.1: quote the tag ("1.10")',
  },
  'a tag that is a number, inline': {
    files: {
      ...CHARTS,
      'app/kustomization.yaml':
        'helmCharts:\n- name: tiny\n  releaseName: hub\n  valuesInline: {image: {name: a, tag: 20240101}}\n',
    },
    first: /^kustomization\.yaml line 4: helmCharts\.0\.valuesInline\.image\.tag 20240101 is a number/,
  },
  'a component that is missing': {
    files: {},
    settings: { kustomize: { components: ['../gone'] } },
    first: /gone/,
  },
  'a component out of the repository': {
    files: {},
    settings: { kustomize: { components: ['../../gone'] } },
    first: 'component "../../gone" leaves the repository',
  },
  'nothing in it': {
    files: { 'app/kustomization.yaml': 'resources: []\n' },
    first: /^"app" renders to nothing \(as kustomize\)/,
  },
};

afterAll(removeFolders);

const withKustomize = KUSTOMIZE === undefined ? describe.skip : describe;

withKustomize('kustomize mistakes (needs PREPULLER_KUSTOMIZE)', () => {
  test.each(['app/kustomization.yaml', 'app/more.yaml', 'base/kustomization.yaml'])('a FIFO: %s', async (name) => {
    const repository = makeFolder({ '.git/HEAD': '', ...KUSTOMIZE_FILES });
    rmSync(join(repository, name), { force: true });
    execFileSync('mkfifo', [join(repository, name)]);
    const error = await failure(render(join(repository, 'app')));
    expect(error.message).toMatch(/^"\S+" is (a FIFO, device or socket|no readable file)/);
  });

  test.each(Object.entries(MISTAKES))('%s', async (_mistake, { files, settings, first }) => {
    const repository = makeFolder({ '.git/HEAD': '', ...KUSTOMIZE_FILES, ...files });
    const error = await failure(render(join(repository, 'app'), settings));
    const [line = ''] = error.message.split('\n');
    if (typeof first === 'string') expect(line).toBe(first);
    else expect(line).toMatch(first);
    expect(error).toBeInstanceOf(UserError);
    expect(line.length).toBeLessThanOrEqual(300);
    expect(error.message).not.toContain('CANARY');
    expect(error.message).not.toContain(repository);
  });
});
