/**
 * Writes a puller's pod spec by pull method: a regular container an image (one that cannot start or be pulled hides no other), the
 * chart's init chain, or image volumes. Scheduling stays the chart's; rights are the least a pod can have.
 */
import type {
  V1Container,
  V1PodSpec,
  V1ResourceRequirements,
  V1SecurityContext,
  V1Volume,
} from '@kubernetes/client-node';
import type { PullMethod } from '../api/choices.ts';
import { asList, asMapping } from '../manifest/mapping.ts';
import { without } from './draft.ts';
import { containerName } from './names.ts';
import type { WantedImage } from './wanted-images.ts';

export interface PodDesign {
  method: PullMethod;
  images: readonly WantedImage[];
  pauseImage: string;
  /** Undefined takes the field away; then the cluster's default class applies. */
  priorityClassName: string | undefined;
  serviceAccountName: string | undefined;
  imagePullSecrets: readonly string[];
}

/** Long sleep that every shell's sleep takes; `infinity` is unknown to older ones. */
const SLEEP = ['/bin/sh', '-c', 'exec sleep 2147483647'];
const DONE = ['/bin/sh', '-c', 'echo "Pulling complete"'];
const NOBODY = 65534;

/** What we write ourselves, or what only containers we do not keep need. */
const WRITTEN = [
  'initContainers',
  'containers',
  'volumes',
  'priorityClassName',
  'serviceAccountName',
  'serviceAccount',
  'imagePullSecrets',
] as const;

/** The pod spec around the chart's: its scheduling, resources and security context, our containers. */
export function pullerPod(chart: V1PodSpec, design: PodDesign): V1PodSpec {
  const { priorityClassName, serviceAccountName } = design;
  const imagePullSecrets = design.imagePullSecrets.map((name) => ({ name }));
  return {
    ...without(chart, ...WRITTEN),
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    ...(imagePullSecrets.length > 0 && { imagePullSecrets }),
    ...METHODS[design.method](modelOf(chart), design),
  };
}

/** What the chart says about its containers. */
interface ContainerModel {
  resources: V1ResourceRequirements;
  securityContext: V1SecurityContext;
  initCommand: string[];
  pause: V1Container;
  volumes: V1Volume[];
}

type PullContainer = Pick<V1Container, 'name' | 'image' | 'imagePullPolicy' | 'command'>;

type Containers = Pick<V1PodSpec, 'containers' | 'initContainers' | 'volumes'>;

const METHODS: Record<PullMethod, (model: ContainerModel, design: PodDesign) => Containers> = {
  containers: regularContainers,
  init: initChain,
  volume: imageVolumes,
};

function regularContainers(model: ContainerModel, { images }: PodDesign): Containers {
  const containers = images.map((image, index) => ({
    ...pullContainer(image, index, SLEEP),
    resources: shareOf(model.resources, index),
    securityContext: model.securityContext,
  }));
  return { containers };
}

function initChain(model: ContainerModel, { images, pauseImage }: PodDesign): Containers {
  const { resources, securityContext, pause } = model;
  const initContainers = images.map((image, index) => ({
    ...pullContainer(image, index, model.initCommand),
    ...(Object.keys(resources).length > 0 && { resources }),
    securityContext,
  }));
  const mounted = new Set((pause.volumeMounts ?? []).map(({ name }) => name));
  const volumes = model.volumes.filter(({ name }) => mounted.has(name));
  return {
    ...(images.length > 0 && { initContainers }),
    containers: [pauseContainer(pause, pauseImage, securityContext)],
    ...(volumes.length > 0 && { volumes }),
  };
}

/** One mounting container a volume: its start proves that image. */
function imageVolumes(model: ContainerModel, { images, pauseImage }: PodDesign): Containers {
  const containers = images.map((image, index) => ({
    name: containerName(index, image.reference),
    image: pauseImage,
    resources: shareOf(model.resources, index),
    securityContext: model.securityContext,
    volumeMounts: [{ name: containerName(index, image.reference), mountPath: '/image', readOnly: true }],
  }));
  const volumes = images.map((image, index) => ({
    name: containerName(index, image.reference),
    image: { reference: image.written, pullPolicy: pullPolicy(image) },
  }));
  return { containers, volumes };
}

function pullContainer(image: WantedImage, index: number, command: string[]): PullContainer {
  const name = containerName(index, image.reference);
  return { name, image: image.written, imagePullPolicy: pullPolicy(image), command };
}

function pullPolicy({ always }: WantedImage): string {
  return always ? 'Always' : 'IfNotPresent';
}

/** Another image than the chart's has not the chart's program. */
function pauseContainer(pause: V1Container, image: string, securityContext: V1SecurityContext): V1Container {
  const program = pause.image === image ? [] : (['command', 'args'] as const);
  return { ...without(pause, ...program), image, securityContext };
}

/** The first init container speaks for all that pull; a null of the template counts as absent. */
function modelOf(chart: V1PodSpec): ContainerModel {
  const inits = asList(chart.initContainers) as V1Container[];
  const [pause = { name: 'pause' }] = asList(chart.containers) as V1Container[];
  const [first = pause] = inits;
  const podSetsSeccomp = asMapping(chart.securityContext?.seccompProfile) !== undefined;
  return {
    resources: first.resources ?? {},
    securityContext: restricted(first.securityContext ?? undefined, podSetsSeccomp),
    initCommand: inits[0]?.command ?? DONE,
    pause,
    volumes: asList(chart.volumes) as V1Volume[],
  };
}

/**
 * The chart's requests once a pod, 0 on the other containers; its limits on all, for a quota may demand them. The 0 is written out:
 * without it Kubernetes takes the limit for the request, or a LimitRange its default.
 */
function shareOf(chart: V1ResourceRequirements, index: number): V1ResourceRequirements {
  const limits = chart.limits ?? {};
  const resources = [...new Set(['cpu', 'memory', ...Object.keys(chart.requests ?? {}), ...Object.keys(limits)])];
  const requests = index === 0 ? (chart.requests ?? {}) : Object.fromEntries(resources.map((name) => [name, '0']));
  return {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

/**
 * The chart's context under what Kubernetes' restricted Pod Security Standard demands. A chart that names no user on purpose
 * (OpenShift gives one) is left without; root is never kept.
 */
function restricted(chart: V1SecurityContext | undefined, podSetsSeccomp: boolean): V1SecurityContext {
  const kept: V1SecurityContext = chart ?? { runAsUser: NOBODY, runAsGroup: NOBODY };
  return {
    ...(!podSetsSeccomp && { seccompProfile: { type: 'RuntimeDefault' } }),
    ...without(kept, 'privileged', 'capabilities'),
    ...(kept.runAsUser === 0 && { runAsUser: NOBODY }),
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  };
}
