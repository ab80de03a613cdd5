/**
 * Reads the variables a plugin gets from Argo CD (reposerver/repository/repository.go: newEnv, getPluginEnvs) and the two
 * that whoever runs the sidecar may set. Apps cannot set those: what an Application puts in `plugin.env` arrives with the
 * prefix ARGOCD_ENV_. It is not read: parameters do the same, with names and types that are checked.
 */
import { parseDuration } from '../api/duration.ts';
import { repositoryPage } from './repository-page.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ArgoApplication {
  /** As Argo CD passes it, `namespace_name` for apps outside its own namespace; empty outside Argo CD. */
  instance: string;
  /** The name alone (util/argo ParseInstanceName). */
  name: string;
  /** Where the app deploys to. */
  namespace?: string;
  /** The revision that is rendered. */
  revision?: string;
  /** The page of the repository it comes from. */
  repository?: string;
  kubeVersion?: string;
  apiVersions: string[];
}

export function readApplication(env: Environment): ArgoApplication {
  const instance = env.ARGOCD_APP_NAME ?? '';
  return {
    instance,
    name: instance.slice(instance.indexOf('_') + 1),
    ...named('namespace', env.ARGOCD_APP_NAMESPACE),
    ...named('revision', env.ARGOCD_APP_REVISION),
    ...named('repository', repositoryPage(env.ARGOCD_APP_SOURCE_REPO_URL ?? '')),
    ...named('kubeVersion', env.KUBE_VERSION),
    apiVersions: words(env.KUBE_API_VERSIONS),
  };
}

/** Set on the sidecar by whoever runs Argo CD. */
export interface OperatorSettings {
  /** For one render with everything it does. Argo CD ends a plugin after 90 s; ours is shorter, so that we can say why. */
  timeLimitMs: number;
  /** URL schemes values may be fetched from, as Argo CD's own `helm.valuesFileSchemes`. */
  valueFileSchemes: string[];
}

const TIME_LIMIT = 'PREPULLER_TIME_LIMIT';
const VALUE_FILE_SCHEMES = 'PREPULLER_VALUE_FILE_SCHEMES';
export const OPERATOR_VARIABLES = [
  {
    name: TIME_LIMIT,
    default: '80s',
    meaning: 'How long a render may take, less than the time Argo CD gives the plugin.',
  },
  { name: VALUE_FILE_SCHEMES, default: '', meaning: 'URL schemes values files may be fetched from, such as `https`.' },
] as const;

export function readOperatorSettings(env: Environment, problems: string[]): OperatorSettings {
  const limit = parseDuration(env[TIME_LIMIT] ?? OPERATOR_VARIABLES[0].default);
  if (limit === undefined || limit === 0) problems.push(`variable ${TIME_LIMIT} takes a duration such as 80s`);
  return { timeLimitMs: limit ?? 0, valueFileSchemes: words(env[VALUE_FILE_SCHEMES]) };
}

function named<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined || value === '' ? {} : ({ [key]: value } as Record<K, string>);
}

function words(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
