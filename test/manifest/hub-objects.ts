/** Small objects in the shape of zero-to-jupyterhub's, for tests of what is found among them. */
import type { KubeObject } from '../../src/manifest/manifest.ts';

export interface HubObjectOptions {
  namespace?: string;
  /** The component and the labels that tell hubs apart, under app.kubernetes.io/* where `modern`. */
  component?: string;
  app?: string;
  release?: string;
  modern?: boolean;
  annotations?: Record<string, string>;
}

const HOOK = {
  'helm.sh/hook': 'pre-install,pre-upgrade',
  'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
};

export function hubObject(kind: string, name: string, options: HubObjectOptions = {}, rest: object = {}): KubeObject {
  const { namespace, annotations } = options;
  const metadata = {
    name,
    labels: labelsOf(options),
    ...(namespace && { namespace }),
    ...(annotations && { annotations }),
  };
  return { apiVersion: API_VERSIONS[kind] ?? 'v1', kind, metadata, ...rest };
}

/** As a kustomization may leave it. */
export function unlabelled(object: KubeObject): KubeObject {
  const metadata = { ...object.metadata };
  delete metadata.labels;
  return { ...object, metadata };
}

function labelsOf({
  component,
  app = 'jupyterhub',
  release = 'hub',
  modern = false,
}: HubObjectOptions): Record<string, string> {
  if (!modern) return { app, release, ...(component && { component }) };
  const prefix = 'app.kubernetes.io';
  return {
    [`${prefix}/name`]: app,
    [`${prefix}/instance`]: release,
    ...(component && { [`${prefix}/component`]: component }),
  };
}

const API_VERSIONS: Record<string, string> = {
  DaemonSet: 'apps/v1',
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
};

/** A puller that pulls `images` with init containers. */
export function puller(
  kind: 'hook' | 'continuous',
  images: readonly unknown[],
  options: HubObjectOptions & { name?: string; spec?: object } = {},
): KubeObject {
  const component = options.component ?? `${kind}-image-puller`;
  const annotations = options.annotations ?? (kind === 'hook' ? HOOK : {});
  const spec = {
    ...options.spec,
    initContainers: images.map((image, index) => ({ name: `image-pull-${index}`, image })),
    containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }],
  };
  return hubObject(
    'DaemonSet',
    options.name ?? component,
    { ...options, component, annotations },
    {
      spec: { template: { spec } },
    },
  );
}

/** The awaiter's five kinds of object, the Job last. */
export function awaiter(options: HubObjectOptions = {}, clusterScoped = false): KubeObject[] {
  const hook = { component: 'image-puller', annotations: HOOK, ...options };
  const name = 'hook-image-awaiter';
  const scope = clusterScoped ? 'Cluster' : '';
  return [
    hubObject('ServiceAccount', name, hook),
    hubObject(`${scope}Role`, name, hook, { rules: [] }),
    hubObject(`${scope}RoleBinding`, name, hook, {
      subjects: [{ kind: 'ServiceAccount', name, namespace: options.namespace ?? 'jhub' }],
      roleRef: { kind: `${scope}Role`, name },
    }),
    hubObject('Job', name, hook, {
      spec: {
        template: {
          spec: {
            serviceAccountName: name,
            containers: [{ name, command: ['/image-awaiter', '-namespace=jhub', '-daemonset=hook-image-puller'] }],
          },
        },
      },
    }),
  ];
}

/** The Secret that holds the chart's values, which are given as YAML. */
export function configurationSecret(values: string, options: HubObjectOptions & { name?: string } = {}): KubeObject {
  return hubObject(
    'Secret',
    options.name ?? 'hub',
    { component: 'hub', ...options },
    {
      data: { 'values.yaml': Buffer.from(values).toString('base64'), 'hub.config.CryptKeeper.keys': 'eA==' },
    },
  );
}
