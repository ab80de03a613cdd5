/** Each option gives the same bytes as helm called by hand with the flags that say the same. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, HELMS, makeFolder, plainly, removeFolders, render, text, type Settings } from './app-folder.ts';

const BASE = ['template', '.', '--name-template', 'hub', '--include-crds'];

/** option → settings, and the flags that say the same to helm by hand. */
export const HELM_OPTIONS: [string, Settings, string[]][] = [
  ['nothing set', {}, BASE],
  ['release-name', { helm: { releaseName: 'other' } }, ['template', '.', '--name-template', 'other', '--include-crds']],
  ['app name with namespace', { source: { appName: 'team_hub' } }, BASE],
  ['namespace', { source: { namespace: 'jhub' } }, [...BASE, '--namespace', 'jhub']],
  ['kube-version', { source: { kubeVersion: 'v1.33.4-gke.100' } }, [...BASE, '--kube-version', '1.33.4']],
  [
    'api-versions',
    { source: { apiVersions: ['a.example/v1', 'b.example/v1/B'] } },
    [...BASE, '--api-versions', 'a.example/v1', '--api-versions', 'b.example/v1/B'],
  ],
  ['value-files', { helm: { valueFiles: ['b.yaml', 'a.yaml'] } }, [...BASE, '-f', 'b.yaml', '-f', 'a.yaml']],
];

const FILES = { ...CHART, 'a.yaml': 'extra: a\nnested: {a: 1}\n', 'b.yaml': 'extra: b\nnested: {b: 1}\n' };

afterAll(removeFolders);

describe.each(HELMS)('with %s', (_name, helm) => {
  test.each(HELM_OPTIONS)('%s: the same as helm template', async (_option, settings, flags) => {
    const folder = makeFolder(FILES);
    writeFileSync(join(folder, 'inline.yaml'), 'extra: inline\n');
    const ours = await text(render(folder, { ...settings, context: { helm } }));
    expect(ours).toBe(plainly(helm, flags, folder));
  });
});
