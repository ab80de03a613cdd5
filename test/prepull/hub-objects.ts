/** A whole small hub in the shape of zero-to-jupyterhub 4, part by part switchable, and the way of a stream through transform. */
import { DEFAULT_POLICY } from '../../src/api/policy.ts';
import type { Warning } from '../../src/api/warning.ts';
import { objectsIn } from '../../src/manifest/edit.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { printStream, readStream } from '../../src/manifest/stream.ts';
import { printYaml } from '../../src/manifest/yaml.ts';
import type { PrepullOptions } from '../../src/prepull/options.ts';
import type { Plan } from '../../src/prepull/plan.ts';
import { transform } from '../../src/prepull/transform.ts';
import { awaiter, configurationSecret, hubObject, type HubObjectOptions } from '../manifest/hub-objects.ts';

export const OPTIONS: PrepullOptions = {
  gate: 'presync',
  image: 'registry.example.org/prepuller:1',
  images: [],
  pullMethod: 'containers',
  profileImages: 'auto',
  mutableTags: ['latest'],
  continuous: false,
  continuousPriority: 'auto',
  emitPriorityClass: true,
  emitNodeRole: false,
  policy: DEFAULT_POLICY,
  app: { name: 'science', namespace: 'jhub' },
};

export const USER_IMAGES = ['quay.io/team/notebook:1', 'quay.io/jupyterhub/tools:4', 'quay.io/team/gpu:latest'];
export const PAUSE = 'registry.k8s.io/pause:3.10';

export interface HubParts {
  namespace?: string;
  release?: string;
  hook?: boolean;
  continuous?: boolean;
  /** The values the hub reads; false leaves the Secret out. */
  configuration?: string | false;
  podPriority?: boolean;
  placeholders?: number;
  /** The chart's own pull Secret, a hook, and its reference in pods. */
  pullSecret?: boolean;
  /** Names in the pullers' `imagePullSecrets` beside it. */
  pullSecrets?: string[];
  /** On the hook puller's ServiceAccount. */
  accountAnnotations?: Record<string, string>;
  resources?: object;
  hubWave?: string;
}

const HELM_HOOK = {
  'helm.sh/hook': 'pre-install,pre-upgrade',
  'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
};

const SCHEDULING = {
  nodeSelector: { pool: 'users' },
  tolerations: [{ key: 'hub.jupyter.org/dedicated', operator: 'Equal', value: 'user', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }],
      },
    },
  },
};

/** What the chart says about where pullers run; must come out unchanged. */
export const CHART_SCHEDULING: object = SCHEDULING;

export const VALUES = `
singleuser:
  image: {name: quay.io/team/notebook, tag: "1"}
  nodeSelector: {pool: users}
  cloudMetadata: {blockWithIptables: true}
  networkTools: {image: {name: quay.io/jupyterhub/tools, tag: "4"}}
  profileList: [{kubespawner_override: {image: "quay.io/team/gpu:latest"}}]
scheduling: {userPods: {tolerations: [{key: hub.jupyter.org/dedicated, operator: Equal, value: user, effect: NoSchedule}]}}
prePuller: {pause: {image: {name: registry.k8s.io/pause, tag: "3.10"}}, resources: {limits: {cpu: 50m}}}
`;

/** Objects in the order helm prints them. */
export function hubRender(parts: HubParts = {}): KubeObject[] {
  const { hook = true, continuous = true, placeholders, configuration = VALUES } = parts;
  const rows: [boolean | undefined, () => KubeObject[]][] = [
    [parts.pullSecret, () => [chartPullSecret(parts)]],
    [hook, () => [account('hook', parts)]],
    [continuous, () => [account('continuous', parts)]],
    [configuration !== false, () => [configurationSecret(String(configuration), identity(parts))]],
    [parts.podPriority, () => priorityClasses(parts)],
    [true, () => [hubObject('Service', 'hub', { ...identity(parts), component: 'hub' }, { spec: {} })]],
    [continuous, () => [puller('continuous', parts)]],
    [true, () => [hubDeployment(parts)]],
    [placeholders !== undefined, () => [placeholder(placeholders ?? 0, parts)]],
    [hook, () => [puller('hook', parts), ...awaiter(identity(parts))]],
  ];
  return rows.flatMap(([isRendered, make]) => (isRendered === true ? make() : []));
}

function identity({ namespace, release }: HubParts): HubObjectOptions {
  return { ...(namespace !== undefined && { namespace }), ...(release !== undefined && { release }) };
}

function chartPullSecret(parts: HubParts): KubeObject {
  return hubObject(
    'Secret',
    'image-pull-secret',
    {
      ...identity(parts),
      component: 'image-pull-secret',
      annotations: { ...HELM_HOOK, 'helm.sh/hook-delete-policy': 'before-hook-creation', 'helm.sh/hook-weight': '-20' },
    },
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } },
  );
}

function account(kind: 'hook' | 'continuous', parts: HubParts): KubeObject {
  const annotations = {
    ...(kind === 'hook' && { ...HELM_HOOK, 'helm.sh/hook-weight': '-10' }),
    ...(kind === 'hook' && parts.accountAnnotations),
  };
  const options = { ...identity(parts), component: 'image-puller', annotations };
  return hubObject('ServiceAccount', `${kind}-image-puller`, options);
}

