/** Where each kind of workload keeps its pod spec. */
import fc from 'fast-check';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { containersOf, podSpecOf } from '../../src/manifest/pod-spec.ts';

const pod = { containers: [{ name: 'main', image: 'a' }], initContainers: [{ name: 'first', image: 'b' }] };

function object(apiVersion: string, kind: string, rest: Record<string, unknown>): KubeObject {
  return { apiVersion, kind, metadata: { name: 'x' }, ...rest };
}

const templated = { spec: { template: { spec: pod } } };

describe('podSpecOf', () => {
  test.each([
    ['v1', 'Pod', { spec: pod }, 'spec'],
    ['apps/v1', 'Deployment', templated, 'spec.template.spec'],
    ['apps/v1', 'DaemonSet', templated, 'spec.template.spec'],
    ['apps/v1beta2', 'StatefulSet', templated, 'spec.template.spec'],
    ['apps/v1', 'ReplicaSet', templated, 'spec.template.spec'],
    ['extensions/v1beta1', 'DaemonSet', templated, 'spec.template.spec'],
    ['v1', 'ReplicationController', templated, 'spec.template.spec'],
    ['v1', 'PodTemplate', { template: { spec: pod } }, 'template.spec'],
    ['batch/v1', 'Job', templated, 'spec.template.spec'],
    ['batch/v1', 'CronJob', { spec: { jobTemplate: templated } }, 'spec.jobTemplate.spec.template.spec'],
  ])('%s %s', (apiVersion, kind, rest, path) => {
    const found = podSpecOf(object(apiVersion, kind, rest));
    expect(found?.spec).toBe(pod);
    expect(found?.path).toBe(path);
    expect(
      found && containersOf(found).map((container) => [container.field, container.path, container.container.image]),
    ).toEqual([
      ['initContainers', `${path}.initContainers[0]`, 'b'],
      ['containers', `${path}.containers[0]`, 'a'],
    ]);
  });

  test.each([
    ['another group', 'apps.kruise.io/v1alpha1', 'DaemonSet', templated],
    ['another kind', 'v1', 'ConfigMap', { spec: pod }],
    ['no template', 'apps/v1', 'DaemonSet', { spec: {} }],
    ['a template that is a list', 'apps/v1', 'DaemonSet', { spec: { template: [] } }],
    ['a spec that is text', 'v1', 'Pod', { spec: 'x' }],
  ])('none for %s', (_, apiVersion, kind, rest) => {
    expect(podSpecOf(object(apiVersion, kind, rest))).toBeUndefined();
  });

  test('the template is the object itself, labels included', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: pod };
    expect(podSpecOf(object('apps/v1', 'DaemonSet', { spec: { template } }))?.template).toBe(template);
  });

  test('never throws, whatever the types', () => {
    fc.assert(
      fc.property(fc.constantFrom('Pod', 'DaemonSet', 'CronJob', 'PodTemplate'), fc.jsonValue(), (kind, spec) => {
        for (const apiVersion of ['v1', 'apps/v1', 'batch/v1']) {
          const found = podSpecOf(object(apiVersion, kind, { spec, template: spec }));
          if (found !== undefined) containersOf(found);
        }
      }),
    );
  });
});
