/** What pods need that the render names elsewhere: the default account's pull Secrets, and Secrets an operator makes. */
import type { Warning } from '../../src/api/warning.ts';
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

  test('the job gate copies its Secrets once', () => {
    const { objects } = run(accountless, { gate: 'job' });
    find(objects, 'Secret', /^site-secret-prepull-/);
  });

  test('one without Secrets is left alone', () => {
    const bare = accountless.map((object) => (object === account ? { ...object, imagePullSecrets: [] } : object));
    expect(run(bare).plan.apps[0]!.copied).toEqual([]);
  });
});

describe.each([
  ['SealedSecret', hubObject('SealedSecret', 'sealed', {}, { spec: {} })],
  ['ExternalSecret', hubObject('ExternalSecret', 'sealed', {}, { spec: {} })],
  ['ExternalSecret', hubObject('ExternalSecret', 'login', {}, { spec: { target: { name: 'sealed' } } })],
])('a pull Secret that is made from a %s', (_, maker) => {
  const render = [maker, ...hubRender({ pullSecrets: ['sealed'] })];
  const title = `${maker.kind}/${maker.metadata.name ?? '?'}`;
  const late = (warnings: Warning[]) =>
    warnings.filter(({ message }) => message.startsWith('a pull Secret is made by'));

  test('comes a wave before the puller of the wave gate', () => {
    const { objects, warnings, plan } = run(render, { gate: 'wave' });
    expect(phaseOf(find(objects, maker.kind, maker.metadata.name!))).toBe('Sync -2');
    expect(plan.apps[0]!.changed).toContainEqual({ object: title, what: 'sync wave -2' });
    expect(late(warnings)).toEqual([]);
  });

  test('cannot come before a hook: a warning, and it must exist', () => {
    const { objects, warnings, plan } = run(render);
    expect(late(warnings).map(({ fields }) => fields)).toEqual([{ secret: 'sealed', object: title }]);
    expect(plan.apps[0]!.preconditions).toContain('Secret/sealed');
    expect(find(objects, maker.kind, maker.metadata.name!)).toEqual(maker);
  });

  test('made in PreSync itself, nothing is said', () => {
    const annotations = { 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/sync-wave': '-20' };
    const early = { ...maker, metadata: { ...maker.metadata, annotations } };
    expect(late(run([early, ...render.slice(1)]).warnings)).toEqual([]);
  });
});
