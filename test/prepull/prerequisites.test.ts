/** Object by object: who needs what, when Argo CD makes it, and what deletes it (evidence, P-02, P-03, O-04). */
import type { Gate } from '../../src/api/choices.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { podSpecOf } from '../../src/manifest/pod-spec.ts';
import { hubObject } from '../manifest/hub-objects.ts';
import { find, hubRender, phaseOf, run, titles, type HubParts } from './hub-objects.ts';

const COPY = 'PreSync -11 HookSucceeded';
const FULL: HubParts = {
  podPriority: true,
  placeholders: 0,
  pullSecret: true,
  pullSecrets: ['site-secret', 'made-by-hand'],
  accountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/pull', 'argocd.argoproj.io/sync-wave': '3' },
};
const SITE_SECRET = hubObject(
  'Secret',
  'site-secret',
  { annotations: { 'reflector.v1.k8s.emberstack.com/reflection-allowed': 'true' } },
  { type: 'kubernetes.io/dockerconfigjson', immutable: true, stringData: { '.dockerconfigjson': '{}' } },
);

/** The full hub, its hook ServiceAccount with pull Secrets of its own. */
function render(parts: HubParts = FULL): KubeObject[] {
  return [SITE_SECRET, ...hubRender(parts)].map((object) =>
    object.kind === 'ServiceAccount' && object.metadata.name === 'hook-image-puller'
      ? { ...object, secrets: [{ name: 'token' }], imagePullSecrets: [{ name: 'site-secret' }, { name: 'by-account' }] }
      : object,
  );
}

function hookSpec(objects: readonly KubeObject[]) {
  return podSpecOf(find(objects, 'DaemonSet', 'hook-image-puller'))!.spec;
}

