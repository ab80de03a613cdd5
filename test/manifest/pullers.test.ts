/** Which DaemonSets are pullers, and of which kind. */
import { pullerKindOf } from '../../src/manifest/pullers.ts';
import { hubObject, puller, unlabelled } from './hub-objects.ts';

const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade' };

describe('pullerKindOf', () => {
  test.each([
    ['hook by label', puller('hook', []), 'hook'],
    ['continuous by label', puller('continuous', []), 'continuous'],
    ['app.kubernetes.io/component', puller('continuous', [], { modern: true }), 'continuous'],
    [
      "Bitnami's chart has one puller and no prefix",
      puller('continuous', [], { component: 'image-puller', modern: true }),
      'continuous',
    ],
    [
      'a hook annotation makes a plain image-puller the hook',
      puller('continuous', [], { component: 'image-puller', annotations: HOOK }),
      'hook',
    ],
    ['a hook DaemonSet without a component', unlabelled(puller('hook', [])), 'hook'],
    ['a DaemonSet without component and hook', unlabelled(puller('continuous', [])), undefined],
    ['another component, though a hook', puller('hook', [], { component: 'nfs-mounter' }), undefined],
    ['another kind with the label', hubObject('ServiceAccount', 'x', { component: 'image-puller' }), undefined],
    ['a DaemonSet without a pod spec', hubObject('DaemonSet', 'x', { component: 'hook-image-puller' }), undefined],
    [
      'the name alone tells nothing',
      puller('continuous', [], { component: 'web', name: 'hook-image-puller' }),
      undefined,
    ],
  ])('%s', (_, object, kind) => {
    expect(pullerKindOf(object)).toBe(kind);
  });

  test.each(['hook', 'continuous'])('a puller that went through before is known by its role: %s', (role) => {
    const object = puller('continuous', [], { component: 'anything' });
    const labels = { ...object.metadata.labels, 'argocd-prepuller.github.io/role': role };
    expect(pullerKindOf({ ...object, metadata: { ...object.metadata, labels } })).toBe(role);
  });
});
