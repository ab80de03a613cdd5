/**
 * A rendered stream of any size: one hub whose profiles offer `images` images, and around it what else such an app holds, until
 * `bytes` are reached. Same arguments, same bytes.
 */

export interface StreamShape {
  bytes: number;
  images: number;
}

const LABELS = {
  component: 'hub',
  app: 'jupyterhub',
  release: 'hub',
  chart: 'jupyterhub-4.4.0',
  heritage: 'Helm',
};

/** Documents in the order of a chart's render, each opened by a separator and Helm's comment. */
export function hubStream({ bytes, images }: StreamShape): Buffer {
  const documents = hubDocuments(images);
  let size = documents.reduce((sum, document) => sum + document.length, 0);
  for (let index = 0; size < bytes; index += 1) {
    const document = neighbour(index);
    documents.push(document);
    size += document.length;
  }
  return Buffer.from(documents.join(''));
}

/** The images a hub of that many profiles offers. */
export function imageNames(images: number): string[] {
  return Array.from({ length: images }, (_, index) => `quay.io/example/notebook-${index}:2026.03.${index % 30}`);
}

function hubDocuments(images: number): string[] {
  const names = imageNames(images);
  return [
    document('hub/secret.yaml', secret(names)),
    document('hub/deployment.yaml', deployment('hub', 'quay.io/jupyterhub/k8s-hub:4.4.0')),
    document('image-puller/daemonset-hook.yaml', puller('hook', names)),
    document('image-puller/daemonset-continuous.yaml', puller('continuous', names)),
  ];
}

function document(source: string, text: string): string {
  return `---\n# Source: jupyterhub/templates/${source}\n${text}`;
}

function metadata(name: string, component: string, more = ''): string {
  const labels = Object.entries({ ...LABELS, component }).map(([key, value]) => `    ${key}: ${value}\n`);
  return `metadata:\n  name: ${name}\n  labels:\n${labels.join('')}${more}`;
}

/** The chart's values as the hub reads them. */
function secret(names: readonly string[]): string {
  const profiles = names.map((name, index) => ({
    display_name: `Environment ${index}`,
    description: `Libraries of course ${index}, 2 CPU, 4 GB`,
    kubespawner_override: { image: name, cpu_guarantee: 0.5, mem_guarantee: '4G', node_selector: { pool: 'user' } },
  }));
  const values = {
    Chart: { Name: 'jupyterhub', Version: '4.4.0' },
    singleuser: { image: { name: 'quay.io/example/notebook', tag: '2026.03.01' }, profileList: profiles },
    prePuller: { pullProfileListImages: true, hook: { enabled: true }, continuous: { enabled: true } },
  };
  const data = Buffer.from(JSON.stringify(values, null, 2)).toString('base64');
  return `apiVersion: v1\nkind: Secret\n${metadata('hub', 'hub')}type: Opaque\ndata:\n  values.yaml: "${data}"\n`;
}

function puller(role: 'hook' | 'continuous', names: readonly string[]): string {
  const hook = '  annotations:\n    "helm.sh/hook": pre-install,pre-upgrade\n    "helm.sh/hook-weight": "-10"\n';
  const component = role === 'hook' ? 'hook-image-puller' : 'continuous-image-puller';
  const containers = names.map(
    (name, index) => `        - name: image-pull-${index}
          image: ${name}
          command: ["/bin/sh", "-c", "echo 'Pulling complete'"]
          resources: {requests: {cpu: 0, memory: 0}}
          securityContext:
            allowPrivilegeEscalation: false
            runAsUser: 65534
`,
  );
  return `apiVersion: apps/v1
kind: DaemonSet
${metadata(component, component, role === 'hook' ? hook : '')}spec:
  selector:
    matchLabels: {component: ${component}, release: hub}
  template:
    metadata:
      labels: {component: ${component}, release: hub, app: jupyterhub}
    spec:
      automountServiceAccountToken: false
      initContainers:
${containers.join('')}      containers:
        - name: pause
          image: registry.k8s.io/pause:3.10.1
`;
}

/** What stands beside a hub: configuration, dashboards, credentials, workloads and the definitions operators bring. */
function neighbour(index: number): string {
  const kinds = [configMap, workload, dashboard, credentials, workload, definition];
  const text = kinds[index % kinds.length]?.(index) ?? '';
  return document(`neighbour-${index}.yaml`, text);
}

function configMap(index: number): string {
  const lines = Array.from(
    { length: 60 },
    (_, line) =>
      `    c.Spawner.option_${line} = get_config("custom.option_${line}", "${index}: a default")  # see docs\n`,
  );
  return `apiVersion: v1\nkind: ConfigMap\n${metadata(`settings-${index}`, 'settings')}data:\n  settings.py: |\n${lines.join('')}`;
}

function dashboard(index: number): string {
  const panels = Array.from({ length: 12 }, (_, panel) => ({
    id: panel,
    title: `Panel ${panel} of ${index}`,
    targets: [{ expr: `sum(rate(requests_total{job="hub-${index}"}[5m])) by (code)`, refId: 'A' }],
    gridPos: { h: 8, w: 12, x: 0, y: panel * 8 },
  }));
  const text = JSON.stringify(JSON.stringify({ title: `Dashboard ${index}`, panels }));
  return `apiVersion: v1\nkind: ConfigMap\n${metadata(`dashboard-${index}`, 'dashboard')}data:\n  dashboard.json: ${text}\n`;
}

function credentials(index: number): string {
  const data = Buffer.from(`token-${index} `.repeat(120)).toString('base64');
  return `apiVersion: v1\nkind: Secret\n${metadata(`credentials-${index}`, 'credentials')}type: Opaque\ndata:\n  token: ${data}\n  user: YWRtaW4=\n`;
}

function workload(index: number): string {
  return deployment(`worker-${index}`, `quay.io/example/worker:${index}`);
}

function deployment(name: string, image: string): string {
  const variables = Array.from(
    { length: 24 },
    (_, index) => `            - name: SETTING_${index}\n              value: "value ${index}"\n`,
  );
  return `apiVersion: apps/v1
kind: Deployment
${metadata(name, name === 'hub' ? 'hub' : 'worker')}spec:
  replicas: 1
  selector:
    matchLabels: {name: ${name}}
  template:
    metadata:
      labels: {name: ${name}}
      annotations:
        checksum/config: 0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0
    spec:
      containers:
        - name: main
          image: ${image}
          imagePullPolicy: IfNotPresent
          env:
${variables.join('')}          ports:
            - containerPort: 8081
              protocol: TCP
          resources:
            limits: {cpu: 500m, memory: 512Mi}
          livenessProbe:
            httpGet: {path: /health, port: 8081}
            periodSeconds: 10
`;
}

function definition(index: number): string {
  const fields = Array.from(
    { length: 80 },
    (_, field) => `                field${field}:
                  description: |-
                    Field ${field} of the resource. Cannot be updated.
                    More info: https://example.org/docs/field-${field}
                  type: ${field % 3 === 0 ? 'integer' : 'string'}
                  x-kubernetes-preserve-unknown-fields: true
                  properties:
                    limits:
                      additionalProperties:
                        anyOf:
                        - type: integer
                        - type: string
                        pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))$'
                      type: object
`,
  );
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
${metadata(`things-${index}.example.org`, 'definition')}spec:
  group: example.org
  scope: Namespaced
  names: {kind: Thing${index}, plural: things-${index}}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${fields.join('')}`;
}
