/** Hook and wave annotations, read as Argo CD's gitops-engine reads them. */
import { hookOf, isPreSync, waveOf } from '../../src/manifest/hooks.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';

function annotated(annotations: Record<string, unknown>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', annotations: annotations as Record<string, string> },
  };
}

const ARGO = 'argocd.argoproj.io/hook';
const HELM = 'helm.sh/hook';

describe('hookOf', () => {
  test.each([
    ['no annotation', {}, undefined],
    ['pre-install is PreSync', { [HELM]: 'pre-install' }, ['PreSync']],
    ['pre-install and pre-upgrade are one phase', { [HELM]: 'pre-install, pre-upgrade' }, ['PreSync']],
    ['post-upgrade is PostSync', { [HELM]: 'post-upgrade' }, ['PostSync']],
    ['a Helm hook without a phase in Argo CD stays a hook', { [HELM]: 'pre-delete' }, []],
    ['crd-install is no hook', { [HELM]: 'crd-install' }, undefined],
    ['Argo CD wins over Helm', { [ARGO]: 'Sync', [HELM]: 'pre-install' }, ['Sync']],
    ['an unknown Argo CD phase falls back to Helm', { [ARGO]: 'Before', [HELM]: 'pre-install' }, ['PreSync']],
    ['several phases', { [ARGO]: 'PreSync,PostSync' }, ['PreSync', 'PostSync']],
    ['Skip alone is never applied', { [ARGO]: 'Skip', [HELM]: 'pre-install' }, ['Skip']],
    ['Skip beside a phase is a hook', { [ARGO]: 'Skip,PreSync' }, ['Skip', 'PreSync']],
    ['a value that is no text counts as absent', { [HELM]: 5 }, undefined],
  ])('%s', (_, annotations, phases) => {
    expect(hookOf(annotated(annotations))?.phases).toEqual(phases);
  });

  test.each([
    ['none: as before-hook-creation', {}, ['BeforeHookCreation']],
    [
      'Helm',
      { 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' },
      ['BeforeHookCreation', 'HookSucceeded'],
    ],
    [
      'Argo CD and Helm add up',
      { 'argocd.argoproj.io/hook-delete-policy': 'HookFailed', 'helm.sh/hook-delete-policy': 'hook-succeeded' },
      ['HookFailed', 'HookSucceeded'],
    ],
    ['unknown ones are ignored', { 'helm.sh/hook-delete-policy': 'never' }, ['BeforeHookCreation']],
  ])('delete policy %s', (_, annotations, policies) => {
    expect(hookOf(annotated({ [HELM]: 'pre-install', ...annotations }))?.deletePolicies).toEqual(policies);
  });
});

describe('waveOf', () => {
  test.each([
    ['none', {}, 0],
    ['wave', { 'argocd.argoproj.io/sync-wave': '-3' }, -3],
    ['signed wave', { 'argocd.argoproj.io/sync-wave': '+4' }, 4],
    ['weight', { 'helm.sh/hook-weight': '-10' }, -10],
    ['wave wins', { 'argocd.argoproj.io/sync-wave': '1', 'helm.sh/hook-weight': '-10' }, 1],
    ['unreadable wave: the weight counts', { 'argocd.argoproj.io/sync-wave': '1.5', 'helm.sh/hook-weight': '2' }, 2],
    ['unreadable both', { 'argocd.argoproj.io/sync-wave': ' 1', 'helm.sh/hook-weight': 'x' }, 0],
  ])('%s', (_, annotations, wave) => {
    expect(waveOf(annotated(annotations))).toBe(wave);
  });
});

test('isPreSync: several phases, one of them before the sync', () => {
  expect(isPreSync(annotated({ [ARGO]: 'PostSync,PreSync' }))).toBe(true);
  expect(isPreSync(annotated({ [ARGO]: 'PostSync' }))).toBe(false);
});
