/** `.argocd-source*.yaml`: which files are read, what they change, and what is wrong in them. */
import { applyOverrides } from '../../src/hydrate/overrides.ts';
import { DEFAULT_SOURCE, type SourceOptions } from '../../src/hydrate/source.ts';
import { CHART, failure, makeFolder, removeFolders, render, text } from './app-folder.ts';

afterAll(removeFolders);

const source: SourceOptions = {
  ...DEFAULT_SOURCE,
  appName: 'hub',
  helm: {
    ...DEFAULT_SOURCE.helm,
    valueFiles: ['a.yaml'],
    parameters: [{ name: 'a', value: '1' }],
    values: { x: 1, y: { z: 1 } },
  },
};

async function merged(files: Record<string, string>, base = source): Promise<SourceOptions> {
  const folder = makeFolder(files);
  return applyOverrides(base, { folder, root: folder });
}

test('no file changes nothing, nor does one without settings', async () => {
  expect(await merged({ '.argocd-source.yaml': '# later\n' })).toBe(source);
  expect(await merged({})).toBe(source);
});

test('lists are replaced, mappings merged, null deletes, the app file comes last', async () => {
  const result = await merged({
    '.argocd-source.yaml':
      'helm:\n  valueFiles: [b.yaml]\n  valuesObject: {x: null, y: {w: 2}}\n  skipCrds: true\n  namespace: ns\n',
    '.argocd-source-hub.yaml':
      'helm:\n  parameters: [{name: image.tag, value: "2.0", forcestring: true}]\n  skipCrds: null\n  kubeVersion: "1.33"\n',
    '.argocd-source-other.yaml': 'helm: {releaseName: other}\n',
  });
  expect(result).toMatchObject({ kind: 'helm', namespace: 'ns', kubeVersion: '1.33' });
  expect(result.helm).toMatchObject({
    valueFiles: ['b.yaml'],
    values: { y: { z: 1, w: 2 } },
    parameters: [{ name: 'image.tag', value: '2.0', forceString: true }],
    skipCrds: false,
  });
});

test('kustomize settings', async () => {
  const result = await merged({ '.argocd-source-hub.yaml': 'kustomize: {images: ["a=b:1"], namespace: ns}\n' });
  expect(result).toMatchObject({ kind: 'kustomize', kustomize: { images: ['a=b:1'], namespace: 'ns' } });
  expect(result.namespace).toBeUndefined();
});

test('a file in git cannot allow remote values', async () => {
  const result = await merged({ '.argocd-source.yaml': 'helm: {valueFileSchemes: [https]}\n' });
  expect(result.helm.valueFileSchemes).toEqual([]);
});

test.each([
  ['helm: {valueFiles: a.yaml}\n', '.argocd-source.yaml: helm.valueFiles has a type Argo CD does not take'],
  [
    'helm: {parameters: [{name: a, value: 1}]}\n',
    '.argocd-source.yaml: helm.parameters has a type Argo CD does not take',
  ],
  [
    'kustomize: {commonLabels: {a: 1}}\n',
    '.argocd-source.yaml: kustomize.commonLabels has a type Argo CD does not take',
  ],
  ['helm: [\n', '.argocd-source.yaml line 2 is no valid YAML, or has an alias'],
  ['a: &a [x]\nhelm: {valuesObject: {b: *a}}\n', '.argocd-source.yaml line 2 is no valid YAML, or has an alias'],
  ['- a\n', '.argocd-source.yaml holds no settings: expected a mapping with helm or kustomize'],
  ['helm: {}\nkustomize: {}\n', '.argocd-source.yaml sets both helm and kustomize: keep one'],
])('%j is refused', async (content, message) => {
  expect((await failure(merged({ '.argocd-source.yaml': content }))).message).toBe(message);
});

test('an image updater that writes to git is heard', async () => {
  const folder = makeFolder({
    ...CHART,
    '.argocd-source-hub.yaml':
      'helm:\n  parameters:\n  - name: image.tag\n    value: "20240101"\n    forcestring: true\n',
  });
  expect(await text(render(folder))).toContain('quay.io/tiny/nb:20240101');
});
