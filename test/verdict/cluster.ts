/** Objects as the API server prints them, for small clusters in tests of the verdict. */

export const PREFIX = 'argocd-prepuller.github.io';
const START = Date.parse('2026-01-10T12:00:00Z');

/** Seconds after the start of the test's story, as Date or RFC 3339. */
export const after = (seconds: number): Date => new Date(START + seconds * 1000);
export const stamp = (seconds: number): string => after(seconds).toISOString().replace('.000Z', 'Z');

export type Raw = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

export interface PullerOptions {
  images?: string[];
  init?: boolean;
  desired?: number;
  role?: string | undefined;
  generation?: number;
  annotations?: Record<string, string>;
  always?: boolean;
  /** Empty: no images label. */
  label?: string;
  uid?: string;
  status?: Raw;
  spec?: Raw;
  metadata?: Raw;
}

const containersOf = (images: readonly string[], always: boolean): Raw[] =>
  images.map((image, index) => ({ name: `pull-${index}`, image, ...(always && { imagePullPolicy: 'Always' }) }));

const PAUSE = { name: 'pause', image: 'registry.k8s.io/pause:3.10' };

function podSpec({ images = ['quay.io/a/nb:1'], init = false, always = false }: PullerOptions): {
  initContainers?: Raw[];
  containers: Raw[];
} {
  const pulls = containersOf(images, always);
  return init ? { initContainers: pulls, containers: [PAUSE] } : { containers: [...pulls, PAUSE] };
}

/** A puller applied at second 0, observed. */
export function puller(options: PullerOptions = {}): Raw {
  const { desired = 1, role = 'hook', generation = 1, label = 'digest' } = options;
  const labels = label === '' ? {} : { [`${PREFIX}/images`]: label };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      namespace: 'jhub',
      name: 'hook-image-puller',
      uid: options.uid ?? 'ds',
      generation,
      creationTimestamp: stamp(0),
      labels: role === 'none' ? {} : { [`${PREFIX}/role`]: role },
      annotations: { 'deprecated.daemonset.template.generation': String(generation), ...options.annotations },
      ...options.metadata,
    },
    spec: { template: { metadata: { labels }, spec: { ...podSpec(options), ...options.spec } } },
    status: options.status ?? {
      observedGeneration: generation,
      desiredNumberScheduled: desired,
      currentNumberScheduled: desired,
      numberMisscheduled: 0,
    },
  };
}

export interface PodOptions extends PullerOptions {
  uid?: string;
  created?: number;
  deleted?: number;
  /** Not bound: only its affinity names the node. */
  pending?: boolean;
  sandbox?: boolean | null;
  /** Status of each pulling container; 'creating' by default. */
  containers?: Raw[];
  conditions?: Raw[];
  status?: Raw;
  owner?: string;
  templateGeneration?: string;
}

export const CREATING: Raw = { state: { waiting: { reason: 'ContainerCreating' } } };
export const running = (second = 30): Raw => ({
  imageID: 'sha256:1',
  state: { running: { startedAt: stamp(second) } },
});
export const ended = (exitCode = 0, second = 30): Raw => ({
  imageID: 'sha256:1',
  state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: stamp(second) } },
});
export const waiting = (reason: string, message = '', more: Raw = {}): Raw => ({
  state: { waiting: { reason, message } },
  ...more,
});

