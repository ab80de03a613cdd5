/** The resources the simulated API server knows, as `kubectl api-resources` would list them. */

export interface Resource {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

const row = (group: string, plural: string, kind: string, namespaced = true): Resource => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const RESOURCES: readonly Resource[] = [
  row('', 'namespaces', 'Namespace', false),
  row('', 'nodes', 'Node', false),
  row('', 'pods', 'Pod'),
  row('', 'events', 'Event'),
  row('', 'secrets', 'Secret'),
  row('', 'configmaps', 'ConfigMap'),
  row('', 'serviceaccounts', 'ServiceAccount'),
  row('', 'services', 'Service'),
  row('', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  row('apps', 'daemonsets', 'DaemonSet'),
  row('apps', 'deployments', 'Deployment'),
  row('apps', 'statefulsets', 'StatefulSet'),
  row('batch', 'jobs', 'Job'),
  row('policy', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  row('networking.k8s.io', 'networkpolicies', 'NetworkPolicy'),
  row('rbac.authorization.k8s.io', 'roles', 'Role'),
  row('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding'),
  row('rbac.authorization.k8s.io', 'clusterroles', 'ClusterRole', false),
  row('rbac.authorization.k8s.io', 'clusterrolebindings', 'ClusterRoleBinding', false),
  row('scheduling.k8s.io', 'priorityclasses', 'PriorityClass', false),
  row('coordination.k8s.io', 'leases', 'Lease'),
];

export function resourceOf(apiVersion: string, kind: string): Resource | undefined {
  return RESOURCES.find((resource) => apiVersionOf(resource) === apiVersion && resource.kind === kind);
}

export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}
