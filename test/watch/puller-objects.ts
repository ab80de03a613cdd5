/** The objects of a simulated pull as the API server prints them: a puller, and its pods in each state they can be in. */
import { timestamp } from '../../simulator/store.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { IMAGES_LABEL, PREFIX, ROLE_LABEL } from '../../src/api/names.ts';

export const IMAGES = ['registry.example/user:2', 'registry.example/tools:1'];
export const START = Date.parse('2026-03-01T08:00:00Z');

/** What a pod is doing; `none` is no pod at all. */
export const POD_STATES = [
  'none',
  'starting',
  'pulling',
  'half',
  'pulled',
  'missing',
  'invalid',
  'busy',
  'full',
] as const;
export type PodState = (typeof POD_STATES)[number];

export interface PullerOptions {
  role?: 'hook' | 'continuous';
  tag?: string;
  annotations?: Record<string, string>;
}

export function daemonSet(name: string, { role = 'hook', tag = '2', annotations = {} }: PullerOptions): Fields {
  const containers = IMAGES.map((image, index) => ({
    name: `image-${index}`,
    image: index === 0 ? image.replace(/:2$/, `:${tag}`) : image,
    imagePullPolicy: 'IfNotPresent',
  }));
  const policy = Object.entries(annotations).map(([key, value]) => [`${PREFIX}/${key}`, value]);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, labels: { [ROLE_LABEL]: role }, annotations: Object.fromEntries(policy) },
    spec: {
      selector: { matchLabels: { puller: name } },
      template: {
        metadata: { labels: { puller: name, [ROLE_LABEL]: role, [IMAGES_LABEL]: `digest-${tag}` } },
        spec: { containers },
      },
    },
  };
}

export function pod(name: string, { owner, node, state }: { owner: ApiObject; node: string; state: PodState }): Fields {
  const { metadata, spec } = owner.spec?.template as Fields;
  const { uid, name: ownerName } = owner.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { ...metadata.labels, state },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: ownerName, uid, controller: true }],
    },
    spec: { ...spec, ...(state === 'full' ? { affinity: affinityTo(node) } : { nodeName: node }) },
  };
}

function affinityTo(node: string): Fields {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
}

/** The state of each of the two containers. */
const CONTAINERS: Record<PodState, readonly [Fields, Fields]> = {
  none: [{}, {}],
  starting: [creating(), creating()],
  pulling: [creating(), creating()],
  half: [running(), creating()],
  pulled: [running(), running()],
  missing: [failing('not found'), running()],
  invalid: [failing('invalid reference format', 'InvalidImageName'), running()],
  busy: [failing('429 Too Many Requests'), running()],
  full: [{}, {}],
};

function creating(): Fields {
  return { state: { waiting: { reason: 'ContainerCreating' } } };
}

function running(): Fields {
  return { state: { running: { startedAt: timestamp(START) } }, imageID: 'sha256:1' };
}

function failing(why: string, reason = 'ErrImagePull'): Fields {
  const message = `failed to pull and unpack image: failed to resolve reference: ${why}`;
  return { state: { waiting: { reason, message } } };
}

export function podStatus(state: PodState, at: string): Fields {
  const condition = (type: string, status: string, more: Fields = {}) => ({
    type,
    status,
    lastTransitionTime: at,
    ...more,
  });
  if (state === 'full') {
    const why = { reason: 'Unschedulable', message: '0/3 nodes are available: 1 Too many pods.' };
    return { phase: 'Pending', conditions: [condition('PodScheduled', 'False', why)] };
  }
  return {
    phase: state === 'pulled' ? 'Running' : 'Pending',
    conditions: [
      condition('PodScheduled', 'True'),
      condition('PodReadyToStartContainers', state === 'starting' ? 'False' : 'True'),
    ],
    containerStatuses: CONTAINERS[state].map((status, index) => ({
      name: `image-${index}`,
      image: IMAGES[index],
      restartCount: 0,
      ready: false,
      imageID: '',
      ...status,
    })),
  };
}
