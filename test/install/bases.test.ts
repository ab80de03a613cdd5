/** The bases that run the reconciler: what they hold, whose rights these are, and that they can be put into a namespace of one's own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDescription, readDescription } from '../openapi/schema.ts';
import { installedRights } from '../testbed/reconciler.ts';
import { build, buildOwn, find, INSTALL, ours, podSpecIn, verbsOf } from './kustomize.ts';
import type { Built } from './kustomize.ts';

const { version } = JSON.parse(readFileSync(join(INSTALL, '../package.json'), 'utf8')) as { version: string };
const CLUSTER_SCOPED = ['ClusterRole', 'ClusterRoleBinding', 'Namespace'];

let controller: Built[];
let namespaced: Built[];
beforeAll(() => {
  controller = build(join(INSTALL, 'controller'));
  namespaced = build(join(INSTALL, 'namespaced'));
});

function kindsOf(objects: readonly Built[]): string[] {
  return objects.map(({ kind }) => kind).sort();
}

const EVERYWHERE = ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'];

test('the base for a cluster holds all it needs', () => {
  const rights = [...CLUSTER_SCOPED, 'Role', 'RoleBinding'];
  expect(kindsOf(controller)).toEqual([...EVERYWHERE, ...rights].sort());
});

test('the base for namespaces holds nothing cluster-scoped', () => {
  const rights = ['Role', 'RoleBinding'];
  expect(kindsOf(namespaced)).toEqual([...EVERYWHERE, ...rights, ...rights].sort());
  expect(namespaced.map(({ metadata }) => metadata.namespace ?? 'none')).not.toContain('none');
});

test('all objects carry our name as label', () => {
  for (const { metadata } of [...controller, ...namespaced])
    expect(metadata.labels?.['app.kubernetes.io/name']).toBe('argocd-prepuller');
});

const description = findDescription();
(description === undefined ? test.skip : test)('the API knows every field (skipped without its description)', () => {
  const check = readDescription(description!);
  expect([...controller, ...namespaced].flatMap(check)).toEqual([]);
});

describe('rights', () => {
  const proven = installedRights() as Built[];

  test('those for a cluster are the ones that the e2e suite `rights` proves, each of them needed', () => {
    const rules = (objects: readonly Built[]) => objects.flatMap(({ rules = [] }) => rules);
    expect(verbsOf(rules(controller))).toEqual(verbsOf(rules(proven)));
    expect(verbsOf(rules(proven))).toHaveLength(13);
  });

  test('those in a namespace are the same without nodes', () => {
    const inCluster = verbsOf(find(controller, 'ClusterRole').rules);
    const inNamespace = verbsOf(find(namespaced, 'Role', 'argocd-prepuller-pullers').rules);
    expect(inNamespace).toEqual(inCluster.filter((verb) => !verb.endsWith(' /nodes')));
    expect(find(namespaced, 'Role').rules).toEqual(find(controller, 'Role').rules);
  });

  test('no rule has a wildcard, and no spec can be changed', () => {
    const verbs = [...controller, ...namespaced].flatMap(({ rules }) => verbsOf(rules));
    expect(verbs.filter((verb) => verb.includes('*'))).toEqual([]);
    expect(new Set(verbs.filter((verb) => !/^(?:get|list|watch) /.test(verb)))).toEqual(
      new Set([
        'create /events',
        'create coordination.k8s.io/leases',
        'patch apps/daemonsets/status',
        'update coordination.k8s.io/leases',
      ]),
    );
  });
});

/** Whose rights every binding gives: the account that the Deployment's pods run as. */
function expectBound(objects: readonly Built[]): void {
  const deployment = find(objects, 'Deployment');
  const account = find(objects, 'ServiceAccount');
  expect(podSpecIn(deployment).serviceAccountName).toBe(account.metadata.name);
  expect(account.metadata.namespace).toBe(deployment.metadata.namespace);
  const { name, namespace } = account.metadata;
  for (const { kind, subjects, roleRef, metadata } of objects.filter(({ kind }) => kind.endsWith('Binding'))) {
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name, namespace }]);
    expect(roleRef).toMatchObject({ kind: kind.replace('Binding', '') });
    const role = find(objects, roleRef!.kind, roleRef!.name);
    expect(role.metadata.namespace).toBe(metadata.namespace);
  }
}

test('rights are given to the account of the pods', () => {
  expectBound(controller);
  expectBound(namespaced);
});

test('the Lease is the one the Role names, in the namespace of the pods', () => {
  for (const objects of [controller, namespaced]) {
    const role = find(objects, 'Role');
    expect(role.metadata.namespace).toBe(find(objects, 'Deployment').metadata.namespace);
    expect(role.rules?.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual(['argocd-prepuller']);
  }
});

test.each(['controller', 'namespaced'])('%s runs the image of this version, by any name', (base) => {
  const image = (objects: readonly Built[]) => ours(podSpecIn(find(objects, 'Deployment'))).image;
  expect(image(build(join(INSTALL, base)))).toBe(`argocd-prepuller:${version}`);
  const own = buildOwn({
    'kustomization.yaml': `
      resources: [install(${base})]
      images: [{ name: argocd-prepuller, newName: registry.example.org/campus/argocd-prepuller, newTag: 1.2.3 }]
    `,
  });
  expect(image(own)).toBe('registry.example.org/campus/argocd-prepuller:1.2.3');
});

test('the base for a cluster can go to another namespace', () => {
  const own = buildOwn({ 'kustomization.yaml': 'namespace: ops\nresources: [install(controller)]\n' });
  expect(find(own, 'Namespace', 'ops')).toBeDefined();
  expect(find(own, 'Deployment').metadata.namespace).toBe('ops');
  expectBound(own);
});

test('the base for namespaces can live in the only namespace one has', () => {
  const own = buildOwn({ 'kustomization.yaml': 'namespace: hub\nresources: [install(namespaced)]\n' });
  expect(new Set(own.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['hub']));
  expectBound(own);
});
