/** install/extension: what it changes in the controller and in Argo CD, that both sides meet, and that its pods are as closed as the others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { V1NetworkPolicySpec } from '@kubernetes/client-node';
import { CONTROLLER_PARAMETERS } from '../../src/config/controller-parameters.ts';
import { variableOf } from '../../src/config/controller-settings.ts';
import { SECRET_HEADER } from '../../src/web/argocd.ts';
import { EXTENSION } from '../../src/web/extension/name.ts';
import { build, buildOwn, find, INSTALL, ours, podSpecIn } from './kustomize.ts';
import type { Built } from './kustomize.ts';

const ROOT = join(INSTALL, '..');
/** As little of an Argo CD as is needed. */
const ARGO_CD = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: argocd-server }
spec: { template: { spec: { containers: [{ name: argocd-server, volumeMounts: [{ name: tmp, mountPath: /tmp }] }] } } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: argocd-cm } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: argocd-cmd-params-cm } }
`;
const IMAGES = 'images: [{ name: argocd-prepuller, newName: registry.example.org/argocd-prepuller, newTag: 1.2.3 }]';
const port = Number(CONTROLLER_PARAMETERS.extensionPort.default);

let argoCd: Built[];
let controller: Built[];
beforeAll(() => {
  argoCd = buildOwn({
    'kustomization.yaml': `namespace: argocd\nresources: [argo-cd.yaml]\ncomponents: [install(extension/argocd)]\n${IMAGES}\n`,
    'argo-cd.yaml': ARGO_CD,
  });
  controller = buildOwn({
    'kustomization.yaml': `resources: [install(controller)]\ncomponents: [install(extension/controller)]\n${IMAGES}\n`,
  });
});

interface Config {
  services: { url: string; headers: { name: string; value: string }[] }[];
}

test('argocd-server is told where the controller is, and proves itself with the header that the controller looks at', () => {
  expect(find(argoCd, 'ConfigMap', 'argocd-cmd-params-cm').data).toEqual({ 'server.enable.proxy.extension': 'true' });
  const { [`extension.config.${EXTENSION}`]: config = '' } = find(argoCd, 'ConfigMap', 'argocd-cm').data ?? {};
  const service = find(controller, 'Service', 'argocd-prepuller-extension');
  const { name, namespace = '' } = service.metadata;
  expect(load(config)).toEqual({
    services: [
      {
        url: `http://${name}.${namespace}.svc:${port}`,
        headers: [{ name: SECRET_HEADER, value: '$argocd-prepuller-extension:secret' }],
      },
    ],
  } satisfies Config);
  expect(service.spec).toMatchObject({
    selector: { 'app.kubernetes.io/name': 'argocd-prepuller' },
    ports: [{ port, targetPort: 'extension' }],
  });
});

test('the controller reads the secret, on the port that only argocd-server reaches', () => {
  const pod = podSpecIn(find(controller, 'Deployment'));
  const { env, ports, volumeMounts } = ours(pod);
  const file = '/etc/argocd-prepuller-extension/secret';
  expect(env).toEqual([{ name: variableOf(CONTROLLER_PARAMETERS.extensionSecretFile), value: file }]);
  expect(ports).toContainEqual({ name: 'extension', containerPort: port });
  expect(volumeMounts).toContainEqual({
    name: 'extension-secret',
    mountPath: '/etc/argocd-prepuller-extension',
    readOnly: true,
  });
  expect(pod.volumes).toContainEqual({
    name: 'extension-secret',
    secret: { secretName: 'argocd-prepuller-extension' },
  });
  const { ingress } = find(controller, 'NetworkPolicy', 'argocd-prepuller-extension')
    .spec as unknown as V1NetworkPolicySpec;
  expect(ingress).toEqual([
    {
      from: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'argocd-server' } } }],
      ports: [{ protocol: 'TCP', port: 'extension' }],
    },
  ]);
});

test('without it the controller has neither port nor secret', () => {
  expect(JSON.stringify(build(join(INSTALL, 'controller')))).not.toContain('extension');
});

test('the file comes from the image that is named, into the folder that argocd-server looks in, by a container that may do nothing else', () => {
  const pod = podSpecIn(find(argoCd, 'Deployment', 'argocd-server'));
  const [init] = pod.initContainers ?? [];
  expect(init).toMatchObject({
    image: 'registry.example.org/argocd-prepuller:1.2.3',
    command: ['cp', '-r', '/usr/local/lib/argocd-prepuller/dist/argocd', '/extensions/argocd-prepuller'],
    volumeMounts: [{ name: 'argocd-prepuller-extension', mountPath: '/extensions' }],
    securityContext: {
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  });
  // Beside what it had.
  expect(pod.containers[0]?.volumeMounts?.map(({ mountPath }) => mountPath).sort()).toEqual([
    '/tmp',
    '/tmp/extensions',
  ]);
  expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain('COPY --from=bundle /out/ /usr/local/');
  expect(readFileSync(join(ROOT, 'dist/argocd/extension-argocd-prepuller.js'), 'utf8')).toContain(
    'registerResourceExtension',
  );
});

test('docs/extension.md has the commands and files that there are', () => {
  const page = readFileSync(join(ROOT, 'docs/extension.md'), 'utf8');
  const files = [...page.matchAll(/--patch-file (\S+)/g)].map(([, file = '']) => file);
  expect(files).toHaveLength(3);
  for (const file of files) expect(load(readFileSync(join(ROOT, file), 'utf8'))).toBeDefined();
  const [, own = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  const objects = buildOwn({ 'kustomization.yaml': own.replaceAll(/\.\.\/install\/(\S+)/g, 'install($1)') });
  expect(find(objects, 'Service', 'argocd-prepuller-extension')).toBeDefined();
  for (const key of ['extensionSecretFile', 'extensionPort'] as const) {
    expect(page).toContain(`--${CONTROLLER_PARAMETERS[key].name}`);
    expect(page).toContain(variableOf(CONTROLLER_PARAMETERS[key]));
  }
  expect(page).toContain(`extensions, invoke, ${EXTENSION}, allow`);
});
