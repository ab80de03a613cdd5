/** Streams in which one thing is doubled, to show that nothing grows faster than its input. Same arguments, same bytes. */
import { hubStream } from './hub-stream.ts';

export interface Series {
  name: string;
  /** What the smallest stream holds; it is doubled from there. */
  smallest: number;
  stream: (count: number) => Buffer;
}

const PULL = 'argocd-prepuller.github.io/pull: "true"';

export const SIZE: Series = {
  name: 'megabytes',
  smallest: 1.25,
  stream: (count) => hubStream({ bytes: count * 1e6, images: 300 }),
};

export const SERIES: readonly Series[] = [
  { name: 'images of a hub', smallest: 250, stream: (count) => hubStream({ bytes: 0, images: count }) },
  { name: 'documents', smallest: 1250, stream: (count) => repeat(count, configMap, workload(0, 'hub')) },
  { name: 'items of a List', smallest: 1250, stream: (count) => repeat(count, item, workload(0, 'hub'), LIST) },
  { name: 'hubs', smallest: 62, stream: (count) => repeat(count, hub) },
  { name: 'labelled workloads', smallest: 250, stream: (count) => repeat(count, (index) => workload(index, 'hub')) },
  { name: 'namespaces', smallest: 125, stream: (count) => repeat(count, (index) => workload(index, `n${index}`)) },
  { name: 'nested maps', smallest: 50, stream: nested },
  { name: 'aliases', smallest: 2500, stream: (count) => repeat(count, alias, workload(0, 'hub'), ALIASED) },
];

const LIST = 'apiVersion: v1\nkind: List\nitems:\n';
const ALIASED = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: aliased\ndata:\n';

function repeat(count: number, text: (index: number) => string, end = '', begin = ''): Buffer {
  return Buffer.from(begin + Array.from({ length: count }, (_, index) => text(index)).join('') + end);
}

function configMap(index: number): string {
  return `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings-${index}\ndata:\n  key: value\n`;
}

function item(index: number): string {
  return `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: settings-${index}\n  data:\n    key: value\n`;
}

function alias(index: number): string {
  return `  key${index}: &anchor${index} value\n  same${index}: *anchor${index}\n`;
}

function workload(index: number, namespace: string): string {
  return `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: worker-${index}
  namespace: ${namespace}
  labels: { ${PULL} }
spec:
  template:
    spec:
      containers: [{ name: main, image: "quay.io/example/worker:${index}" }]
`;
}

/** With all that belongs to a chart's puller, each in a namespace of its own. */
function hub(index: number): string {
  const place = `namespace: n${index}, labels: { app: jupyterhub, release: r${index}, component: `;
  const account = `metadata: { name: awaiter, ${place}image-puller } }`;
  return `---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: hook-image-puller, ${place}hook-image-puller } }
spec:
  selector: { matchLabels: { release: r${index} } }
  template:
    metadata: { labels: { release: r${index} } }
    spec:
      initContainers: [{ name: pull, image: "quay.io/example/notebook:${index}" }]
      containers: [{ name: pause, image: "registry.k8s.io/pause:3.10.1" }]
---
apiVersion: batch/v1
kind: Job
metadata: { name: hook-image-awaiter, ${place}image-puller } }
spec:
  template:
    spec:
      serviceAccountName: awaiter
      containers: [{ name: awaiter, image: "quay.io/example/awaiter:1", command: [/image-awaiter] }]
---
apiVersion: v1
kind: ServiceAccount
${account}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
${account}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
${account}
subjects: [{ kind: ServiceAccount, name: awaiter, namespace: n${index} }]
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: awaiter }
`;
}

function nested(count: number): Buffer {
  const maps = Array.from({ length: count }, (_, depth) => `${' '.repeat(depth + 1)}map:\n`).join('');
  return Buffer.from(`apiVersion: v1\nkind: Custom\nmetadata: { name: nested }\nspec:\n${maps}${workload(0, 'hub')}`);
}
