/** What people commit and what they are told: mistake → files over the tiny chart's own, settings, first line of stderr. */
import type { Settings } from './app-folder.ts';

export interface Mistake {
  /** Over the tiny chart's own; null: not there. */
  files: Record<string, string | null>;
  settings?: Settings;
  /** The whole first line. */
  first: string | RegExp;
}

const chart = (text: string) => `apiVersion: v2\nname: tiny\nversion: 1.2.3\n${text}`;
const schema = (tag: object) =>
  JSON.stringify({ properties: { image: { properties: { tag }, additionalProperties: false } } });
const extra = { helm: { valueFiles: ['v.yaml'] } };

function bomb(): string {
  const levels = Array.from(
    { length: 11 },
    (_, level) =>
      `a${String(level + 1)}: &a${String(level + 1)} [${Array(9)
        .fill(`*a${String(level)}`)
        .join(',')}]`,
  );
  return ['a0: &a0 [x]', ...levels, ''].join('\n');
}

/** mistake → first line. Each of these is something a person commits. */
export const HELM_MISTAKES: Record<string, Mistake> = {
  'number-like tag': {
    files: { 'v.yaml': '# ours\nimage:\n  name: a/b\n  tag: 20240101\n' },
    settings: extra,
    first:
      'v.yaml line 4: image.tag 20240101 is a number to YAML and would be pulled as 2.0240101e+07: quote the tag ("20240101")',
  },
  'number-like tag inline': {
    files: {},
    settings: { helm: { values: 'image: {name: a, tag: 1.10}' } },
    first:
      'inline values line 1: image.tag 1.10 is a number to YAML and would be pulled as 1.1: quote the tag ("1.10")',
  },
  'number-like tag in valuesObject': {
    files: {},
    settings: { helm: { values: { image: { name: 'a', tag: 20240101 } } } },
    first: /^inline values line 4: image\.tag 20240101 is a number/,
  },
  'empty tag': {
    files: {
      'v.yaml': 'image:\n  tag: ""\n',
      'templates/config.yaml': 'a: {{ .Values.image.name }}:{{ .Values.image.tag }}: x\n',
    },
    settings: extra,
    first:
      'v.yaml line 2: image.tag is empty, and tiny/templates/config.yaml then renders to no valid YAML: write a tag, in quotes',
  },
  'empty tag by parameter': {
    files: { 'templates/config.yaml': 'a: {{ .Values.image.name }}:{{ .Values.image.tag }}: x\n' },
    settings: { helm: { parameters: [{ name: 'image.tag', value: '' }] } },
    first: /^parameters: image\.tag is empty/,
  },
  'values file is no YAML': {
    files: { 'v.yaml': 'image:\n  tag: [\nfoo: "CANARY"\n' },
    settings: extra,
    first: 'v.yaml line 3 is no valid YAML: deficient indentation',
  },
  'values file with tabs': {
    files: { 'v.yaml': 'a:\n\tb: CANARY\n' },
    settings: extra,
    first: /^v\.yaml line 2 is no valid YAML: /,
  },
  'values file is a list': {
    files: { 'v.yaml': '- a: CANARY\n' },
    settings: extra,
    first: 'v.yaml is no mapping of keys to values: write "key: value" lines',
  },
  'an alias bomb': {
    files: { 'v.yaml': bomb() },
    settings: extra,
    first: 'v.yaml is no valid YAML: document contains excessive aliasing',
  },
  'values nested without end': {
    files: { 'v.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n` },
    settings: extra,
    first: /^v\.yaml line 1 is no valid YAML: /,
  },
  'inline values are no YAML': {
    files: {},
    settings: { helm: { values: 'a: "CANARY\nb: 1\n' } },
    first: /^inline values line \d is no valid YAML: /,
  },
  "the chart's own values are no YAML": {
    files: { 'values.yaml': 'image: {name: [CANARY}\n' },
    first: /^values\.yaml line 1 is no valid YAML: /,
  },
  'schema: number for a string': {
    files: { 'values.schema.json': schema({ type: 'string' }), 'values.yaml': '', 'v.yaml': 'image:\n  tag: 7\n' },
    settings: extra,
    first: 'v.yaml line 2: image.tag: got number, want string: put the value in quotes',
  },
  'schema: text for a flag': {
    files: {
      'values.schema.json': schema({ type: 'boolean' }),
      'values.yaml': '',
      'v.yaml': 'image:\n  tag: "true"\n',
    },
    settings: extra,
    first: 'v.yaml line 2: image.tag: got string, want boolean: write it without quotes, as boolean',
  },
  'schema: unknown key': {
    files: { 'values.schema.json': schema({}), 'values.yaml': '', 'v.yaml': 'image:\n  tga: x\n' },
    settings: extra,
    first: 'v.yaml line 2: image.tga is a key the chart does not know: check its spelling and nesting',
  },
  'schema: a pattern, the value not shown': {
    files: { 'values.schema.json': schema({ pattern: '^v' }), 'values.yaml': '', 'v.yaml': 'image:\n  tag: CANARY\n' },
    settings: extra,
    first: "v.yaml line 2: image.tag: the value does not match pattern '^v'",
  },
  'schema of a chart below': {
    files: {
      'Chart.yaml': chart('dependencies:\n- {name: sub, version: 1.0.0, alias: below}\n'),
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/values.schema.json': schema({ type: 'string' }),
      'v.yaml': 'below:\n  image:\n    tag: 7\n',
    },
    settings: extra,
    first: 'v.yaml line 3: below.image.tag: got number, want string: put the value in quotes',
  },
  'values beside the key of the hub chart': {
    files: {
      'Chart.yaml': chart('dependencies:\n- {name: jupyterhub, version: 1.0.0}\n'),
      'charts/jupyterhub/Chart.yaml': 'apiVersion: v2\nname: jupyterhub\nversion: 1.0.0\n',
      'templates/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      'values.yaml': 'jupyterhub:\n  hub: {}\n\nsingleuser:\n  image: {}\n',
    },
    first:
      'values.yaml line 4: singleuser stands beside jupyterhub, where no chart reads it: ' +
      'indent it below jupyterhub: (as jupyterhub.singleuser)',
  },
  'kubeVersion of the chart': {
    files: { 'Chart.yaml': chart('kubeVersion: ">=1.32.0-0"\n') },
    settings: { source: { kubeVersion: '1.28' } },
    first:
      'chart requires kubeVersion: >=1.32.0-0 which is incompatible with Kubernetes v1.28 (as Argo CD or kube-version says)',
  },
  'template calls fail': {
    files: { 'templates/b.yaml': '\n{{ fail "set hub.password, not CANARY" }}\n', 'v.yaml': 'x: CANARY\n' },
    settings: extra,
    first: 'tiny/templates/b.yaml line 2: set hub.password, not ***',
  },
  'template reads a value that is not set': {
    files: { 'templates/b.yaml': '{{ .Values.a.b.c }}\n' },
    first: 'tiny/templates/b.yaml line 1: the value a is not set',
  },
  'template reads into a value that is none': {
    files: { 'v.yaml': 'image: CANARY\n' },
    settings: extra,
    first: /^tiny\/templates\/config\.yaml line \d+: the value image must be a mapping$/,
  },
  'template with a syntax error': {
    files: { 'templates/b.yaml': '{{ if }}\n' },
    first: 'tiny/templates/b.yaml line 1 is no valid template: missing value for if',
  },
  'template includes what is not there': {
    files: { 'templates/b.yaml': '{{ include "nope" . }}\n' },
    first: /^tiny\/templates\/b\.yaml line 1: include "nope" \.: .*no template "nope"/,
  },
  'Chart.yaml is no YAML': {
    files: { 'Chart.yaml': 'name: [\n' },
    first: /^Chart\.yaml.* is no valid YAML/,
  },
  'Chart.yaml without a name': {
    files: { 'Chart.yaml': 'foo: bar\n' },
    first: 'Chart.yaml: chart.metadata.name is required',
  },
  'no chart at the path': {
    files: { 'Chart.yaml': null },
    settings: { source: { kind: 'helm' } },
    first: "the application's path has no Chart.yaml: set it to the chart's folder",
  },
  'a parameter that cannot be read': {
    files: {},
    settings: { helm: { parameters: [{ name: 'a[x]', value: 'CANARY' }] } },
    first:
      'parameters: the name "a[x]" cannot be read: a name is a path such as list[0].key, a list is {a,b}, a comma in a value \\,',
  },
  'a broken archive': {
    files: { 'charts/x-1.0.0.tgz': 'no archive', 'Chart.yaml': chart('dependencies:\n- {name: x, version: 1.0.0}\n') },
    first: 'charts/x-1.0.0.tgz is no readable chart archive: fetch it again and commit it',
  },
  'a values file that is missing': {
    files: { 'dev.yaml': '', 'prod.yaml': '' },
    settings: extra,
    first: 'values file "v.yaml" does not exist: its folder has "dev.yaml", "prod.yaml", "values.yaml"',
  },
  'a values file in a folder that is missing': {
    files: {},
    settings: { helm: { valueFiles: ['envs/v.yaml'] } },
    first: 'values file "envs/v.yaml" does not exist, nor does its folder',
  },
  'values of a second source': {
    files: {},
    settings: { helm: { valueFiles: ['$values/hub.yaml'] } },
    first: /^values file "\$values\/hub\.yaml" refers to another source of a multi-source application/,
  },
  'remote values': {
    files: {},
    settings: { helm: { valueFiles: ['https://user:CANARY@example.org/v.yaml?token=CANARY'] } },
    first:
      'values file "https://example.org/v.yaml" is remote: copy it into the repository, or allow the scheme "https"',
  },
  'remote values that cannot be fetched': {
    files: {},
    settings: { helm: { valueFiles: ['http://user:CANARY@127.0.0.1:1/v.yaml'], valueFileSchemes: ['http'] } },
    first: /^values file http:\/\/\*\*\*@127\.0\.0\.1:1\/v\.yaml could not be fetched: .*connection refused/,
  },
  'everything switched off': {
    files: {
      'templates/config.yaml': '{{- if false }}\na: b\n{{- end }}\n',
      'templates/tests/test.yaml': '',
      'crds/thing.yaml': '',
    },
    first: /renders to nothing \(as helm\): check the application's path/,
  },
  'a path that holds nothing': {
    files: { 'Chart.yaml': null, 'values.yaml': null },
    settings: { source: { kind: 'plain' } },
    first: /holds no Chart\.yaml, no kustomization\.yaml and no manifest/,
  },
};
