/** Apps without a hub: whose images are pulled, where, with which Secrets, and what is said of what cannot be. */
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { hubObject } from '../manifest/hub-objects.ts';
import { find, hubRender, phaseOf, run, streamOf, workload } from './hub-objects.ts';

describe('workloads without a hub', () => {
  const web = workload('web', 'quay.io/web:1', {
    nodeSelector: { pool: 'web' },
    tolerations: [{ key: 'web' }],
    imagePullSecrets: [{ name: 'login' }],
    serviceAccountName: 'runner',
  });
  const api = workload('api', 'quay.io/api:1', {
    nodeSelector: { pool: 'web' },
    tolerations: [{ key: 'web' }, { key: 'api' }],
    affinity: { podAntiAffinity: {} },
    serviceAccountName: 'runner',
  });
  const PULLER = /^science-hook-image-puller-[0-9a-f]{8}$/;

  test('one hook puller a namespace pulls the images of all, where they run', () => {
    const { objects } = run([web, api, workload('far', 'quay.io/far:1', {}, { namespace: 'far' })]);
    const pullers = objects.filter(({ kind }) => kind === 'DaemonSet');
    expect(pullers.map(({ metadata }) => metadata.namespace)).toEqual([undefined, 'far']);
    const spec = podSpecOf(pullers[0]!)!.spec;
    expect(spec.containers.map(({ image }) => image)).toEqual(['quay.io/web:1', 'quay.io/api:1']);
    expect(spec).toMatchObject({
      nodeSelector: { pool: 'web' },
      tolerations: [{ key: 'web' }, { key: 'api' }],
      imagePullSecrets: [{ name: 'login' }],
      serviceAccountName: 'runner',
    });
    expect(spec.affinity).toBeUndefined();
  });

  test('where they differ the puller runs on the nodes of each', () => {
    const other = workload('gpu', 'quay.io/gpu:1', { nodeSelector: { pool: 'gpu' }, serviceAccountName: 'other' });
    const spec = podSpecOf(find(run([web, other]).objects, 'DaemonSet', PULLER))!.spec;
    expect(spec.nodeSelector).toBeUndefined();
    expect(spec.serviceAccountName).toBeUndefined();
  });

  test('where their accounts differ the pod has the Secrets of both accounts', () => {
    const other = workload('gpu', 'quay.io/gpu:1', { serviceAccountName: 'other' });
    const account = (name: string) =>
      hubObject('ServiceAccount', name, {}, { imagePullSecrets: [{ name: `of-${name}` }] });
    const { objects } = run([web, other, account('runner'), account('other')]);
    const secrets = podSpecOf(find(objects, 'DaemonSet', PULLER))!.spec.imagePullSecrets;
    expect(secrets).toEqual(['login', 'of-runner', 'of-other'].map((name) => ({ name })));
  });

  test('the images of a labelled hook are pulled, and it sets no wave', () => {
    const annotations = { 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/sync-wave': '-50' };
    const { objects } = run([web, workload('migrate', 'quay.io/migrate:1', {}, { annotations })], { gate: 'wave' });
    const puller = find(objects, 'DaemonSet', /^science-continuous-image-puller-/);
    expect(podSpecOf(puller)!.spec.containers.map(({ image }) => image)).toEqual([
      'quay.io/web:1',
      'quay.io/migrate:1',
    ]);
    expect(phaseOf(puller)).toBe('Sync -1');
  });

  test('a labelled object whose pods are not known is a warning', () => {
    const rollout = { ...web, apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' };
    const { bytes, warnings } = run([rollout]);
    expect(bytes.equals(streamOf([rollout]))).toBe(true);
    expect(warnings).toEqual([
      {
        message: expect.stringContaining('of a kind whose pods are not known') as string,
        fields: { object: 'Rollout/web' },
      },
    ]);
  });

  test('its labels are its own, so that no Service of the app selects it', () => {
    const puller = find(run([web]).objects, 'DaemonSet', PULLER);
    const { selector } = puller.spec as { selector: { matchLabels: Record<string, string> } };
    expect(selector.matchLabels).toEqual({
      'app.kubernetes.io/name': puller.metadata.name,
      'app.kubernetes.io/component': 'hook-image-puller',
    });
    expect(podSpecOf(puller)!.template!.metadata!.labels).toMatchObject(selector.matchLabels);
  });

  test.each([
    ['wave', undefined, 'Sync -1'],
    ['wave', '-3', 'Sync -4'],
  ] as const)('gate %s, workload in wave %s: the puller is %s', (gate, wave, phase) => {
    const annotations = wave === undefined ? {} : { 'argocd.argoproj.io/sync-wave': wave };
    const { objects } = run([workload('web', 'quay.io/web:1', {}, { annotations })], { gate });
    const puller = find(objects, 'DaemonSet', /^science-continuous-image-puller-/);
    expect(phaseOf(puller)).toBe(phase);
  });

  test('the images parameter joins them, and goes to a hub where there is one', () => {
    const alone = run([web], { images: ['quay.io/more/one:1', 'quay.io/web:1'] });
    expect(alone.plan.apps.map(({ images }) => images.map(({ written }) => written))).toEqual([
      ['quay.io/web:1', 'quay.io/more/one:1'],
    ]);
    const beside = run([web, ...hubRender()], { images: ['quay.io/more/one:1'] });
    expect(
      beside.plan.apps.map(({ images }) => images.some(({ written }) => written === 'quay.io/more/one:1')),
    ).toEqual([true, false]);
  });

  test('nothing labelled, no images: nothing changes', () => {
    const input = streamOf([hubObject('Service', 'web')]);
    const { bytes, plan, warnings } = run(input);
    expect(bytes.equals(input)).toBe(true);
    expect(plan.apps).toEqual([]);
    expect(plan.digest).toBeUndefined();
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('nothing to pull')]);
    expect(run(input, { gate: 'none' }).warnings).toEqual([]);
  });
});
