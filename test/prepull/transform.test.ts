/** The whole transform: what stays byte for byte, what is ours, the digest, and its own output. */
import { GATES } from '../../src/api/choices.ts';
import { IMAGES_DIGEST_ANNOTATION, IMAGES_LABEL } from '../../src/api/names.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { hubObject } from '../manifest/hub-objects.ts';
import { find, hubRender, phaseOf, run, streamOf, titles, workload, type HubParts } from './hub-objects.ts';

const PARTS: HubParts[] = [
  {},
  { hook: false },
  { continuous: false },
  { hook: false, continuous: false },
  { podPriority: true, placeholders: 2, pullSecret: true },
  { configuration: false, namespace: 'other' },
];

function carriers(objects: readonly KubeObject[]): KubeObject[] {
  return objects.filter(({ metadata }) => metadata.annotations?.[IMAGES_DIGEST_ANNOTATION] !== undefined);
}

describe.each(GATES)('gate %s', (gate) => {
  test.each(PARTS)('a second run over %j changes no byte', (parts) => {
    for (const continuous of [false, true]) {
      const options = { gate, continuous, images: ['quay.io/more/one:1'], revision: 'r' };
      const once = run(hubRender(parts), options);
      expect(run(once.bytes, options).bytes.equals(once.bytes)).toBe(true);
    }
  });

  test('a second run over workloads, and over the images parameter alone, changes no byte', () => {
    const inputs = [[workload('web', 'quay.io/web:1')], [hubObject('Service', 'web')]];
    for (const input of inputs) {
      const options = { gate, continuous: true, images: ['quay.io/more/one:1'] };
      const once = run(input, options);
      expect(titles(once.objects).some((title) => title.startsWith('DaemonSet/science-'))).toBe(true);
      expect(run(once.bytes, options).bytes.equals(once.bytes)).toBe(true);
    }
  });

  test('documents that are not ours keep their bytes', () => {
    const odd =
      '# Source: odd.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, labels: &l {a: "1"}}\ndata: {a: 0x10}\n';
    const stream = Buffer.concat([Buffer.from(`---\n${odd}`), streamOf(hubRender())]);
    const { bytes, objects } = run(stream, { gate });
    expect(bytes.includes(odd)).toBe(true);
    expect(titles(objects)).toContain('ConfigMap/odd');
  });

  test('no puller pod names an image beyond the users’ and the pause image', () => {
    const { objects, plan } = run(hubRender(), { gate, continuous: true });
    const allowed = new Set([...plan.apps[0]!.images.map(({ written }) => written), 'registry.k8s.io/pause:3.10']);
    for (const puller of objects.filter(({ kind }) => kind === 'DaemonSet')) {
      const { initContainers = [], containers, volumes = [] } = podSpecOf(puller)!.spec;
      expect(volumes).toEqual([]);
      expect(
        [...initContainers, ...containers].map(({ image }) => image!).filter((image) => !allowed.has(image)),
      ).toEqual([]);
    }
  });

  test('the digest stands on exactly one ordinary object, or nothing is pulled', () => {
    for (const parts of PARTS) {
      const { objects, plan } = run(hubRender(parts), { gate });
      const pullers = objects.filter(({ metadata }) => metadata.labels?.[IMAGES_LABEL] !== undefined);
      const found = carriers(objects);
      expect(found).toHaveLength(pullers.length === 0 ? 0 : 1);
      expect(found.map(phaseOf).filter((phase) => !phase.startsWith('Sync'))).toEqual([]);
      expect(plan.digest?.object).toBe(titles(found)[0]);
    }
  });
});

test('what went through before is left as it is, with a word', () => {
  const once = run(hubRender(), { gate: 'presync' });
  const again = run(once.bytes, { gate: 'none', images: ['quay.io/x:1'] });
  expect(again.bytes.equals(once.bytes)).toBe(true);
  expect(again.warnings.map(({ fields }) => fields.object)).toEqual([
    'DaemonSet/hook-image-puller',
    'DaemonSet/continuous-image-puller',
  ]);
  expect(again.plan.apps[0]!.pullers.map(({ object, role, from, phase }) => [object, role, from, phase])).toEqual([
    ['DaemonSet/hook-image-puller', 'hook', 'an earlier run', 'PreSync'],
    ['DaemonSet/continuous-image-puller', 'continuous', 'an earlier run', 'Sync'],
  ]);
});

