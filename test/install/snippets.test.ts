/** install/argocd in the three forms Argo CD is installed in: one container, one health script, one set of actions. */
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { ACTIONS_KEY, argocdConfigMap, HEALTH_KEY } from './argocd-cm.ts';
import { buildOwn, find, ours, podSpecIn } from './kustomize.ts';
import type { Built, PodSpec } from './kustomize.ts';
import { INSTALL_FOLDER } from './sandbox.ts';
import { argoHelmValues, openshiftGitops } from './snippets.ts';

function read(path: string): string {
  return readFileSync(INSTALL_FOLDER + path, 'utf8');
}

test.each([
  ['argo-helm-values.yaml', argoHelmValues],
  ['openshift-gitops.yaml', openshiftGitops],
])('%s is in step with the files it is made from', (name, make) => {
  const wanted = make(read);
  const inStep = read(name) === wanted;
  // The file that would be right, to be put in its place.
  if (!inStep) writeFileSync(`${INSTALL_FOLDER}got-${name}`, wanted);
  expect(inStep ? 'in step' : `out of step: move install/argocd/got-${name} to ${name}`).toBe('in step');
});

const { data: scripts } = load(argocdConfigMap(read)) as { data: Record<string, string> };
const sidecar = podSpecIn(load(read('repo-server.yaml')) as Built);

test('the Helm chart gets the same scripts and container', () => {
  const values = load(read('argo-helm-values.yaml')) as {
    configs: { cm: Record<string, string> };
    repoServer: { extraContainers: PodSpec['containers']; volumes: PodSpec['volumes'] };
  };
  expect(values.configs.cm).toEqual(scripts);
  expect(values.configs.cm[HEALTH_KEY]).toBe(read('health.lua'));
  expect(values.repoServer).toEqual({ extraContainers: sidecar.containers, volumes: sidecar.volumes });
  // The chart runs extraContainers through its template engine.
  expect(JSON.stringify(values.repoServer)).not.toContain('{{');
});

test('the operator gets the same scripts, and the same container without a user', () => {
  const { spec } = load(read('openshift-gitops.yaml')) as {
    spec: {
      repo: { sidecarContainers: PodSpec['containers']; volumes: PodSpec['volumes'] };
      resourceHealthChecks: unknown;
      resourceActions: unknown;
    };
  };
  const kind = { group: 'apps', kind: 'DaemonSet' };
  expect(spec.resourceHealthChecks).toEqual([{ ...kind, check: read('health.lua') }]);
  expect(spec.resourceActions).toEqual([{ ...kind, action: scripts[ACTIONS_KEY] }]);
  const [container, ...others] = spec.repo.sidecarContainers;
  expect(others).toEqual([]);
  const user = { securityContext: { ...container?.securityContext, runAsUser: 999 } };
  expect({ ...container, ...user }).toEqual(sidecar.containers[0]);
  expect(spec.repo.volumes).toEqual(sidecar.volumes);
});

/** As little of an Argo CD as the component changes. */
function argoCd(namespace: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: argocd-repo-server${namespace} }
spec:
  template:
    metadata: { annotations: { theirs: kept } }
    spec:
      containers: [{ name: argocd-repo-server, image: theirs }]
      volumes: [{ name: tmp, emptyDir: {} }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: argocd-cm${namespace} }
data: { theirs: kept, resource.customizations.health.apps_DaemonSet: theirs }
`;
}

test.each([
  // The official manifests name no namespace; what a kustomization of theirs made of them may.
  ['without a namespace', ''],
  ['with one', ', namespace: argocd'],
])('the component adds to an Argo CD %s, and leaves the rest alone', (_, namespace) => {
  const objects = buildOwn({
    'argocd.yaml': argoCd(namespace),
    'kustomization.yaml': `
      resources: [argocd.yaml]
      components: [install(argocd)]
      images: [{ name: argocd-prepuller, newName: registry.example.org/argocd-prepuller, newTag: 1.2.3 }]
    `,
  });
  expect(objects).toHaveLength(2);
  expect(find(objects, 'ConfigMap', 'argocd-cm').data).toEqual({ theirs: 'kept', ...scripts });
  const deployment = find(objects, 'Deployment', 'argocd-repo-server');
  const pod = podSpecIn(deployment);
  expect(ours(pod)).toEqual({ ...sidecar.containers[0], image: 'registry.example.org/argocd-prepuller:1.2.3' });
  expect(pod.containers).toContainEqual({ name: 'argocd-repo-server', image: 'theirs' });
  expect(pod.volumes).toHaveLength(2);
  expect(deployment.spec).toMatchObject({
    template: {
      metadata: { annotations: { theirs: 'kept', 'kubectl.kubernetes.io/default-container': 'argocd-repo-server' } },
    },
  });
});
