/** What a puller is made from where the chart renders none of its role: its sibling, or the hub's configuration. */
import type { V1PodSpec } from '@kubernetes/client-node';
import type { Gate } from '../../src/api/choices.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { CHART_SCHEDULING, find, hubRender, PAUSE, run, titles, USER_IMAGES } from './hub-objects.ts';

function specOf(object: KubeObject): V1PodSpec {
  return podSpecOf(object)!.spec;
}

describe('pullers the chart does not render', () => {
  const WITHOUT = { hook: false, continuous: false };

  test.each<[Gate, boolean, string[]]>([
    ['presync', false, ['hook-image-puller']],
    ['presync', true, ['continuous-image-puller', 'hook-image-puller']],
    ['wave', false, ['continuous-image-puller']],
    ['job', false, ['hook-image-puller']],
    ['job', true, ['continuous-image-puller', 'hook-image-puller']],
    ['none', false, []],
    ['none', true, ['continuous-image-puller']],
  ])('gate %s, continuous %s: from the hub configuration come %j', (gate, continuous, names) => {
    const { objects } = run(hubRender(WITHOUT), { gate, continuous });
    const pullers = objects.filter(({ kind }) => kind === 'DaemonSet');
    expect(pullers.map(({ metadata }) => metadata.name).sort()).toEqual(names);
    for (const puller of pullers)
      expect(specOf(puller)).toMatchObject({
        nodeSelector: { pool: 'users' },
        tolerations: [{ key: 'hub.jupyter.org/dedicated', operator: 'Equal', value: 'user', effect: 'NoSchedule' }],
      });
  });

  test('the configuration’s resources and pause image are taken', () => {
    const { objects } = run(hubRender(WITHOUT), { pullMethod: 'init' });
    const spec = specOf(find(objects, 'DaemonSet', 'hook-image-puller'));
    expect(spec.containers[0]).toMatchObject({ image: PAUSE, resources: { limits: { cpu: '50m' } } });
    expect(spec.initContainers?.map(({ image }) => image)).toEqual(USER_IMAGES);
  });

  test.each<['hook' | 'continuous', Gate]>([
    ['hook', 'presync'],
    ['hook', 'job'],
    ['continuous', 'wave'],
  ])('the %s puller of gate %s is built after its sibling, and neither selects the other’s pods', (role, gate) => {
    const other = role === 'hook' ? 'continuous' : 'hook';
    const render = hubRender({ [role]: false, podPriority: true });
    const { objects } = run(render, { gate });
    const built = find(objects, 'DaemonSet', `${role}-image-puller`);
    const labels = { app: 'jupyterhub', release: 'hub', component: `${role}-image-puller` };
    expect(built.metadata.labels).toMatchObject(labels);
    expect((built.spec as { selector: object }).selector).toEqual({ matchLabels: labels });
    expect(podSpecOf(built)!.template!.metadata!.labels).toMatchObject(labels);
    expect(specOf(built)).toMatchObject(CHART_SCHEDULING);
    const sibling = find(render, 'DaemonSet', `${other}-image-puller`);
    expect(sibling.metadata.labels!.component).toBe(`${other}-image-puller`);
  });

  test.each<['hook' | 'continuous', Gate]>([
    ['hook', 'presync'],
    ['continuous', 'wave'],
  ])('the %s puller built after a sibling read from a cluster carries nothing the cluster wrote', (role, gate) => {
    const live = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 2 };
    const written = {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'deprecated.daemonset.template.generation': '2',
      'argocd.argoproj.io/tracking-id': 'a:apps/DaemonSet:b/c',
      'example.org/team': 'science',
    };
    const render = hubRender({ [role]: false, namespace: 'jhub' }).map((object) => {
      const annotations = { ...object.metadata.annotations, ...written };
      return { ...object, metadata: { ...object.metadata, ...live, annotations }, status: { numberReady: 1 } };
    });
    const built = find(run(render, { gate }).objects, 'DaemonSet', `${role}-image-puller`);
    expect(Object.keys(built)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(Object.keys(built.metadata).sort()).toEqual(['annotations', 'labels', 'name', 'namespace']);
    expect(Object.keys(built.metadata.annotations!).filter((name) => name in written)).toEqual(['example.org/team']);
  });

  test('a sibling under a name of its own keeps it recognisable', () => {
    const render = hubRender({ hook: false }).map((object) =>
      object.kind === 'DaemonSet' ? { ...object, metadata: { ...object.metadata, name: 'site-image-puller' } } : object,
    );
    expect(titles(run(render).objects)).toContain('DaemonSet/site-image-puller-hook');
  });

  test.each([
    ['hub', 'hook-image-puller'],
    ['team-a-hub', 'team-a-hook-image-puller'],
    ['settings', 'settings-hook-image-puller'],
  ])('a configuration in %s makes %s', (name, puller) => {
    const render = hubRender(WITHOUT).map((object) =>
      object.kind === 'Secret' ? { ...object, metadata: { ...object.metadata, name } } : object,
    );
    expect(titles(run(render).objects)).toContain(`DaemonSet/${puller}`);
  });
});
