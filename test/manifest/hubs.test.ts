/** Several hubs in one render: what belongs to which, by label and reference, whatever the names. */
import fc from 'fast-check';
import { findHubs, type Hub } from '../../src/manifest/hubs.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { awaiter, configurationSecret, hubObject, puller, unlabelled } from './hub-objects.ts';

const VALUES = 'singleuser: {image: {name: a, tag: "1"}}';
const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade' };

describe('findHubs', () => {
  test('R-14: one hub, every part found by identity, the awaiter with all that is its own', () => {
    const hook = puller('hook', [], {
      spec: { serviceAccountName: 'hook-image-puller', priorityClassName: 'hub-image-puller' },
    });
    const continuous = puller('continuous', [], { spec: { serviceAccountName: 'continuous-image-puller' } });
    const accounts = {
      hook: hubObject('ServiceAccount', 'hook-image-puller', { component: 'image-puller', annotations: HOOK }),
      continuous: hubObject('ServiceAccount', 'continuous-image-puller', { component: 'image-puller' }),
    };
    const classes = {
      puller: hubObject('PriorityClass', 'hub-image-puller', { component: 'image-puller' }, { value: -5 }),
      placeholder: hubObject(
        'PriorityClass',
        'hub-user-placeholder',
        { component: 'user-placeholder' },
        { value: -10 },
      ),
      default: hubObject('PriorityClass', 'hub-default', { component: 'default-priority' }, { value: 0 }),
    };
    const placeholder = hubObject('StatefulSet', 'user-placeholder', { component: 'user-placeholder' });
    const pullSecret = hubObject(
      'Secret',
      'image-pull-secret',
      { component: 'image-pull-secret', annotations: HOOK },
      {
        type: 'kubernetes.io/dockerconfigjson',
      },
    );
    const secret = configurationSecret(VALUES);
    const parts = awaiter();
    const hubDeployment = hubObject('Deployment', 'hub', { component: 'hub' });
    const objects = [
      hubDeployment,
      secret,
      pullSecret,
      ...parts,
      placeholder,
      ...Object.values(classes),
      ...Object.values(accounts),
      continuous,
      hook,
    ];
    const hubs = findHubs(objects);
    expect(hubs).toHaveLength(1);
    const [hub] = hubs as [Hub];
    expect(hub.hookPuller).toBe(hook);
    expect(hub.continuousPuller).toBe(continuous);
    expect(new Set(hub.awaiter)).toEqual(new Set(parts));
    expect(hub.pullSecret).toBe(pullSecret);
    expect(hub.placeholder).toBe(placeholder);
    expect(hub.priorityClasses.puller).toBe(classes.puller);
    expect(hub.priorityClasses.placeholder).toBe(classes.placeholder);
    expect(hub.priorityClasses.default).toBe(classes.default);
    expect(hub.serviceAccounts.hook).toBe(accounts.hook);
    expect(hub.serviceAccounts.continuous).toBe(accounts.continuous);
    expect(hub.configuration?.object).toBe(secret);
    expect(hub.namespace).toBeUndefined();
  });

  test('R-11: two aliases in one namespace are two hubs, nothing mixed up', () => {
    const a = { app: 'hub-a', release: 'two' };
    const b = { app: 'hub-b', release: 'two' };
    const objects = [
      configurationSecret(VALUES, { ...a, name: 'hub-a-hub' }),
      configurationSecret(VALUES, { ...b, name: 'hub-b-hub' }),
      puller('continuous', [], { ...b, name: 'hub-b-continuous' }),
      puller('hook', [], { ...a, name: 'hub-a-hook' }),
      puller('hook', [], { ...b, name: 'hub-b-hook' }),
    ];
    expect(findHubs(objects)).toMatchObject([
      {
        labels: a,
        hookPuller: { metadata: { name: 'hub-a-hook' } },
        configuration: { object: { metadata: { name: 'hub-a-hub' } } },
      },
      {
        labels: b,
        hookPuller: { metadata: { name: 'hub-b-hook' } },
        continuousPuller: { metadata: { name: 'hub-b-continuous' } },
      },
    ]);
    expect(findHubs(objects)[0]?.continuousPuller).toBeUndefined();
  });

  test('two namespaces with the same names are two hubs, each with its own awaiter', () => {
    const objects = ['one', 'two'].flatMap((namespace) => [
      puller('hook', [], { namespace }),
      ...awaiter({ namespace }),
    ]);
    const hubs = findHubs(objects);
    expect(hubs.map(({ namespace }) => namespace)).toEqual(['one', 'two']);
    for (const hub of hubs) {
      expect(hub.awaiter).toHaveLength(4);
      expect(new Set(hub.awaiter.map(({ metadata }) => metadata.namespace))).toEqual(new Set([hub.namespace]));
    }
  });

  test('R-11: names and values paths tell nothing: nameOverride and fullnameOverride', () => {
    const labels = { app: 'jhub', release: 'my-team', modern: true };
    const hubs = findHubs([
      puller('hook', [], { ...labels, name: 'my-team-jhub-x' }),
      configurationSecret(VALUES, { ...labels, name: 'y' }),
    ]);
    expect(hubs).toHaveLength(1);
    expect(hubs[0]?.configuration?.object.metadata.name).toBe('y');
  });

  test('without labels, what a kustomization left is put together by namespace', () => {
    const objects = [
      configurationSecret(VALUES, { namespace: 'jhub' }),
      puller('hook', ['quay.io/team/notebook:1']),
      ...awaiter(),
    ].map(unlabelled);
    const hubs = findHubs(objects);
    expect(hubs).toHaveLength(1);
    expect(hubs[0]?.awaiter).toHaveLength(4);
    expect(hubs[0]?.hookPuller).toBe(objects[1]);
  });

  test('an unlabelled configuration that two hubs could own stays a hub of its own', () => {
    const objects = [
      puller('hook', [], { app: 'a' }),
      puller('hook', [], { app: 'b' }),
      unlabelled(configurationSecret(VALUES)),
    ];
    expect(findHubs(objects).map(({ configuration }) => configuration !== undefined)).toEqual([false, false, true]);
  });

  test('a second configuration of one hub is remarked on, not a second hub', () => {
    const hubs = findHubs([configurationSecret(VALUES), configurationSecret(VALUES, { name: 'existing' })]);
    expect(hubs).toHaveLength(1);
    expect(hubs[0]?.configuration?.object.metadata.name).toBe('hub');
    expect(hubs[0]?.configuration?.warnings.map(({ fields }) => fields.object)).toEqual(['Secret/existing']);
  });

  test('charts before 1.0: the pullers use the placeholder class, which is a hook', () => {
    const priority = hubObject(
      'PriorityClass',
      'p',
      { component: 'user-placeholder', annotations: HOOK },
      { value: -10 },
    );
    const [hub] = findHubs([priority, puller('hook', [], { spec: { priorityClassName: 'p' } })]);
    expect(hub?.priorityClasses.placeholder).toBe(priority);
    expect(hub?.priorityClasses.puller).toBe(priority);
  });

  test("R-15: charts before 0.10 gave the hook a pull Secret of its own; the users' one is no hook", () => {
    const type = { type: 'kubernetes.io/dockerconfigjson' };
    const users = hubObject(
      'Secret',
      'singleuser-image-credentials',
      { component: 'singleuser-image-credentials' },
      type,
    );
    const hooks = hubObject('Secret', 'hook-singleuser-image-credentials', { annotations: HOOK }, type);
    const [hub] = findHubs([users, hooks, puller('hook', [])]);
    expect(hub?.pullSecret).toBe(hooks);
  });

  test('copies that carry our role belong to no hub', () => {
    const labels = {
      'argocd-prepuller.github.io/role': 'prerequisite',
      app: 'jupyterhub',
      release: 'hub',
      component: 'image-puller',
    };
    const copy = { ...hubObject('PriorityClass', 'copy'), metadata: { name: 'copy', labels } };
    const [hub] = findHubs([copy, puller('hook', [], { spec: { priorityClassName: 'copy' } })]);
    expect(hub?.priorityClasses).toEqual({});
  });

  test('never throws, whatever the types', () => {
    const kinds = fc.constantFrom(
      'DaemonSet',
      'Job',
      'Secret',
      'ConfigMap',
      'PriorityClass',
      'RoleBinding',
      'Role',
      'StatefulSet',
    );
    const hostile = fc.record({
      apiVersion: fc.constantFrom('v1', 'apps/v1', 'batch/v1'),
      kind: kinds,
      metadata: fc.oneof(
        fc.record({
          name: fc.jsonValue(),
          labels: fc.record({ component: fc.constantFrom('hook-image-puller', 'image-puller', 5) }),
          annotations: fc.jsonValue(),
        }),
        fc.dictionary(fc.string(), fc.jsonValue()),
      ),
      spec: fc.jsonValue(),
      data: fc.oneof(fc.jsonValue(), fc.record({ 'values.yaml': fc.string() })),
      subjects: fc.jsonValue(),
      roleRef: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), (objects) => {
        for (const hub of findHubs(objects as unknown as KubeObject[])) expect(hub.awaiter).toBeDefined();
      }),
    );
  });
});
