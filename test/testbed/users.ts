/** Who speaks to the API server of a test, each with a token of its own; names of ServiceAccounts, so that bindings of install/ hold. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name here → user name and groups there. */
export const USERS = {
  /** The test itself. */
  admin: { name: 'admin', groups: ['system:masters'] },
  /** Controllers and scheduler. */
  system: { name: 'system:testbed', groups: ['system:masters'] },
  /** All kubelets. */
  nodes: { name: 'system:testbed-nodes', groups: ['system:masters'] },
  /** The reconciler, with the rights of install/controller and no others. */
  reconciler: {
    name: 'system:serviceaccount:argocd-prepuller:argocd-prepuller',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:argocd-prepuller'],
  },
  /** All of Argo CD, which may do anything in its cluster. */
  argocd: { name: 'system:serviceaccount:argocd:argocd-application-controller', groups: ['system:masters'] },
  /** Somebody without any rights, until a test gives some. */
  nobody: { name: 'nobody', groups: [] },
} as const;
export type User = keyof typeof USERS;

export type Tokens = Readonly<Record<User, string>>;

export function makeTokens(): Tokens {
  return Object.fromEntries(Object.keys(USERS).map((user) => [user, randomBytes(16).toString('hex')])) as Tokens;
}

/** The file of `--token-auth-file`. */
export function writeTokens(folder: string, tokens: Tokens): string {
  const lines = Object.entries(USERS).map(([user, { name, groups }], index) => {
    const fields = [tokens[user as User], name, `uid-${index}`];
    return [...fields, ...(groups.length > 0 ? [`"${groups.join(',')}"`] : [])].join(',');
  });
  const path = join(folder, 'tokens.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

export interface Access {
  server: string;
  token: string;
  /** Where the user is at home; absent: default. */
  namespace?: string;
}

/** A kubeconfig file of one user. JSON is YAML. */
export function writeKubeconfig(folder: string, user: string, access: Access): string {
  const path = join(folder, `${user}.kubeconfig`);
  const { namespace = 'default' } = access;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'testbed', cluster: { server: access.server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: user, user: { token: access.token } }],
    contexts: [{ name: 'testbed', context: { cluster: 'testbed', user, namespace } }],
    'current-context': 'testbed',
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
