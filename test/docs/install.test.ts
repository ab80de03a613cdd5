/** What docs/install.md tells people to write builds, and does what the page says. The e2e suite `install` runs its commands. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, find, INSTALL, ours, podSpecIn } from '../install/kustomize.ts';
import type { Built } from '../install/kustomize.ts';
import { commandsOf, filesOnPage, writeRepository } from './install-page.ts';

const OFFICIAL = /https:\S+\/install\.yaml/;
/** As little of an Argo CD as is needed. */
const ARGO_CD = `
{ apiVersion: apps/v1, kind: Deployment, metadata: { name: argocd-repo-server }, spec: { template: { spec: {} } } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: argocd-cm } }
`;

let repository: ReturnType<typeof writeRepository>;
beforeAll(() => {
  repository = writeRepository((text) => text.replace(OFFICIAL, 'argo-cd.yaml'));
  writeFileSync(join(repository.folder, 'argocd/argo-cd.yaml'), ARGO_CD);
});
afterAll(() => {
  repository.remove();
});

function built(folder: string): Built[] {
  return build(join(repository.folder, folder));
}

const IMAGE = 'registry.example.org/campus/argocd-prepuller:0.1.0';

test('the page names these files', () => {
  expect([...filesOnPage().keys()].sort()).toEqual([
    'argocd/kustomization.yaml',
    'prepuller/kustomization.yaml',
    'tenant/kustomization.yaml',
    'two/kustomization.yaml',
    'two/staging/kustomization.yaml',
  ]);
  expect([...filesOnPage().values()].filter((text) => OFFICIAL.test(text))).toHaveLength(1);
});

test('the controller from git runs the image that is named', () => {
  expect(ours(podSpecIn(find(built('prepuller'), 'Deployment'))).image).toBe(IMAGE);
});

test('Argo CD from git has the plugin with the image that is named, and all of it in one namespace', () => {
  const objects = built('argocd');
  expect(ours(podSpecIn(find(objects, 'Deployment', 'argocd-repo-server'))).image).toBe(IMAGE);
  expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(['argocd', 'argocd']);
});

test('a tenant gets by with one namespace', () => {
  const objects = built('tenant');
  expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(objects.map(() => 'hub'));
});

test('two namespaces are named, and given rights in', () => {
  const objects = built('two');
  expect(ours(podSpecIn(find(objects, 'Deployment'))).env).toEqual([
    { name: 'PREPULLER_NAMESPACES', value: 'hub,staging' },
  ]);
  const roles = objects.filter(({ metadata }) => metadata.name === 'argocd-prepuller-pullers');
  expect(roles.map(({ kind, metadata }) => `${metadata.namespace ?? ''} ${kind}`).sort()).toEqual([
    'hub Role',
    'hub RoleBinding',
    'staging Role',
    'staging RoleBinding',
  ]);
});

test('the README has the same commands, without the waiting', () => {
  const [, readme = ''] =
    /^## Install\n.*?^```sh\n(.*?)^```$/ms.exec(readFileSync(join(INSTALL, '../README.md'), 'utf8')) ?? [];
  const commands = (text: string) => text.split('\n').filter((line) => line.startsWith('kubectl '));
  const page = commands(commandsOf('Five minutes')).filter((line) => !line.includes(' rollout status '));
  expect(commands(readme)).toEqual(page);
});

test.each(['Five minutes', 'Take it away'])('%s is a block of commands', (heading) => {
  expect(commandsOf(heading)).toContain('install/controller');
});
