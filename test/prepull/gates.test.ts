/** Every gate × continuous-priority × pull-method on a whole hub: which pullers there are, when they come, what they run. */
import type { V1PodSpec } from '@kubernetes/client-node';
import { GATES, PULL_METHODS, type Gate, type PullMethod } from '../../src/api/choices.ts';
import { readPolicy } from '../../src/api/policy.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { CHART_SCHEDULING, find, hubRender, OPTIONS, PAUSE, phaseOf, run, titles, USER_IMAGES } from './hub-objects.ts';

const HOOK = 'PreSync -10 BeforeHookCreation,HookSucceeded';
const RENDER = hubRender({ podPriority: true, placeholders: 0 });
const PLACEHOLDER = 'hub-user-placeholder-priority';
const PULLER = 'hub-image-puller-priority';

/** Gate, then the phase of the hook and the continuous puller. */
const PHASES: [Gate, string | undefined, string][] = [
  ['presync', HOOK, 'Sync 0'],
  ['wave', undefined, 'Sync -1'],
  ['job', HOOK, 'Sync 0'],
  ['none', undefined, 'Sync 0'],
];

/** Setting, then the class of the continuous puller where it is not the gate, and where it is. */
const PRIORITIES: [string, string, string][] = [
  ['auto', PLACEHOLDER, PULLER],
  ['placeholder', PLACEHOLDER, PLACEHOLDER],
  ['above-placeholder', PULLER, PULLER],
  ['chart', PULLER, PULLER],
  ['made-elsewhere', 'made-elsewhere', 'made-elsewhere'],
];

const COMBINATIONS = PHASES.flatMap(([gate, hook, continuous]) =>
  PRIORITIES.flatMap(([priority, besides, gateClass]) =>
    PULL_METHODS.map((method) => ({
      gate,
      priority,
      method,
      hook,
      continuous,
      className: gate === 'wave' ? gateClass : besides,
    })),
  ),
);

test('the table has every combination', () => {
  expect(COMBINATIONS).toHaveLength(GATES.length * 5 * PULL_METHODS.length);
});

describe.each(COMBINATIONS)('gate $gate, continuous-priority $priority, pull-method $method', (row) => {
  const { objects } = run(RENDER, { gate: row.gate, continuousPriority: row.priority, pullMethod: row.method });
  const continuous = find(objects, 'DaemonSet', 'continuous-image-puller');
  const hooks = objects.filter(
    ({ metadata }) => metadata.name === 'hook-image-puller' && metadata.namespace === undefined,
  );

  test('the pullers come when the gate says', () => {
    expect(hooks.map(phaseOf)).toEqual(row.hook === undefined ? [] : [row.hook]);
    expect(phaseOf(continuous)).toBe(row.continuous);
  });

  test('the continuous puller has the class of the setting, and pulls by the method only as the gate', () => {
    expect(specOf(continuous).priorityClassName).toBe(row.className);
    expectMethod(specOf(continuous), row.gate === 'wave' ? row.method : 'init');
    for (const hook of hooks) expectMethod(specOf(hook), row.method);
  });

  test('nothing of the awaiter stays', () => {
    expect(titles(objects).filter((title) => title.includes('awaiter'))).toEqual([]);
  });

  test('each puller keeps what is the chart’s and has what is ours', () => {
    for (const puller of [...hooks, continuous]) expectPuller(puller, row.gate);
  });

  test('a second run changes no byte, a repeated first run gives the same', () => {
    const options = { gate: row.gate, continuousPriority: row.priority, pullMethod: row.method };
    const { bytes } = run(RENDER, options);
    expect(run(bytes, options).bytes.equals(bytes)).toBe(true);
    expect(run(RENDER, options).bytes.equals(bytes)).toBe(true);
  });
});

function specOf(object: KubeObject): V1PodSpec {
  return podSpecOf(object)!.spec;
}

function expectMethod(spec: V1PodSpec, method: PullMethod): void {
  const images = (containers: V1PodSpec['containers'] | undefined) => containers?.map(({ image }) => image);
  const volumes = spec.volumes?.map(({ image }) => image?.reference);
  const found = { init: images(spec.initContainers), main: images(spec.containers), volumes };
  expect(found).toEqual(
    {
      containers: { init: undefined, main: USER_IMAGES, volumes: undefined },
      init: { init: USER_IMAGES, main: [PAUSE], volumes: undefined },
      volume: { init: undefined, main: USER_IMAGES.map(() => PAUSE), volumes: USER_IMAGES },
    }[method],
  );
}

