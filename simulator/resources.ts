/** The resources the simulated API server knows, as `kubectl api-resources` would list them. */

export interface Resource {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
  /** It has a status subresource: writes to the object leave the status alone and the other way round. */
  status: boolean;
  /** The server counts changes of its spec in metadata.generation. */
  generation: boolean;
}

type Trait = 'cluster' | 'status' | 'generation';

const row = (group: string, plural: string, kind: string, ...traits: Trait[]): Resource => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced: !traits.includes('cluster'),
  status: traits.includes('status'),
  generation: traits.includes('generation'),
});

export const RESOURCES: readonly Resource[] = [
  row('', 'namespaces', 'Namespace', 'cluster', 'status'),
  row('', 'nodes', 'Node', 'cluster', 'status'),
  row('', 'pods', 'Pod', 'status', 'generation'),
  row('', 'events', 'Event'),
  row('', 'secrets', 'Secret'),
  row('', 'configmaps', 'ConfigMap'),
  row('', 'serviceaccounts', 'ServiceAccount'),
  row('', 'services', 'Service', 'status'),
  row('', 'persistentvolumeclaims', 'PersistentVolumeClaim', 'status'),
  row('', 'resourcequotas', 'ResourceQuota', 'status'),
  row('apps', 'daemonsets', 'DaemonSet', 'status', 'generation'),
  row('apps', 'deployments', 'Deployment', 'status', 'generation'),
  row('apps', 'statefulsets', 'StatefulSet', 'status', 'generation'),
  row('batch', 'jobs', 'Job', 'status', 'generation'),
  row('policy', 'poddisruptionbudgets', 'PodDisruptionBudget', 'status', 'generation'),
  row('networking.k8s.io', 'networkpolicies', 'NetworkPolicy', 'generation'),
  row('rbac.authorization.k8s.io', 'roles', 'Role'),
  row('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding'),
  row('rbac.authorization.k8s.io', 'clusterroles', 'ClusterRole', 'cluster'),
  row('rbac.authorization.k8s.io', 'clusterrolebindings', 'ClusterRoleBinding', 'cluster'),
  row('scheduling.k8s.io', 'priorityclasses', 'PriorityClass', 'cluster', 'generation'),
  row('coordination.k8s.io', 'leases', 'Lease'),
];

export function resourceOf(apiVersion: string, kind: string): Resource | undefined {
  return RESOURCES.find((resource) => apiVersionOf(resource) === apiVersion && resource.kind === kind);
}

/** By its plural, which is unique among these. A bug when there is none. */
export function resourceNamed(plural: string): Resource {
  const found = RESOURCES.find((resource) => resource.plural === plural);
  if (found === undefined) throw new Error(`no resource is called ${plural}`);
  return found;
}

export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** As messages of the server name it: `daemonsets.apps`, `pods`. */
export function qualified(name: string, resource: Resource): string {
  return resource.group === '' ? name : `${name}.${resource.group}`;
}
