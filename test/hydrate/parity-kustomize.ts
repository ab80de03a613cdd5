/**
 * Every setting of a kustomize source beside the `kustomize edit` commands that mean the same, run by hand on a copy of
 * the files. The rows are the parity table: option → what it was compared with.
 */
import type { Settings } from './app-folder.ts';
import { ENV } from './parity-helm.ts';
import { CHART } from './tiny-chart.ts';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: hub}
spec:
  replicas: 1
  selector: {matchLabels: {app: hub}}
  template:
    metadata: {labels: {app: hub}}
    spec: {containers: [{name: hub, image: quay.io/tiny/hub}]}
`;

export const KUSTOMIZE_FILES: Record<string, string> = {
  'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
  'base/deployment.yaml': DEPLOYMENT,
  'component/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigMapGenerator: [{name: c, literals: [a=b]}]\n',
  'app/kustomization.yaml':
    'namePrefix: from-git-\nresources: [../base, own.yaml]\nimages: [{name: quay.io/tiny/hub, newTag: "1"}]\n',
  'app/own.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n',
  'app/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: hub}\nspec: {replicas: 7}\n',
};

/** `by`: edits, one command each, on a copy of the files; the build follows. */
export interface KustomizeRow {
  option: string;
  settings: Settings;
  by: string[][];
  build?: string[];
  files?: Record<string, string>;
}

const kustomize = (options: Settings['kustomize'] & object): Settings => ({
  kustomize: options,
  context: { env: { ...process.env, ...ENV } },
});

export const KUSTOMIZE_ROWS: KustomizeRow[] = [
  { option: 'nothing set', settings: {}, by: [] },
  { option: 'namePrefix', settings: kustomize({ namePrefix: 'p-' }), by: [['set', 'nameprefix', '--', 'p-']] },
  {
    option: 'namePrefix that looks like a flag',
    settings: kustomize({ namePrefix: '-p-' }),
    by: [['set', 'nameprefix', '--', '-p-']],
  },
  { option: 'nameSuffix', settings: kustomize({ nameSuffix: '-s' }), by: [['set', 'namesuffix', '--', '-s']] },
  {
    option: 'images',
    settings: kustomize({ images: ['quay.io/tiny/hub:${ARGOCD_APP_REVISION_SHORT}', 'a=b:1'] }),
    by: [['set', 'image', 'quay.io/tiny/hub:abcdef1', 'a=b:1']],
  },
  {
    option: 'replicas',
    settings: kustomize({ replicas: [{ name: 'hub', count: '3' }] }),
    by: [['set', 'replicas', 'hub=3']],
  },
  {
    option: 'commonLabels',
    settings: kustomize({ commonLabels: { a: '$ARGOCD_APP_NAME' } }),
    by: [['add', 'label', 'a:hub']],
  },
  {
    option: 'forceCommonLabels',
    settings: kustomize({ commonLabels: { a: 'c' }, forceCommonLabels: true }),
    by: [['add', 'label', '--force', 'a:c']],
    files: { 'app/kustomization.yaml': 'commonLabels: {a: b}\nresources: [../base]\n' },
  },
  {
    option: 'labelWithoutSelector, labelIncludeTemplates',
    settings: kustomize({ commonLabels: { a: 'b' }, labelWithoutSelector: true, labelIncludeTemplates: true }),
    by: [['add', 'label', '--without-selector', '--include-templates', 'a:b']],
  },
  {
    option: 'commonAnnotations',
    settings: kustomize({ commonAnnotations: { a: '$ARGOCD_APP_NAME' } }),
    by: [['add', 'annotation', 'a:$ARGOCD_APP_NAME']],
  },
  {
    option: 'commonAnnotationsEnvsubst, forceCommonAnnotations',
    settings: kustomize({
      commonAnnotations: { a: '$ARGOCD_APP_NAME' },
      commonAnnotationsEnvsubst: true,
      forceCommonAnnotations: true,
    }),
    by: [['add', 'annotation', '--force', 'a:hub']],
    files: { 'app/kustomization.yaml': 'commonAnnotations: {a: b}\nresources: [../base]\n' },
  },
  { option: 'namespace', settings: kustomize({ namespace: 'jhub' }), by: [['set', 'namespace', '--', 'jhub']] },
  {
    option: 'components',
    settings: kustomize({ components: ['../component'] }),
    by: [['add', 'component', '../component']],
  },
  {
    option: 'ignoreMissingComponents',
    settings: kustomize({ components: ['../gone', '../component'], ignoreMissingComponents: true }),
    by: [['add', 'component', '../component']],
  },
  {
    option: 'patches',
    settings: kustomize({
      patches: [{ target: { kind: 'Deployment' }, patch: '- {op: replace, path: /spec/replicas, value: 9}' }],
    }),
    by: [['add', 'patch', '--kind', 'Deployment', '--patch', '- {op: replace, path: /spec/replicas, value: 9}']],
  },
  {
    option: 'patches beside those in git',
    settings: kustomize({ patches: [{ path: 'patch.yaml' }] }),
    by: [['add', 'patch', '--path', 'patch.yaml']],
    files: {
      'app/kustomization.yaml':
        'resources: [../base]\npatches: [{target: {kind: Deployment}, patch: "- {op: add, path: /metadata/labels, value: {x: y}}"}]\n',
    },
  },
  {
    option: 'helmCharts, vendored; kube-version, api-versions',
    settings: { source: { kubeVersion: 'v1.33.4-gke.100', apiVersions: ['a.example/v1', 'b.example/v1/B'] } },
    by: [],
    build: [
      '--helm-kube-version',
      '1.33.4',
      '--helm-api-versions',
      'a.example/v1',
      '--helm-api-versions',
      'b.example/v1/B',
    ],
    files: {
      ...Object.fromEntries(Object.entries(CHART).map(([name, text]) => [`app/charts/tiny/${name}`, text])),
      'app/values.yaml': 'extra: from kustomize\n',
      'app/kustomization.yaml':
        'helmCharts: [{name: tiny, releaseName: hub, namespace: jhub, includeCRDs: true, valuesFile: values.yaml, valuesInline: {nested: {x: 1}}}]\nresources: [own.yaml]\n',
    },
  },
  {
    option: 'patches on a base rendered by helm',
    settings: {},
    by: [],
    files: {
      ...Object.fromEntries(Object.entries(CHART).map(([name, text]) => [`base/charts/tiny/${name}`, text])),
      'base/kustomization.yaml': 'helmCharts: [{name: tiny, releaseName: hub}]\n',
      'app/kustomization.yaml':
        'resources: [../base]\npatches: [{target: {kind: ConfigMap}, patch: "- {op: replace, path: /data/release, value: patched}"}]\n',
    },
  },
];
