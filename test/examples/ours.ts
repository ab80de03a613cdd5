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
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    runAsNonRoot?: boolean;
    capabilities?: { drop?: string[] };
  };
}

export interface PodSpec {
  nodeSelector?: Record<string, string>;
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
export function placeOf({ metadata }: ReadObject): Place {
  const annotations = metadata.annotations ?? {};
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

/**
 * What a gate needs comes in an earlier wave of its phase (within a wave Argo CD applies PriorityClasses after DaemonSets); a
 * puller that holds nothing may wait for what comes in its own wave.
 */
export function comesInTime(need: Place, puller: Place): boolean {
  const isGate = puller.phase === 'PreSync' || puller.wave < 0;
  return need.phase === puller.phase && (isGate ? need.wave < puller.wave : need.wave <= puller.wave);
}

/** One line for each thing of ours that Argo CD would make before what it needs, or that leans on an object that is deleted. */
export function tooEarly(objects: readonly ReadObject[], preconditions: readonly string[]): string[] {
  return objects.flatMap((workload) => {
    const pod = podSpecOf(workload);
    if (pod === undefined || roleOf(workload) === undefined) return [];
    const around = objects.filter((object) => isNear(object, workload));
    return needsOf(pod, around).flatMap((need) => {
      const found = around.filter((object) => keyOf(object) === need);
      const line = `${keyOf(workload)} needs ${need}, of which there are ${String(found.length)}`;
      if (found.length === 0) return preconditions.includes(need) ? [] : [line];
      return found.length === 1 && comesInTime(placeOf(found[0]!), placeOf(workload)) ? [] : [`${line}, not in time`];
    });
  });
}

function isNear(object: ReadObject, workload: ReadObject): boolean {
  return object.kind === 'PriorityClass' || object.metadata.namespace === workload.metadata.namespace;
}

/** Ordinary workloads that need a hook which Argo CD deletes. */
export function leaningOnHooks(objects: readonly ReadObject[]): string[] {
  const hooks = objects.filter((object) => placeOf(object).policy !== '');
  const lasting = objects.filter((object) => placeOf(object).policy === '');
  return lasting.flatMap((object) => {
    const pod = podSpecOf(object);
    const near = hooks.filter((hook) => isNear(hook, object)).map(keyOf);
    const needs = pod === undefined ? [] : needsOf(pod, objects);
    return needs.filter((need) => near.includes(need)).map((need) => `${keyOf(object)} needs the hook ${need}`);
  });
}

/** What a pod that only pulls may not have. */
export function tooMuch(puller: ReadObject): string[] {
  const pod = podSpecOf(puller)!;
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  const names = containers.map(({ name }) => name);
  return [
    ...(pod.terminationGracePeriodSeconds === 0
      ? []
      : ['a grace period: an unreachable node would hold the next sync']),
    ...(pod.automountServiceAccountToken === false ? [] : ['a token']),
    ...(new Set(names).size === names.length ? [] : ['two containers of one name']),
    ...names.filter((name) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)).map((name) => `the name ${name}`),
    ...containers.filter((container) => !isHarmless(container)).map(({ name }) => `rights in ${name}`),
  ].map((what) => `${keyOf(puller)} has ${what}`);
}

function isHarmless({ securityContext: context }: Container): boolean {
  return (
    context?.allowPrivilegeEscalation === false &&
    context.runAsNonRoot === true &&
    context.capabilities?.drop?.includes('ALL') === true
  );
}

export function keyOf({ kind, metadata }: ReadObject): string {
  return `${kind}/${metadata.name}`;
}
