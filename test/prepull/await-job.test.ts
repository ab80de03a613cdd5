/** The job gate's Job and its rights, object by object. */
import type { V1JobSpec } from '@kubernetes/client-node';
import { UsageError } from '../../src/errors.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { find, hubRender, OPTIONS, phaseOf, run, titles, VALUES } from './hub-objects.ts';

const NAME = 'hook-image-puller-await';
const { objects } = run(hubRender(), { gate: 'job', emitNodeRole: true });

function specOf(object: KubeObject): V1JobSpec {
  return object.spec as V1JobSpec;
}

test('the Job comes a wave after the puller, its account and rights a wave before', () => {
  expect(phaseOf(find(objects, 'DaemonSet', 'hook-image-puller'))).toBe('PreSync -10 BeforeHookCreation,HookSucceeded');
  expect(phaseOf(find(objects, 'Job', NAME))).toBe('PreSync -9 BeforeHookCreation,HookSucceeded');
  for (const kind of ['ServiceAccount', 'Role', 'RoleBinding'])
    expect(phaseOf(find(objects, kind, NAME))).toBe('PreSync -11 HookSucceeded');
  for (const kind of ['ClusterRole', 'ClusterRoleBinding'])
    expect(phaseOf(find(objects, kind, /^science-jhub-hook-image-puller-await-[0-9a-f]{8}$/))).toBe(
      'PreSync -11 HookSucceeded',
    );
});

test('it runs prepuller await from the image, with its own account', () => {
  const { template } = specOf(find(objects, 'Job', NAME));
  expect(template.spec).toMatchObject({
    serviceAccountName: NAME,
    restartPolicy: 'Never',
    containers: [
      {
        name: 'await',
        image: OPTIONS.image,
        command: ['prepuller', 'await', '--namespace', 'jhub', 'hook-image-puller'],
        securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  });
  expect(template.metadata!.labels).toMatchObject({ 'sidecar.istio.io/inject': 'false' });
  expect(template.metadata!.annotations).toMatchObject({ 'linkerd.io/inject': 'disabled' });
});

test('the rights are to read, bound to the account in the app’s namespace', () => {
  expect(find(objects, 'Role', NAME).rules).toEqual([
    { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['pods', 'events'], verbs: ['get', 'list', 'watch'] },
  ]);
  const cluster = find(objects, 'ClusterRole', /await/);
  expect(cluster.rules).toEqual([{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] }]);
  const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace: 'jhub' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: NAME };
  expect(find(objects, 'RoleBinding', NAME)).toMatchObject({ subjects, roleRef });
  expect(find(objects, 'ClusterRoleBinding', cluster.metadata.name!)).toMatchObject({
    subjects,
    roleRef: { ...roleRef, kind: 'ClusterRole', name: cluster.metadata.name },
  });
});

test('the hub’s own namespace goes before the app’s', () => {
  const there = run(hubRender({ namespace: 'other' }), { gate: 'job' }).objects;
  const job = find(there, 'Job', NAME);
  expect(job.metadata.namespace).toBe('other');
  expect(specOf(job).template.spec!.containers[0]!.command).toContain('other');
  expect(find(there, 'RoleBinding', NAME).subjects).toEqual([
    { kind: 'ServiceAccount', name: NAME, namespace: 'other' },
  ]);
});

test('without emit-node-role no cluster-scoped right is asked for', () => {
  const { objects: bare } = run(hubRender(), { gate: 'job', emitNodeRole: false });
  expect(titles(bare).filter((title) => title.startsWith('Cluster'))).toEqual([]);
});

test.each([
  [3_600_000, 14_400],
  [1_500, 6],
  [100, 1],
  [0, 1],
])('a deadline of %d ms a node gives the Job %d s', (deadline, seconds) => {
  const { objects: timed } = run(hubRender(), { gate: 'job', policy: { ...OPTIONS.policy, deadline } });
  expect(specOf(find(timed, 'Job', NAME)).activeDeadlineSeconds).toBe(seconds);
});

test('the program’s no is final, a lost node is not', () => {
  expect(specOf(find(objects, 'Job', NAME))).toMatchObject({
    backoffLimit: 6,
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes: { containerName: 'await', operator: 'In', values: [1, 2] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
  });
});

test('it runs where the chart’s awaiter would have, with its resources and copies of its pull Secrets', () => {
  const scheduling = { nodeSelector: { pool: 'core' }, tolerations: [{ key: 'core' }], affinity: { nodeAffinity: {} } };
  const resources = { requests: { cpu: '0' }, limits: { memory: '128Mi' } };
  const render = hubRender({ pullSecret: true }).map((object) => {
    if (object.kind !== 'Job') return object;
    const spec = structuredClone(object.spec) as V1JobSpec;
    const secrets = [{ name: 'image-pull-secret' }, { name: 'x' }];
    Object.assign(spec.template.spec!, scheduling, { imagePullSecrets: secrets });
    Object.assign(spec.template.spec!.containers[0]!, { resources });
    return { ...object, spec };
  });
  const { objects: placed, plan } = run(render, { gate: 'job' });
  const copy = find(placed, 'Secret', /^image-pull-secret-prepull-/).metadata.name;
  const job = specOf(find(placed, 'Job', NAME)).template.spec;
  expect(job).toMatchObject({ ...scheduling, imagePullSecrets: [{ name: copy }, { name: 'x' }] });
  expect(job!.containers[0]!.resources).toEqual(resources);
  expect(plan.apps[0]!.preconditions).toContain('Secret/x');
});

describe('outside Argo CD, where the namespace is not told', () => {
  const app = { name: 'science' };

  test('the chart’s values name the one it was released in', () => {
    const released = hubRender({ configuration: `${VALUES}\nRelease: {Name: hub, Namespace: released}\n` });
    const made = run(released, { gate: 'job', app, emitNodeRole: true }).objects;
    expect(find(made, 'RoleBinding', NAME).subjects).toEqual([
      { kind: 'ServiceAccount', name: NAME, namespace: 'released' },
    ]);
    find(made, 'ClusterRole', /^science-released-hook-image-puller-await-/);
  });

  test('rights are not given to an account of a guessed one', () => {
    const attempt = (): unknown => run(hubRender(), { gate: 'job', app });
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(/set namespace/);
  });
});

test('without an image the gate cannot be', () => {
  const attempt = (): unknown => run(hubRender(), { gate: 'job', image: undefined as never });
  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(/set the parameter image/);
});
