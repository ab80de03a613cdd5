/** ServiceAccounts of a test, as their pods would speak to the API server. */
import type { ControlPlane } from './control-plane.ts';
import { writeKubeconfig } from './users.ts';

/** The user's name, as roles and the audit log have it. */
export function userOf(namespace: string, account: string): string {
  return `system:serviceaccount:${namespace}:${account}`;
}

/** The path of a kubeconfig file with a token of the account, which must exist. */
export async function kubeconfigOf(plane: ControlPlane, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const asked = { method: 'POST', path, contentType: 'application/json', body };
  const { status } = (await plane.transportFor('admin').request(asked)).body as { status: { token: string } };
  return writeKubeconfig(plane.folder, `${namespace}-${account}`, { server: plane.server, token: status.token });
}
