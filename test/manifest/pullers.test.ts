/** Which DaemonSets are pullers, and of which kind. */
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { pullerKindOf } from '../../src/manifest/pullers.ts';
import { hubObject, puller, unlabelled } from './hub-objects.ts';

const IMAGES = ['quay.io/team/notebook:1'];
const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade' };

describe('pullerKindOf', () => {
  test.each([
    ['hook by label', puller('hook', []), 'hook'],
    ['continuous by label', puller('continuous', []), 'continuous'],
    ['app.kubernetes.io/component', puller('continuous', [], { modern: true }), 'continuous'],
    [
      "Bitnami's chart has one puller and no prefix",
      puller('continuous', IMAGES, { component: 'image-puller', modern: true }),
      'continuous',
    ],
    [
      'a hook annotation makes a plain image-puller the hook',
      puller('continuous', IMAGES, { component: 'image-puller', annotations: HOOK }),
      'hook',
    ],
    ['a hook DaemonSet without a component', unlabelled(puller('hook', IMAGES)), 'hook'],
    ['a DaemonSet without component and hook', unlabelled(puller('continuous', IMAGES)), undefined],
    ['another component, though a hook', puller('hook', IMAGES, { component: 'nfs-mounter' }), undefined],
    ['another kind with the label', hubObject('ServiceAccount', 'x', { component: 'image-puller' }), undefined],
    ['a DaemonSet without a pod spec', hubObject('DaemonSet', 'x', { component: 'hook-image-puller' }), undefined],
    [
      'the name alone tells nothing',
      puller('continuous', IMAGES, { component: 'web', name: 'hook-image-puller' }),
      undefined,
    ],
  ])('%s', (_, object, kind) => {
    expect(pullerKindOf(object)).toBe(kind);
  });

  const NODE_SETUP = { volumes: [{ name: 'node', hostPath: { path: '/etc' } }] };

  test.each([
    ['no init containers', puller('continuous', [], { component: 'image-puller' })],
    ['an agent under a prefix', puller('continuous', [], { component: 'fledged-image-puller' })],
    ['the node’s files', puller('continuous', IMAGES, { component: 'image-puller', spec: NODE_SETUP })],
    ['a PreSync hook without init containers', unlabelled(puller('hook', []))],
    ['a PreSync hook that sets nodes up', unlabelled(puller('hook', IMAGES, { spec: NODE_SETUP }))],
    ['a privileged PreSync hook', privileged(unlabelled(puller('hook', IMAGES)))],
  ])('a DaemonSet of other software is none: %s', (_, object) => {
    expect(pullerKindOf(object)).toBeUndefined();
  });

  test('the chart’s own component needs no second sign', () => {
    expect(pullerKindOf(puller('hook', []))).toBe('hook');
  });

  test.each(['hook', 'continuous'])('a puller that went through before is known by its role: %s', (role) => {
    const object = puller('continuous', [], { component: 'anything' });
    const labels = { ...object.metadata.labels, 'argocd-prepuller.github.io/role': role };
    expect(pullerKindOf({ ...object, metadata: { ...object.metadata, labels } })).toBe(role);
  });
});

function privileged(object: KubeObject): KubeObject {
  for (const container of podSpecOf(object)!.spec.initContainers!) container.securityContext = { privileged: true };
  return object;
}