function expectPuller(puller: KubeObject, gate: Gate): void {
  const rendered = find(RENDER, 'DaemonSet', puller.metadata.name!);
  const { metadata } = puller;
  const isHook = metadata.name === 'hook-image-puller';
  const role = isHook ? 'hook' : 'continuous';
  const spec = puller.spec as { selector: object; updateStrategy: object };
  expect(spec.selector).toEqual((rendered.spec as { selector: object }).selector);
  expect(metadata.labels).toMatchObject({ ...rendered.metadata.labels, 'argocd-prepuller.github.io/role': role });
  const template = podSpecOf(puller)!.template!.metadata!;
  expect(template.labels).toMatchObject({
    ...podSpecOf(rendered)!.template!.metadata!.labels,
    'argocd-prepuller.github.io/role': role,
    'argocd-prepuller.github.io/images': metadata.labels!['argocd-prepuller.github.io/images'],
    'sidecar.istio.io/inject': 'false',
  });
  expect(template.annotations).toEqual({ 'sidecar.istio.io/inject': 'false', 'linkerd.io/inject': 'disabled' });
  expect(specOf(puller)).toMatchObject({
    ...CHART_SCHEDULING,
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
  });
  expect(spec.updateStrategy).toEqual(
    isHook && gate === 'job'
      ? { type: 'OnDelete' }
      : { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
  );
  expect(metadata.annotations!['argocd-prepuller.github.io/contract']).toBe('1');
  const judge = gate === 'job' ? 'builtin' : 'reconciler';
  expect(readPolicy(metadata.annotations!)).toEqual({ policy: { ...OPTIONS.policy, judge }, problems: [] });
}

describe('the wave', () => {
  test.each([
    [undefined, 'Sync -1'],
    ['0', 'Sync -1'],
    ['-5', 'Sync -6'],
    ['7', 'Sync 0'],
  ])('a hub in wave %s puts the puller in %s', (hubWave, phase) => {
    const { objects } = run(hubRender(hubWave === undefined ? {} : { hubWave }), { gate: 'wave' });
    expect(phaseOf(find(objects, 'DaemonSet', 'continuous-image-puller'))).toBe(phase);
  });
});

test('a hub without any image left gets no hook, and a warning', () => {
  const render = hubRender({ configuration: false }).map((object) => {
    if (object.kind !== 'DaemonSet') return object;
    const spec = structuredClone(object.spec) as { template: { spec: V1PodSpec } };
    for (const container of spec.template.spec.initContainers!) container.image = 'a/tools:set-by-chartpress';
    return { ...object, spec };
  });
  const { objects, warnings } = run(render);
  expect(titles(objects).filter((title) => title.startsWith('DaemonSet/'))).toEqual([
    'DaemonSet/continuous-image-puller',
  ]);
  const spec = specOf(find(objects, 'DaemonSet', 'continuous-image-puller'));
  expect(spec.initContainers).toBeUndefined();
  expect(spec.containers.map(({ image }) => image)).toEqual([PAUSE]);
  expect(warnings.map(({ message }) => message)).toContain('no image is left to pull: there is nothing to wait for');
});

test('without a Job after it Argo CD’s own rule has to wait for the pods of a hook', () => {
  const { objects } = run(RENDER, { gate: 'presync', policy: { ...OPTIONS.policy, judge: 'builtin' } });
  const { updateStrategy } = find(objects, 'DaemonSet', 'hook-image-puller').spec as { updateStrategy: object };
  expect(updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } });
});

test('revision, repository and commit stand on hooks only', () => {
  const repository = 'https://git.example/hub';
  const { objects } = run(hubRender(), { gate: 'job', revision: 'abc', repository, commit: 'abc Bump image' });
  const marked = objects.filter(
    ({ metadata }) => metadata.annotations?.['argocd-prepuller.github.io/revision'] === 'abc',
  );
  expect(titles(marked)).toEqual(['DaemonSet/hook-image-puller', 'Job/hook-image-puller-await']);
  for (const { metadata } of marked)
    expect(metadata.annotations).toMatchObject({
      'argocd-prepuller.github.io/commit': 'abc Bump image',
      'argocd-prepuller.github.io/repository': repository,
    });
  expect(objects.filter((object) => JSON.stringify(object).includes(repository))).toEqual(marked);
});
