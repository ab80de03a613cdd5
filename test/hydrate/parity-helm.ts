/**
 * Every setting of a Helm source beside the command line that means the same, run by hand in the app's
 * folder. The rows are the parity table: option → what it was compared with.
 */
import type { Settings } from './app-folder.ts';
import { CHART } from './tiny-chart.ts';

export interface ParityRow {
  /** Our parameter, or what of the Application it stands for. */
  option: string;
  settings: Settings;
  /** Equivalent arguments; the values of `inline.yaml` are those of the inline settings. */
  by: string[];
}

export const ENV = {
  ARGOCD_APP_NAME: 'hub',
  ARGOCD_APP_NAMESPACE: 'jhub',
  ARGOCD_APP_REVISION: 'abcdef1234567890',
  ARGOCD_APP_REVISION_SHORT: 'abcdef1',
  ARGOCD_APP_PARAMETERS: 'not to be expanded',
};
const NAMED = ['template', '.', '--name-template', 'hub'];
const BASE = [...NAMED, '--include-crds'];

export const HELM_FILES: Record<string, string> = {
  ...CHART,
  'a.yaml': 'extra: a\nnested: {a: 1}\n',
  'b.yaml': 'extra: b\nnested: {b: 1}\n',
  'abcdef1.yaml': 'extra: by revision\n',
  'envs/z.yaml': 'extra: z\nnested: {z: 1}\n',
  'envs/deep/c.yaml': 'extra: c\nnested: {c: 1}\n',
  'a,b.yaml': 'extra: comma\n',
  'inline.yaml': 'extra: inline\nlist: [1, 2]\nbig: 12345678\n',
  'data.txt': 'a, b: {c}\n"d"\n',
};
const INLINE = { extra: 'inline', list: [1, 2], big: 12345678 };

const values = (...valueFiles: string[]): Settings => ({
  helm: { valueFiles },
  context: { env: { ...process.env, ...ENV } },
});
const parameter = (name: string, value: string, forceString = false): Settings => ({
  helm: { parameters: [{ name, value, forceString }] },
  context: { env: { ...process.env, ...ENV } },
});

export const HELM_ROWS: ParityRow[] = [
  { option: 'nothing set', settings: {}, by: BASE },
  {
    option: 'release-name',
    settings: { helm: { releaseName: 'other' } },
    by: ['template', '.', '--name-template', 'other', '--include-crds'],
  },
  { option: 'release name of an app called namespace_name', settings: { source: { appName: 'team_hub' } }, by: BASE },
  { option: 'namespace', settings: { source: { namespace: 'jhub' } }, by: [...BASE, '--namespace', 'jhub'] },
  { option: 'kube-version', settings: { source: { kubeVersion: '1.33' } }, by: [...BASE, '--kube-version', '1.33'] },
  {
    option: 'kube-version with prefix and suffix',
    settings: { source: { kubeVersion: 'v1.33.4-gke.100' } },
    by: [...BASE, '--kube-version', '1.33.4'],
  },
  {
    option: 'api-versions',
    settings: { source: { apiVersions: ['a.example/v1', 'b.example/v1/B'] } },
    by: [...BASE, '--api-versions', 'a.example/v1', '--api-versions', 'b.example/v1/B'],
  },
  { option: 'value-files: order', settings: values('b.yaml', 'a.yaml'), by: [...BASE, '-f', 'b.yaml', '-f', 'a.yaml'] },
  { option: 'value-files: from the repository root', settings: values('/a.yaml'), by: [...BASE, '-f', 'a.yaml'] },
  { option: 'value-files: glob', settings: values('?.yaml'), by: [...BASE, '-f', 'a.yaml', '-f', 'b.yaml'] },
  {
    option: 'value-files: glob and explicit',
    settings: values('[ab].yaml', 'a.yaml'),
    by: [...BASE, '-f', 'b.yaml', '-f', 'a.yaml'],
  },
  {
    option: 'value-files: glob over folders',
    settings: values('envs/**/*.yaml'),
    by: [...BASE, '-f', 'envs/z.yaml', '-f', 'envs/deep/c.yaml'],
  },
  { option: 'value-files: a comma in the name', settings: values('a,b.yaml'), by: [...BASE, '-f', '"a,b.yaml"'] },
  {
    option: 'value-files: $ARGOCD_APP_…',
    settings: values('${ARGOCD_APP_REVISION_SHORT}.yaml'),
    by: [...BASE, '-f', 'abcdef1.yaml'],
  },
  {
    option: 'ignore-missing-value-files',
    settings: { helm: { valueFiles: ['gone.yaml', 'gone/*.yaml', 'a.yaml'], ignoreMissingValueFiles: true } },
    by: [...BASE, '-f', 'a.yaml'],
  },
  {
    option: 'values (text)',
    settings: { helm: { values: HELM_FILES['inline.yaml']! } },
    by: [...BASE, '-f', 'inline.yaml'],
  },
  { option: 'values (object)', settings: { helm: { values: INLINE } }, by: [...BASE, '-f', 'inline.yaml'] },
  {
    option: 'values win over value-files',
    settings: { helm: { values: INLINE, valueFiles: ['a.yaml'] } },
    by: [...BASE, '-f', 'a.yaml', '-f', 'inline.yaml'],
  },
  { option: 'parameters', settings: parameter('nested.x', '7'), by: [...BASE, '--set', 'nested.x=7'] },
  {
    option: 'string-parameters (forceString)',
    settings: parameter('nested.x', '7', true),
    by: [...BASE, '--set-string', 'nested.x=7'],
  },
  { option: 'parameters: comma', settings: parameter('extra', 'a,b\\,c'), by: [...BASE, '--set', 'extra=a\\,b\\,c'] },
  { option: 'parameters: list', settings: parameter('list', '{a,b}'), by: [...BASE, '--set', 'list={a,b}'] },
  {
    option: 'parameters: index and null',
    settings: parameter('image.name', 'null'),
    by: [...BASE, '--set', 'image.name=null'],
  },
  {
    option: 'parameters: $ARGOCD_APP_…',
    settings: parameter('extra', '$ARGOCD_APP_NAME-${ARGOCD_APP_REVISION}-$ARGOCD_APP_PARAMETERS-$$-$HOME', true),
    by: [...BASE, '--set-string', 'extra=hub-abcdef1234567890--$-'],
  },
  {
    option: 'parameters: what looks like a flag is a value',
    settings: parameter('extra', '--post-renderer=/bin/false'),
    by: [...BASE, '--set', 'extra=--post-renderer=/bin/false'],
  },
  {
    option: 'file-parameters',
    settings: { helm: { fileParameters: [{ name: 'extra', path: 'data.txt' }] } },
    by: [...BASE, '--set-file', 'extra=data.txt'],
  },
  { option: 'skip-crds', settings: { helm: { skipCrds: true } }, by: NAMED },
  { option: 'skip-tests', settings: { helm: { skipTests: true } }, by: [...BASE, '--skip-tests'] },
  {
    option: 'skip-schema-validation',
    settings: { helm: { skipSchemaValidation: true, values: { refused: true } } },
    by: [...BASE, '--skip-schema-validation', '--set', 'refused=true'],
  },
];
