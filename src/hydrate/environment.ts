/**
 * What children see of our environment: an allow-list, so that Argo CD's and the pod's secrets stay with us.
 * Helm's homes are private to the call, as Argo CD makes them; mounted registry and repository configs are kept.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from './source.ts';

const PASSED = ['PATH', 'HOME', 'LANG', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'DOCKER_CONFIG'];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
/** kustomize fetches remote bases with git. */
const GIT = ['GIT_ASKPASS', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO', 'GIT_CONFIG_GLOBAL', 'SSH_AUTH_SOCK'];

/** For helm, and for kustomize, which calls helm: TMPDIR and every Helm home lie in `scratch`. */
export function childEnvironment(env: Env, scratch: string): Record<string, string> {
  const child: Record<string, string> = { HOME: scratch, GIT_TERMINAL_PROMPT: '0' };
  for (const name of [...PASSED, ...PROXIES, ...GIT]) {
    if (env[name] !== undefined) child[name] = env[name];
  }
  child.TMPDIR = scratch;
  child.HELM_CACHE_HOME = join(scratch, 'helm/cache');
  child.HELM_CONFIG_HOME = join(scratch, 'helm/config');
  child.HELM_DATA_HOME = join(scratch, 'helm/data');
  const registry = mountedConfig(env, 'HELM_REGISTRY_CONFIG', 'registry/config.json');
  if (registry !== undefined) child.HELM_REGISTRY_CONFIG = registry;
  return child;
}

/** Helm's list of repositories with their credentials, if one is mounted. */
export function mountedRepositories(env: Env): string | undefined {
  return mountedConfig(env, 'HELM_REPOSITORY_CONFIG', 'repositories.yaml');
}

function mountedConfig(env: Env, variable: string, inConfigHome: string): string | undefined {
  const named = env[variable];
  if (named !== undefined && named !== '') return named;
  if (env.HELM_CONFIG_HOME === undefined) return undefined;
  const path = join(env.HELM_CONFIG_HOME, inConfigHome);
  return existsSync(path) ? path : undefined;
}
