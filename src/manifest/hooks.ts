/**
 * What Argo CD makes of an object's hook and wave annotations; mirrors gitops-engine's pkg/sync/hook, hook/helm and syncwaves.
 */
import type { KubeObject } from './manifest.ts';
import { valueAt } from './mapping.ts';

export const HOOK_ANNOTATION = 'argocd.argoproj.io/hook';
export const HOOK_DELETE_POLICY_ANNOTATION = 'argocd.argoproj.io/hook-delete-policy';
export const SYNC_WAVE_ANNOTATION = 'argocd.argoproj.io/sync-wave';
export const HELM_HOOK_ANNOTATION = 'helm.sh/hook';
export const HELM_HOOK_WEIGHT_ANNOTATION = 'helm.sh/hook-weight';
export const HELM_HOOK_DELETE_POLICY_ANNOTATION = 'helm.sh/hook-delete-policy';

const PHASES = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'Skip'] as const;
export type HookPhase = (typeof PHASES)[number];

const DELETE_POLICIES = ['BeforeHookCreation', 'HookSucceeded', 'HookFailed'] as const;
export type HookDeletePolicy = (typeof DELETE_POLICIES)[number];

export interface Hook {
  /** Empty for a Helm hook that Argo CD has no phase for, such as `pre-delete`: then nothing is done with the object. */
  phases: HookPhase[];
  wave: number;
  /** `BeforeHookCreation` where none is written. */
  deletePolicies: HookDeletePolicy[];
}

const HELM_PHASES: Record<string, HookPhase> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
};

const HELM_DELETE_POLICIES: Record<string, HookDeletePolicy> = {
  'before-hook-creation': 'BeforeHookCreation',
  'hook-succeeded': 'HookSucceeded',
  'hook-failed': 'HookFailed',
};

/** The annotation's text, or undefined: annotations of a rendered object may be of any type. */
export function annotationOf(object: KubeObject, name: string): string | undefined {
  const value = valueAt(object, 'metadata', 'annotations', name);
  return typeof value === 'string' ? value : undefined;
}

/** The hook an object is to Argo CD; undefined for an ordinary one (`crd-install` too). `Skip` alone is never applied, so no ordinary object either. */
export function hookOf(object: KubeObject): Hook | undefined {
  const argo = annotationOf(object, HOOK_ANNOTATION);
  const helm = annotationOf(object, HELM_HOOK_ANNOTATION);
  const phases = phasesOf(object);
  if (argo === undefined && (helm === undefined || helm === 'crd-install')) return undefined;
  return { phases, wave: waveOf(object), deletePolicies: deletePoliciesOf(object) };
}

/** Whether Argo CD makes the object before the sync changes anything. */
export function isPreSync(object: KubeObject): boolean {
  return hookOf(object)?.phases.includes('PreSync') ?? false;
}

/** The sync wave; a Helm hook weight counts where no wave can be read, on ordinary objects too, as in Argo CD. */
export function waveOf(object: KubeObject): number {
  return (
    integer(annotationOf(object, SYNC_WAVE_ANNOTATION)) ??
    integer(annotationOf(object, HELM_HOOK_WEIGHT_ANNOTATION)) ??
    0
  );
}

function phasesOf(object: KubeObject): HookPhase[] {
  const argo = commaList(annotationOf(object, HOOK_ANNOTATION)).flatMap((text) =>
    PHASES.filter((phase) => phase === text),
  );
  if (argo.length > 0) return argo;
  return [...new Set(commaList(annotationOf(object, HELM_HOOK_ANNOTATION)).flatMap((text) => HELM_PHASES[text] ?? []))];
}

function deletePoliciesOf(object: KubeObject): HookDeletePolicy[] {
  const argo = commaList(annotationOf(object, HOOK_DELETE_POLICY_ANNOTATION)).flatMap((text) =>
    DELETE_POLICIES.filter((policy) => policy === text),
  );
  const helm = commaList(annotationOf(object, HELM_HOOK_DELETE_POLICY_ANNOTATION)).flatMap(
    (text) => HELM_DELETE_POLICIES[text] ?? [],
  );
  const policies = [...new Set([...argo, ...helm])];
  return policies.length > 0 ? policies : ['BeforeHookCreation'];
}

function commaList(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(',').map((item) => item.trim()))].filter((item) => item !== '');
}

/** As Go's strconv.Atoi takes it: sign and decimal digits, nothing else. */
function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}
