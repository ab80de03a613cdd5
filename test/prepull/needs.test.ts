/** What pods need that name no account: the default one, where the render gives it pull Secrets. */
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { hubObject } from '../manifest/hub-objects.ts';
import { find, hubRender, phaseOf, run } from './hub-objects.ts';

const SECRET = hubObject('Secret', 'site-secret', {}, { type: 'kubernetes.io/dockerconfigjson', data: {} });

describe('a render that gives the default account pull Secrets', () => {
  const account = hubObject('ServiceAccount', 'default', {}, { imagePullSecrets: [{ name: 'site-secret' }] });
  const accountless = [SECRET, account, ...hubRender()].map((object) => {
    if (object.kind !== 'DaemonSet') return object;
    const spec = structuredClone(object.spec) as { template: { spec: { serviceAccountName?: string } } };
    delete spec.template.spec.serviceAccountName;
    return { ...object, spec };
  });

  test('the hook runs as a copy of it, for the Secrets are not there before the first sync', () => {
    const { objects } = run(accountless);
    const copy = find(
      objects,
      'ServiceAccount',
      podSpecOf(find(objects, 'DaemonSet', 'hook-image-puller'))!.spec.serviceAccountName!,
    );
    expect(phaseOf(copy)).toBe('PreSync -11 HookSucceeded');
    expect(copy.imagePullSecrets).toEqual([{ name: find(objects, 'Secret', /^site-secret-prepull-/).metadata.name }]);
  });

  test('in the wave gate it comes before the puller, which names no account', () => {
    const { objects } = run(accountless, { gate: 'wave' });
    expect(phaseOf(find(objects, 'ServiceAccount', 'default'))).toBe('Sync -2');
    const puller = find(objects, 'DaemonSet', 'continuous-image-puller');
    expect(podSpecOf(puller)!.spec.serviceAccountName).toBeUndefined();
  });

  test('one without Secrets is left alone', () => {
    const bare = accountless.map((object) => (object === account ? { ...object, imagePullSecrets: [] } : object));
    expect(run(bare).plan.apps[0]!.copied).toEqual([]);
  });
});