describe.each<Gate>(['presync', 'job'])('what the hook puller of gate %s needs', (gate) => {
  const { objects, plan } = run(render(), { gate });
  const spec = hookSpec(objects);

  test('its PriorityClass is a copy a wave earlier, under a name with application, namespace and value', () => {
    const copy = find(objects, 'PriorityClass', spec.priorityClassName!);
    expect(copy.metadata.name).toMatch(/^science-jhub-priority-minus-5-[0-9a-f]{8}$/);
    expect(phaseOf(copy)).toBe(COPY);
    expect(copy).toMatchObject({ value: -5, globalDefault: false });
    expect(copy.metadata.namespace).toBeUndefined();
  });

  test('its ServiceAccount is a copy that keeps the cloud identity and has the copied Secrets', () => {
    const copy = find(objects, 'ServiceAccount', spec.serviceAccountName!);
    expect(copy.metadata.name).toMatch(/^hook-image-puller-prepull-[0-9a-f]{8}$/);
    expect(phaseOf(copy)).toBe(COPY);
    expect(copy.metadata.annotations).toMatchObject({ 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/pull' });
    expect(copy.automountServiceAccountToken).toBe(false);
    expect(copy.secrets).toBeUndefined();
    const secret = find(objects, 'Secret', /^site-secret-prepull-/).metadata.name;
    expect(copy.imagePullSecrets).toEqual([{ name: secret }, { name: 'by-account' }]);
  });

  test('its rendered pull Secrets are copies, the others keep their name and are preconditions', () => {
    const names = spec.imagePullSecrets!.map(({ name }) => name!);
    expect(names).toEqual([
      expect.stringMatching(/^image-pull-secret-prepull-/),
      expect.stringMatching(/^site-secret-prepull-/),
      'made-by-hand',
    ]);
    const [chart, site] = names.slice(0, 2).map((name) => find(objects, 'Secret', name));
    expect([phaseOf(chart!), phaseOf(site!)]).toEqual([COPY, COPY]);
    expect(chart).toMatchObject({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } });
    expect(site).toMatchObject({ stringData: { '.dockerconfigjson': '{}' } });
    expect(site!.immutable).toBeUndefined();
    expect(Object.keys(site!.metadata.annotations!).filter((name) => !name.startsWith('argocd.'))).toEqual([]);
    expect(plan.apps[0]!.preconditions).toEqual(['Secret/made-by-hand', 'Secret/by-account']);
  });

  test('all of ours carries the role label, and no copy is of another namespace', () => {
    const copies = objects.filter(
      (object) => object.metadata.labels?.['argocd-prepuller.github.io/role'] === 'prerequisite',
    );
    expect(plan.apps[0]!.copied.map(({ to }) => to).sort()).toEqual(
      titles(copies.filter(({ kind }) => ['PriorityClass', 'Secret', 'ServiceAccount'].includes(kind))).filter(
        (title) => !title.endsWith('-await'),
      ),
    );
    expect(copies.every(({ metadata }) => metadata.namespace === undefined)).toBe(true);
  });

  test('nothing that others use is a hook', () => {
    const hooks = objects.filter(({ metadata }) => metadata.annotations?.['argocd.argoproj.io/hook'] !== undefined);
    const rendered = new Set(titles(render()));
    expect(titles(hooks).filter((title) => rendered.has(title))).toEqual(['DaemonSet/hook-image-puller']);
  });

  test('the chart’s account of the hook puller goes, nothing else uses it', () => {
    expect(titles(objects)).not.toContain('ServiceAccount/hook-image-puller');
    expect(plan.apps[0]!.dropped).toContain('ServiceAccount/hook-image-puller');
  });
});

describe.each<Gate>(['presync', 'wave', 'job', 'none'])('gate %s', (gate) => {
  const { objects } = run(render(), { gate });

  test('the chart’s own pull Secret is an ordinary object', () => {
    expect(phaseOf(find(objects, 'Secret', 'image-pull-secret'))).toMatch(gate === 'wave' ? /^Sync -2$/ : /^Sync 0$/);
  });

  test('no puller names a class, account or Secret that comes later or never', () => {
    for (const puller of objects.filter(({ kind }) => kind === 'DaemonSet')) {
      const { priorityClassName, serviceAccountName, imagePullSecrets } = podSpecOf(puller)!.spec;
      const needs = [
        ['PriorityClass', priorityClassName!],
        ['ServiceAccount', serviceAccountName!],
        ...imagePullSecrets!.map(({ name }) => ['Secret', name!]),
      ].filter(([, name]) => name !== 'made-by-hand');
      for (const [kind, name] of needs) expect(order(find(objects, kind!, name!))).toBeLessThanOrEqual(order(puller));
    }
  });

  test('accounts that another workload or a binding names are kept', () => {
    const user = hubObject(
      'RoleBinding',
      'scc',
      {},
      { subjects: [{ kind: 'ServiceAccount', name: 'hook-image-puller' }] },
    );
    expect(titles(run([...render(), user], { gate }).objects)).toContain('ServiceAccount/hook-image-puller');
  });
});

/** PreSync before Sync, then the wave. */
function order(object: KubeObject): number {
  const [phase, wave] = phaseOf(object).split(' ');
  return (phase === 'PreSync' ? -1000 : 0) + Number(wave);
}

describe('the wave gate', () => {
  const { objects, plan } = run(render(), { gate: 'wave' });

  test.each([
    ['PriorityClass', 'hub-image-puller-priority'],
    ['ServiceAccount', 'continuous-image-puller'],
    ['Secret', 'image-pull-secret'],
    ['Secret', 'site-secret'],
  ])('%s %s comes a wave before the puller', (kind, name) => {
    expect(phaseOf(find(objects, kind, name))).toBe('Sync -2');
    expect(plan.apps[0]!.changed).toContainEqual({ object: `${kind}/${name}`, what: 'sync wave -2' });
  });

  test('nothing is copied, and what comes early enough stays as it is', () => {
    expect(plan.apps[0]!.copied).toEqual([]);
    const early = render().map((object) =>
      object.metadata.name === 'site-secret'
        ? { ...object, metadata: { ...object.metadata, annotations: { 'argocd.argoproj.io/sync-wave': '-7' } } }
        : object,
    );
    const again = run(early, { gate: 'wave' });
    expect(phaseOf(find(again.objects, 'Secret', 'site-secret'))).toBe('Sync -7');
    expect(again.plan.apps[0]!.changed.map(({ object }) => object)).not.toContain('Secret/site-secret');
  });

  test('a puller built after the hook puller makes that one’s account ordinary', () => {
    const built = run(render({ ...FULL, continuous: false }), { gate: 'wave' });
    const account = find(built.objects, 'ServiceAccount', 'hook-image-puller');
    const puller = find(built.objects, 'DaemonSet', 'continuous-image-puller');
    expect(phaseOf(account)).toBe('Sync -2');
    expect(podSpecOf(puller)!.spec.serviceAccountName).toBe('hook-image-puller');
    expect(puller.metadata.labels).not.toHaveProperty(['hub.jupyter.org/deletable']);
  });
});

describe('emit-priority-class: false', () => {
  test.each<Gate>(['presync', 'wave', 'job', 'none'])('gate %s adds no cluster-scoped object', (gate) => {
    const before = titles(render());
    const { objects } = run(render(), { gate, emitPriorityClass: false });
    const added = objects.filter((object) => !before.includes(`${object.kind}/${object.metadata.name ?? '?'}`));
    expect(titles(added).filter((title) => /^(PriorityClass|Cluster)/.test(title))).toEqual([]);
  });

  test('the hook does without a class that would come too late, and keeps one that is made elsewhere', () => {
    expect(hookSpec(run(render(), { emitPriorityClass: false }).objects).priorityClassName).toBeUndefined();
    const elsewhere = render().filter(({ kind }) => kind !== 'PriorityClass');
    const { objects, plan } = run(elsewhere, { emitPriorityClass: false });
    expect(hookSpec(objects).priorityClassName).toBe('hub-image-puller-priority');
    expect(plan.apps[0]!.preconditions).toContain('PriorityClass/hub-image-puller-priority');
  });
});

test('names of copies tell apart what cannot be changed in place', () => {
  const named = (change: object, kind: string, name: string | RegExp): string => {
    const objects = render().map((object) => (object.metadata.name?.match(name) ? { ...object, ...change } : object));
    return find(run(objects).objects, kind, kind === 'Secret' ? /^site-secret-prepull/ : /^science/).metadata.name!;
  };
  const priorities = [{}, { value: -4 }, { preemptionPolicy: 'Never' }].map((change) =>
    named(change, 'PriorityClass', 'hub-image-puller-priority'),
  );
  expect(new Set(priorities).size).toBe(3);
  const secrets = [{}, { type: 'kubernetes.io/dockercfg' }].map((change) => named(change, 'Secret', 'site-secret'));
  expect(new Set(secrets).size).toBe(2);
});

test('P-05: two apps of the same release name in two namespaces share no cluster-scoped name', () => {
  const cluster = (namespace: string): string[] => {
    const app = { name: 'hub', namespace };
    const { objects } = run(hubRender({ placeholders: 0, podPriority: true, namespace }), {
      app,
      gate: 'job',
      emitNodeRole: true,
    });
    return titles(objects).filter((title) => /^(PriorityClass\/hub-(?!default|image|user)|Cluster)/.test(title));
  };
  const [one, other] = [cluster('a'), cluster('b')];
  expect(one).toHaveLength(3);
  expect(one.filter((title) => other.includes(title))).toEqual([]);
});

test('two hubs in one namespace share no copy of the Secret they share', () => {
  const [one, other] = ['a', 'b'].map((release) =>
    hubRender({ release, pullSecrets: ['site-secret'] }).map((object) => ({
      ...object,
      metadata: { ...object.metadata, name: `${release}-${object.metadata.name ?? ''}` },
    })),
  );
  const { objects } = run([SITE_SECRET, ...one!, ...other!]);
  const names = titles(objects);
  expect(names.filter((title) => title.startsWith('Secret/site-secret-prepull-'))).toHaveLength(2);
  expect(names).toEqual([...new Set(names)]);
});