export const NOT_FOUND = (image = 'quay.io/a/nb:1'): string =>
  `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
export const backOff = (image: string, text = ''): Raw =>
  waiting('ImagePullBackOff', `Back-off pulling image "${image}"${text === '' ? '' : `: ErrImagePull: ${text}`}`);

const condition = (type: string, status: string, second: number, more: Raw = {}): Raw => ({
  type,
  status,
  lastTransitionTime: stamp(second),
  ...more,
});

const SANDBOX = { true: 'True', false: 'False' };

function conditionsOf({ created = 1, pending = false, sandbox = true, conditions = [] }: PodOptions): Raw[] {
  if (pending) return conditions;
  const up = sandbox === null ? [] : [condition('PodReadyToStartContainers', SANDBOX[`${sandbox}`], created + 2)];
  return [condition('PodScheduled', 'True', created), ...up, ...conditions];
}

function metadataOf(node: string, { uid, created = 1, deleted, label = 'digest', ...options }: PodOptions): Raw {
  return {
    namespace: 'jhub',
    name: `puller-${node}`,
    uid: uid ?? `pod-${node}`,
    creationTimestamp: stamp(created),
    ...(deleted !== undefined && { deletionTimestamp: stamp(deleted) }),
    labels: {
      ...(label !== '' && { [`${PREFIX}/images`]: label }),
      'pod-template-generation': options.templateGeneration ?? '1',
    },
    ownerReferences: [{ kind: 'DaemonSet', controller: true, uid: options.owner ?? 'ds' }],
  };
}

export function pod(node: string, options: PodOptions = {}): Raw {
  const { pending = false, init = false } = options;
  const spec = podSpec(options);
  const pulls = (init ? spec.initContainers : undefined) ?? spec.containers.slice(0, -1);
  const target = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [target] } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadataOf(node, options),
    spec: { ...spec, ...(!pending && { nodeName: node }), affinity: { nodeAffinity: required } },
    status: {
      phase: 'Pending',
      conditions: conditionsOf(options),
      [init ? 'initContainerStatuses' : 'containerStatuses']: pulls.map((container, index) => ({
        name: container.name as string,
        imageID: '',
        restartCount: 0,
        ...(options.containers?.[index] ?? CREATING),
      })),
      ...options.status,
    },
  };
}

export const pulledPod = (node: string, options: PodOptions = {}): Raw =>
  pod(node, {
    ...options,
    containers: (options.images ?? ['x']).map(() => (options.init === true ? ended() : running())),
  });

export const TOO_MANY_PODS =
  "0/4 nodes are available: 1 Too many pods, 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: 0/4 nodes are available.";
export const unschedulable = (node: string, message = TOO_MANY_PODS, since = 1, options: PodOptions = {}): Raw =>
  pod(node, {
    pending: true,
    containers: [{}],
    ...options,
    conditions: [condition('PodScheduled', 'False', since, { reason: 'Unschedulable', message })],
  });

export interface NodeOptions {
  created?: number;
  ready?: string;
  readySince?: number;
  labels?: Record<string, string>;
  taints?: Raw[];
  cordoned?: boolean;
  deleted?: number;
}

export function node(name: string, options: NodeOptions = {}): Raw {
  const { created = -86_400, ready = 'True', readySince = -86_000 } = options;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      creationTimestamp: stamp(created),
      labels: { 'kubernetes.io/os': 'linux', ...options.labels },
      ...(options.deleted !== undefined && { deletionTimestamp: stamp(options.deleted) }),
    },
    spec: { taints: options.taints ?? [], unschedulable: options.cordoned ?? false },
    status: {
      conditions: [condition('Ready', ready, readySince, { reason: 'KubeletState', message: 'kubelet said so' })],
    },
  };
}

/** `times` are the first and the last second it was seen. */
export function event(about: Raw, reason: string, message: string, ...times: number[]): Raw {
  const [first, last = first] = times;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'jhub' },
    involvedObject: { kind: about.kind, namespace: 'jhub', name: about.metadata.name, uid: about.metadata.uid },
    reason,
    message,
    ...(first !== undefined && { firstTimestamp: stamp(first), lastTimestamp: stamp(last ?? first) }),
  };
}

export const failedPull = (about: Raw, text: string, ...times: number[]): Raw =>
  event(about, 'Failed', `Failed to pull image "quay.io/a/nb:1": ${text}`, ...times);
export const successfulPull = (about: Raw, image = 'quay.io/a/nb:1', first = 20): Raw =>
  event(about, 'Pulled', `Successfully pulled image "${image}" in 5s (5s including waiting).`, first);
