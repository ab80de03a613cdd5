/** Warnings where pullers and user pods pull with different Secrets. */
import { findHubs } from '../../src/manifest/hubs.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { pullSecretWarnings } from '../../src/prepull/pull-secrets.ts';
import { configurationSecret, hubObject, puller } from '../manifest/hub-objects.ts';

const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade' };
const chartSecret = hubObject(
  'Secret',
  'image-pull-secret',
  { annotations: HOOK },
  { type: 'kubernetes.io/dockerconfigjson' },
);

function withSecrets(...names: string[]): KubeObject {
  return puller('hook', ['a:1'], { spec: { imagePullSecrets: names.map((name) => ({ name })) } });
}

describe('H-26: pullers and user pods pull with the same Secrets', () => {
  test.each<[string, string, KubeObject[], boolean]>([
    ['none on either side', '', [withSecrets()], false],
    ['the same, in another order', 'imagePullSecrets: [a, b]', [withSecrets('b', 'a')], false],
    ['another name', 'imagePullSecrets: [b]', [withSecrets('a')], true],
    ['one more for users', 'imagePullSecrets: [a, b]', [withSecrets('a')], true],
    ['one more for the puller', '', [withSecrets('a')], true],
    ['the chart’s own', 'imagePullSecret: {create: true}', [withSecrets('image-pull-secret'), chartSecret], false],
    ['the chart’s own, not rendered', 'imagePullSecret: {create: true}', [withSecrets('x')], false],
  ])('%s', (_, values, objects, warns) => {
    const secret = configurationSecret(`singleuser: {image: {name: a, tag: "1"}}\n${values}`);
    const warnings = findHubs([secret, ...objects]).flatMap(pullSecretWarnings);
    expect(warnings.map(({ fields }) => fields.object)).toEqual(warns ? ['DaemonSet/hook-image-puller'] : []);
  });

  test('singleuser.image.pullSecrets count for users', () => {
    const secret = configurationSecret('singleuser: {image: {name: a, tag: "1", pullSecrets: [b]}}');
    expect(findHubs([secret, withSecrets('a')]).flatMap(pullSecretWarnings)[0]?.fields).toEqual({
      object: 'DaemonSet/hook-image-puller',
      puller: 'a',
      users: 'b',
    });
  });

  test.each([
    ['charts before 0.10, one Secret each', 'singleuser: {imagePullSecret: {enabled: true}}'],
    ['values that cannot be read', 'a: "unclosed'],
  ])('nothing to compare: %s', (_, values) => {
    expect(findHubs([configurationSecret(values), withSecrets('a')]).flatMap(pullSecretWarnings)).toEqual([]);
  });

  test('nothing to compare: no configuration', () => {
    expect(findHubs([withSecrets('a')]).flatMap(pullSecretWarnings)).toEqual([]);
  });
});
