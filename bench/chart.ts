/**
 * A chart of the real one's size, about 100 KB when rendered: the examples' chart, whose hub and pullers are as in
 * zero-to-jupyterhub, with the components, helper calls, checksums and schema that make helm work as hard as there.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageNames } from './hub-stream.ts';

const COMPONENTS = 15;
const PROFILES = 20;

/** Writes the chart into `folder`, which must be new. */
export async function writeChart(folder: string): Promise<void> {
  await cp(new URL('../examples/chart', import.meta.url), folder, { recursive: true });
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'files/settings.py'), settings());
  await writeFile(join(folder, 'values.schema.json'), JSON.stringify(schema(), null, 2));
  for (let index = 0; index < COMPONENTS; index += 1) {
    await writeFile(join(folder, `templates/component-${index}.yaml`), component(index));
  }
  await writeFile(join(folder, 'bench-values.yaml'), JSON.stringify(values(), null, 2));
}

function values(): unknown {
  const profileList = imageNames(PROFILES).map((image, index) => ({
    display_name: `Environment ${index}`,
    kubespawner_override: { image, cpu_limit: 2 },
  }));
  const component = {
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    tolerations: [{ key: 'hub.jupyter.org/dedicated', operator: 'Equal', value: 'core', effect: 'NoSchedule' }],
    env: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`SETTING_${index}`, `value ${index}`])),
  };
  const components = Array.from({ length: COMPONENTS }, (_, index) => [`component${index}`, component]);
  return { singleuser: { profileList }, components: Object.fromEntries(components) };
}

/** Checked by helm against the values before it renders. */
function schema(): unknown {
  const text = { type: ['string', 'null'], pattern: '^[^\\n]*$' };
  const component = {
    type: 'object',
    properties: {
      resources: { type: 'object' },
      tolerations: { type: 'array', items: { type: 'object', properties: { key: text, operator: text } } },
      env: { type: 'object', additionalProperties: text },
    },
  };
  const components = Array.from({ length: COMPONENTS }, (_, index) => [`component${index}`, component]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { components: { type: 'object', properties: Object.fromEntries(components) } },
  };
}

function settings(): string {
  const lines = Array.from(
    { length: 300 },
    (_, index) => `c.Spawner.option_${index} = get_config("custom.${index}")\n`,
  );
  return lines.join('');
}

function component(index: number): string {
  return `{{- $values := .Values.components.component${index} }}
{{- $labels := dict "root" $ "component" "component-${index}" }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: component-${index}
  labels:
    {{- include "hub.labels" $labels | nindent 4 }}
spec:
  replicas: 1
  selector:
    matchLabels:
      {{- include "hub.matchLabels" $labels | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "hub.matchLabels" $labels | nindent 8 }}
      annotations:
        checksum/settings: {{ .Files.Get "files/settings.py" | sha256sum }}
        checksum/hub: {{ include (print $.Template.BasePath "/hub.yaml") . | sha256sum }}
    spec:
      tolerations:
        {{- toYaml $values.tolerations | nindent 8 }}
      containers:
        - name: main
          image: {{ include "hub.image" .Values.hub.image }}
          env:
            {{- range $name, $value := $values.env }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
---
apiVersion: v1
kind: Service
metadata:
  name: component-${index}
  labels:
    {{- include "hub.labels" $labels | nindent 4 }}
spec:
  selector:
    {{- include "hub.matchLabels" $labels | nindent 4 }}
  ports:
    - port: 8080
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: component-${index}
  labels:
    {{- include "hub.labels" $labels | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "hub.matchLabels" $labels | nindent 6 }}
  ingress:
    - ports: [{ port: 8080 }]
  egress:
    - to: [{ ipBlock: { cidr: 0.0.0.0/0 } }]
{{- if eq ${index} 0 }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  settings.py: |
    {{- .Files.Get "files/settings.py" | nindent 4 }}
{{- end }}
`;
}
