/** The chart most of these tests render. Plain data: the page of the parity table is written from it too. */

/** The hub of a very small chart: its image, and everything a render knows, in one ConfigMap. */
export const CHART: Record<string, string> = {
  'Chart.yaml': 'apiVersion: v2\nname: tiny\nversion: 1.2.3\nappVersion: "9"\n',
  'values.yaml': 'image:\n  name: quay.io/tiny/nb\n  tag: "1.0"\nextra: none\nlist: []\nnested: {}\n',
  'crds/thing.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.tiny.example}\n',
  'templates/tests/test.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: test\n  annotations: {helm.sh/hook: test}\n',
  'templates/config.yaml': [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: {name: config}',
    'data:',
    '  image: "{{ .Values.image.name }}:{{ .Values.image.tag }}"',
    '  release: {{ .Release.Name | quote }}',
    '  namespace: {{ .Release.Namespace | quote }}',
    '  kube: {{ .Capabilities.KubeVersion.Version | quote }}',
    '  apis: {{ list (.Capabilities.APIVersions.Has "a.example/v1") (.Capabilities.APIVersions.Has "b.example/v1/B") | toJson | quote }}',
    '  values: {{ .Values | toJson | quote }}',
    '',
  ].join('\n'),
};
