/** What of a stream is ours: pullers, what they need, and when Argo CD makes and deletes each. */
import { ROLE_LABEL } from '../../src/api/names.ts';
import type { ReadObject } from './argo-cd.ts';

const HOOK = 'argocd.argoproj.io/hook';
const POLICY = 'argocd.argoproj.io/hook-delete-policy';
const WAVE = 'argocd.argoproj.io/sync-wave';

/** When an object comes: PreSync before Sync, then by wave. */
export interface Place {
  phase: string;
  wave: number;
  policy: string;
}

export interface Container {
  name: string;
  image?: string;
}

export interface PodSpec {
  priorityClassName?: string;
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  imagePullSecrets?: { name: string }[];
  initContainers?: Container[];
  containers: Container[];
  volumes?: { name: string; image?: { reference: string } }[];
}

export function roleOf(object: ReadObject): string | undefined {
  return object.metadata.labels?.[ROLE_LABEL];
}

export function pullers(objects: readonly ReadObject[]): ReadObject[] {
  return objects.filter((object) => object.kind === 'DaemonSet' && roleOf(object) !== undefined);
}

/** Helm's own hook annotations count too: Argo CD maps them to its phases and takes weights as waves. */
export function placeOf({ metadata: { annotations = {} } }: ReadObject): Place {
  const helm = annotations['helm.sh/hook'];
  const mapped = helm === undefined ? 'Sync' : helm.includes('pre-') ? 'PreSync' : 'PostSync';
  return {
    phase: annotations[HOOK] ?? mapped,
    wave: Number(annotations[WAVE] ?? annotations['helm.sh/hook-weight'] ?? 0),
    policy: annotations[POLICY] ?? annotations['helm.sh/hook-delete-policy'] ?? '',
  };
}

export function podSpecOf(object: ReadObject): PodSpec | undefined {
  const spec = object.spec as { template?: { spec?: PodSpec } } | undefined;
  return spec?.template?.spec;
}

/** Every image a pod names, image volumes included. */
export function imagesOf(pod: PodSpec): string[] {
  const containers = [...(pod.initContainers ?? []), ...pod.containers].map(({ image }) => image ?? '(none)');
  return [...containers, ...(pod.volumes ?? []).flatMap(({ image }) => (image ? [image.reference] : []))];
}

/** `Kind/name` of everything a pod cannot start without, pull secrets of its service account among it. */
export function needsOf(pod: PodSpec, objects: readonly ReadObject[]): string[] {
  const account = objects.find(
    ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === pod.serviceAccountName,
  );
  const secrets = [...(pod.imagePullSecrets ?? []), ...((account?.imagePullSecrets ?? []) as { name: string }[])];
  return [
    ...(pod.priorityClassName === undefined ? [] : [`PriorityClass/${pod.priorityClassName}`]),
    ...(pod.serviceAccountName === undefined ? [] : [`ServiceAccount/${pod.serviceAccountName}`]),
    ...new Set(secrets.map(({ name }) => `Secret/${name}`)),
  ].filter((need) => need !== 'ServiceAccount/default' && !need.startsWith('PriorityClass/system-'));
}

export function keyOf({ kind, metadata }: ReadObject): string {
  return `${kind}/${metadata.name}`;
}
