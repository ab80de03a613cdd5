/** Accounts of Argo CD's own, and the tokens that its API gives for them; the same token is what a browser's cookie holds. */
import type { Fields } from '../../simulator/store.ts';
import { ARGOCD } from '../testbed/argocd-install.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { until } from '../testbed/until.ts';

/** Changes `data` of one of Argo CD's ConfigMaps. */
export async function configure(plane: ControlPlane, name: string, data: Record<string, string>): Promise<void> {
  const client = plane.clientFor('admin');
  await client.patch({ resource: 'configmaps', namespace: ARGOCD, name }, { data }, { type: 'merge-patch+json' });
}

/** What gives tokens for accounts, at an argocd-server that asks who somebody is. */
export async function tokensAt(server: string, plane: ControlPlane): Promise<(account: string) => Promise<string>> {
  const secret = { resource: 'secrets', namespace: ARGOCD, name: 'argocd-initial-admin-secret' };
  const client = plane.clientFor('admin');
  const { data } = await until('the administrator has a password', () => client.get(secret).catch(() => undefined));
  const password = Buffer.from((data as { password: string }).password, 'base64').toString();
  const admin = await tokenBy(`${server}/api/v1/session`, { username: 'admin', password });
  return (account) => tokenBy(`${server}/api/v1/account/${account}/token`, { name: account }, admin);
}

async function tokenBy(url: string, body: Fields, token = ''): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { token?: string };
  if (answer.token === undefined) throw new Error(`${url} gave no token: ${response.status}`);
  return answer.token;
}
