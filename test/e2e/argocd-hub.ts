/** The hub of a scene as people write it down: its values, its Application, and the registry its images come from. */
import type { PullOutcome, PullRequest } from '../../simulator/node-images.ts';
import type { Fields } from '../../simulator/store.ts';
import { ARGOCD } from '../testbed/argocd-install.ts';

export interface HubRegistry {
  answer(request: PullRequest): PullOutcome;
  /** An image with a tag `missing…` is there from now on. */
  publish(image: string): void;
}

/** What an image does is in its tag: `slow…` takes six seconds, `endless…` longer than any test, `missing…` is not there. */
export function createHubRegistry(): HubRegistry {
  const published = new Set<string>();
  return {
    publish: (image) => published.add(image),
    answer({ image }) {
      const tag = image.split(':').at(-1) ?? '';
      if (tag.startsWith('missing') && !published.has(image)) return { takes: 100, error: 'missing' };
      if (tag.startsWith('endless')) return { takes: 600_000 };
      return { takes: tag.startsWith('slow') ? 6_000 : 200 };
    },
  };
}

export const LAB = 'registry.test/lab';

/** Only users' nodes bear it, and only pods of users and pullers tolerate it: the hub itself runs elsewhere. */
export const USERS_ONLY = { key: 'hub.jupyter.org/dedicated', value: 'user', effect: 'NoSchedule' } as const;

/** Values of a hub whose users are on the scene's nodes. JSON is YAML. */
export function valuesOf(scene: string, tag: string, more: Fields = {}): string {
  const { singleuser = {}, ...rest } = more as { singleuser?: Fields };
  const values = { singleuser: { image: { name: LAB, tag }, nodeSelector: { scene }, ...singleuser }, ...rest };
  return `${JSON.stringify(values, null, 2)}\n`;
}

/** Graces short enough for a test, long enough for a busy machine; Argo CD's parameters, and so the policy. */
export const SHORT: Readonly<Record<string, string>> = {
  'scheduling-grace': '6s',
  'rejection-grace': '3s',
  'network-grace': '6s',
  'missing-image-window': '5s',
};

export interface AppOptions {
  /** Parameters of the plugin over those of SHORT. `none`: the chart as it is, by Argo CD's own Helm. */
  plugin?: Readonly<Record<string, string | string[]>> | 'none';
  /** Absent: argocd-prepuller. */
  pluginName?: string;
  /** As in spec.syncPolicy. */
  syncPolicy?: Fields;
  /** Absent: default. */
  project?: string;
  /** Fields of spec.source, over those of the scene. */
  source?: Fields;
}

/** `name` is that of the Application, of its release and of its namespace. */
export function applicationOf(name: string, repoURL: string, options: AppOptions): Fields {
  const { plugin = {}, pluginName = 'argocd-prepuller', syncPolicy = {}, project = 'default', source = {} } = options;
  const values = ['../hub/values.yaml'];
  const parameters = Object.entries({ 'value-files': values, ...SHORT, ...(plugin === 'none' ? {} : plugin) });
  const ours = {
    name: pluginName,
    parameters: parameters.map(([key, value]) => ({ name: key, [Array.isArray(value) ? 'array' : 'string']: value })),
  };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: ARGOCD },
    spec: {
      project,
      source: {
        repoURL,
        targetRevision: 'main',
        path: 'chart',
        ...(plugin === 'none' ? { helm: { valueFiles: values } } : { plugin: ours }),
        ...source,
      },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      syncPolicy: { syncOptions: ['CreateNamespace=true'], ...syncPolicy },
    },
  };
}