function priorityClasses(parts: HubParts): KubeObject[] {
  const rows = [
    ['image-puller', 'image-puller-priority', -5],
    ['default-priority', 'default-priority', 0],
    ...(parts.placeholders === undefined ? [] : [['user-placeholder', 'user-placeholder-priority', -10]]),
  ] as [string, string, number][];
  return rows.map(([component, name, value]) =>
    hubObject(
      'PriorityClass',
      `${parts.release ?? 'hub'}-${name}`,
      { ...(parts.release !== undefined && { release: parts.release }), component },
      { value, globalDefault: false },
    ),
  );
}

function puller(kind: 'hook' | 'continuous', parts: HubParts): KubeObject {
  const component = `${kind}-image-puller`;
  const object = hubObject('DaemonSet', component, {
    ...identity(parts),
    component,
    annotations: kind === 'hook' ? { ...HELM_HOOK, 'helm.sh/hook-weight': '-10' } : {},
  });
  const labels = { app: 'jupyterhub', release: parts.release ?? 'hub', component };
  const secrets = [...(parts.pullSecret === true ? ['image-pull-secret'] : []), ...(parts.pullSecrets ?? [])];
  const container = { securityContext: { runAsUser: 65534, runAsGroup: 65534 }, resources: parts.resources ?? {} };
  const spec = {
    ...SCHEDULING,
    ...(parts.podPriority === true && { priorityClassName: `${parts.release ?? 'hub'}-image-puller-priority` }),
    serviceAccountName: component,
    ...(secrets.length > 0 && { imagePullSecrets: secrets.map((name) => ({ name })) }),
    initContainers: USER_IMAGES.map((image, index) => ({
      ...container,
      name: `image-pull-singleuser-profilelist_${index}`,
      image,
      command: ['/bin/sh', '-c', 'echo "Pulling complete"'],
    })),
    containers: [{ ...container, name: 'pause', image: PAUSE }],
  };
  return { ...object, spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } } };
}

function hubDeployment(parts: HubParts): KubeObject {
  const annotations = parts.hubWave === undefined ? {} : { 'argocd.argoproj.io/sync-wave': parts.hubWave };
  const spec = { template: { spec: { containers: [{ name: 'hub', image: 'quay.io/jupyterhub/hub:4' }] } } };
  return hubObject('Deployment', 'hub', { ...identity(parts), component: 'hub', annotations }, { spec });
}

function placeholder(replicas: number, parts: HubParts): KubeObject {
  const priorityClassName = `${parts.release ?? 'hub'}-user-placeholder-priority`;
  const spec = {
    replicas,
    template: {
      spec: {
        ...(parts.podPriority === true && { priorityClassName }),
        containers: [{ name: 'pause', image: PAUSE }],
      },
    },
  };
  return hubObject('StatefulSet', 'user-placeholder', { ...identity(parts), component: 'user-placeholder' }, { spec });
}

/** A Deployment of another chart that carries our pull label. */
export function workload(name: string, image: string, rest: object = {}, metadata: object = {}): KubeObject {
  const object = hubObject('Deployment', name, { app: name, release: name });
  const labels = { ...object.metadata.labels, 'argocd-prepuller.github.io/pull': 'true' };
  const spec = { template: { spec: { containers: [{ name, image }], ...rest } } };
  return { ...object, metadata: { ...object.metadata, labels, ...metadata }, spec };
}

export function streamOf(objects: readonly KubeObject[]): Buffer {
  return Buffer.from(objects.map((object) => `---\n# Source: hub\n${printYaml(object)}`).join(''));
}

export interface Run {
  objects: KubeObject[];
  /** The stream after one pass. */
  bytes: Buffer;
  warnings: Warning[];
  plan: Plan;
}

/** One pass through text and back, as a command makes it. */
export function run(input: readonly KubeObject[] | Uint8Array, options: Partial<PrepullOptions> = {}): Run {
  const bytes = input instanceof Uint8Array ? input : streamOf(input);
  const { manifests, warnings, summary } = transform(readStream(bytes), { ...OPTIONS, ...options });
  const printed = Buffer.from(printStream(manifests));
  return { objects: objectsIn(readStream(printed)), bytes: printed, warnings, plan: summary };
}

/** The one object of that kind and name; fails when there is none or more. */
export function find(objects: readonly KubeObject[], kind: string, name: string | RegExp): KubeObject {
  const found = objects.filter((object) => object.kind === kind && matches(object.metadata.name ?? '', name));
  expect(found.map((object) => object.metadata.name)).toHaveLength(1);
  return found[0]!;
}

function matches(text: string, name: string | RegExp): boolean {
  return typeof name === 'string' ? text === name : name.test(text);
}

/** `PreSync -10 BeforeHookCreation,HookSucceeded`, or `Sync 0`. */
export function phaseOf({ metadata: { annotations = {} } }: KubeObject): string {
  const wave = annotations['argocd.argoproj.io/sync-wave'] ?? '0';
  const hook = annotations['argocd.argoproj.io/hook'];
  expect(Object.keys(annotations).filter((name) => name.startsWith('helm.sh/hook'))).toEqual([]);
  if (hook === undefined) return `Sync ${wave}`;
  return `${hook} ${wave} ${annotations['argocd.argoproj.io/hook-delete-policy'] ?? '?'}`;
}

/** `Kind/name` of all objects, sorted. */
export function titles(objects: readonly KubeObject[]): string[] {
  return objects.map((object) => `${object.kind}/${object.metadata.name ?? '?'}`).sort();
}