describe('the digest', () => {
  test.each<[string, HubParts, string]>([
    ['the continuous puller', {}, 'DaemonSet/continuous-image-puller'],
    ['else the hub', { continuous: false }, 'Deployment/hub'],
  ])('goes on %s', (_what, parts, title) => {
    expect(titles(carriers(run(hubRender(parts)).objects))).toEqual([title]);
  });

  test('goes on the first namespaced object where there is neither, and is missed where there is none', () => {
    const cluster = hubObject('PriorityClass', 'x', {}, { value: 1 });
    const service = hubObject('Service', 'web');
    expect(titles(carriers(run([cluster, service], { images: ['a/b:1'] }).objects))).toEqual(['Service/web']);
    const { objects, warnings } = run([cluster], { images: ['a/b:1'] });
    expect(carriers(objects)).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('no ordinary object can carry')]);
  });

  test('changes with an image and never reaches a pod template', () => {
    const value = (images: string[]): string | undefined =>
      run(hubRender({ continuous: false }), { images }).plan.digest?.value;
    expect(value([])).not.toBe(value(['quay.io/more/one:1']));
    expect(value(['quay.io/more/one:1'])).toBe(value(['quay.io/more/one:1']));
    const hub = find(run(hubRender({ continuous: false })).objects, 'Deployment', 'hub');
    expect(podSpecOf(hub)!.template!.metadata?.annotations).toBeUndefined();
  });
});

test('two hubs of one render each get their own, under names that differ', () => {
  const two = [...hubRender({ namespace: 'a', release: 'one' }), ...hubRender({ namespace: 'b', release: 'two' })];
  const { objects, plan } = run(two, { gate: 'job', emitNodeRole: true });
  const keys = objects.map(({ kind, metadata }) => `${kind}/${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(plan.apps.map(({ title, namespace }) => [title, namespace])).toEqual([
    ['hub jupyterhub one', 'a'],
    ['hub jupyterhub two', 'b'],
  ]);
  expect(carriers(objects)).toHaveLength(1);
});

test('a List keeps its other items', () => {
  const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items: hubRender() } as KubeObject;
  const { objects, bytes } = run([list]);
  expect(titles(objects)).toEqual(titles(run(hubRender()).objects));
  expect(run(bytes).bytes.equals(bytes)).toBe(true);
});

test('a charted DaemonSet of an API group that is gone becomes one that can be applied', () => {
  const old = hubRender({ continuous: false }).map((object) => {
    if (object.kind !== 'DaemonSet') return object;
    const { template } = object.spec as { template: unknown };
    return { ...object, apiVersion: 'extensions/v1beta1', spec: { template } };
  });
  const puller = find(run(old).objects, 'DaemonSet', 'hook-image-puller');
  expect(puller.apiVersion).toBe('apps/v1');
  expect(puller.spec).toMatchObject({ selector: { matchLabels: { component: 'hook-image-puller' } } });
});

test('sources name each container, and shrink to names when they would be too long', () => {
  const sources = (images: string[]): Record<string, string> => {
    const puller = find(run(hubRender(), { images }).objects, 'DaemonSet', 'hook-image-puller');
    return JSON.parse(puller.metadata.annotations!['argocd-prepuller.github.io/sources']!) as Record<string, string>;
  };
  expect(sources([])).toMatchObject({ 'pull-0-notebook': 'Secret/hub singleuser.image' });
  const many = sources(Array.from({ length: 600 }, (_none, index) => `quay.io/team/image-${index}:1`));
  expect(Object.keys(many)).toHaveLength(603);
  expect(new Set(Object.values(many))).toEqual(new Set(['']));
});
