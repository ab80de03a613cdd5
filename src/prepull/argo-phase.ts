/**
 * Writes when Argo CD applies an object: as a PreSync hook with a delete policy, or in a wave of the sync. Helm's hook annotations
 * go in both cases: Argo CD joins their delete policies with its own (gitops-engine pkg/sync/hook/delete_policy.go).
 */
import {
  HELM_HOOK_ANNOTATION,
  HELM_HOOK_DELETE_POLICY_ANNOTATION,
  HELM_HOOK_WEIGHT_ANNOTATION,
  HOOK_ANNOTATION,
  HOOK_DELETE_POLICY_ANNOTATION,
  SYNC_WAVE_ANNOTATION,
} from '../manifest/hooks.ts';

/** z2jh's weight of its hook puller: before what else the app does in PreSync, unless that says otherwise. */
export const HOOK_WAVE = -10;

/**
 * `recreated`: made anew at each sync, gone after a successful one, kept after a failed one. `standing`: the same without being
 * deleted first, so that a puller kept from a failed sync does not lose what it needs.
 */
export type HookLife = 'recreated' | 'standing';

export type Phase = { hook: HookLife; wave: number } | { hook: undefined; wave: number };

const DELETE_POLICIES: Record<HookLife, string> = {
  recreated: 'BeforeHookCreation,HookSucceeded',
  standing: 'HookSucceeded',
};

const NOT_HELM = {
  [HELM_HOOK_ANNOTATION]: undefined,
  [HELM_HOOK_WEIGHT_ANNOTATION]: undefined,
  [HELM_HOOK_DELETE_POLICY_ANNOTATION]: undefined,
};

/** Annotations to set, and to remove where undefined. Wave 0 of an ordinary object is not written. */
export function phaseAnnotations(phase: Phase): Record<string, string | undefined> {
  const isDefault = phase.hook === undefined && phase.wave === 0;
  return {
    ...NOT_HELM,
    [HOOK_ANNOTATION]: phase.hook && 'PreSync',
    [HOOK_DELETE_POLICY_ANNOTATION]: phase.hook && DELETE_POLICIES[phase.hook],
    [SYNC_WAVE_ANNOTATION]: isDefault ? undefined : String(phase.wave),
  };
}
