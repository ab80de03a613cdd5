/** install/node-marks: what it adds to install/controller, whom it gives it to, and that nothing of it is there without being asked for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PULLED_LABEL } from '../../src/api/names.ts';
import { findDescription, readDescription } from '../openapi/schema.ts';
import { build, buildOwn, find, INSTALL, ours, podSpecIn, verbsOf } from './kustomize.ts';
import type { Built } from './kustomize.ts';

const NAME = 'argocd-prepuller-node-marks';
const own = (more = ''): Built[] =>
  buildOwn({
    'kustomization.yaml': `${more}resources: [install(controller)]\ncomponents: [install(node-marks)]\n`,
  });

const plain = build(join(INSTALL, 'controller'));
const marking = own();

function titles(objects: readonly Built[]): string[] {
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

test('off by default: nothing of it is in the base', () => {
  expect(JSON.stringify(plain)).not.toMatch(/node-marks|mark-nodes/);
});

test('as docs/node-marks.md says it, the same comes out', () => {
  const page = readFileSync(join(INSTALL, '../docs/node-marks.md'), 'utf8');
  const text = /^```yaml\n# marks\/kustomization.yaml\n([^`]*)```/m.exec(page)?.[1] ?? '';
  const written = buildOwn({ 'kustomization.yaml': text.replaceAll(/\.\.\/install\/([\w/-]+)/g, 'install($1)') });
  expect(written).toEqual(marking);
});

test('it adds a right, a limit of that right, and a flag', () => {
  const added = titles(marking).filter((title) => !titles(plain).includes(title));
  const kinds = ['ClusterRole', 'ClusterRoleBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
  expect(added.sort()).toEqual(kinds.map((kind) => `${kind} ${NAME}`));
  const args = (objects: readonly Built[]) => ours(podSpecIn(find(objects, 'Deployment'))).args ?? [];
  expect(args(marking)).toEqual([...args(plain), '--mark-nodes']);
  expect(verbsOf(find(marking, 'ClusterRole', NAME).rules)).toEqual(['patch /nodes']);
  expect(find(marking, 'ClusterRole').rules).toEqual(find(plain, 'ClusterRole').rules);
});

test.each([
  ['its own namespace', '', 'argocd-prepuller'],
  ['another', 'namespace: ops\n', 'ops'],
])('the right is that of the pods, in %s', (_what, more, namespace) => {
  const objects = own(more);
  const binding = find(objects, 'ClusterRoleBinding', NAME);
  const { serviceAccountName } = podSpecIn(find(objects, 'Deployment'));
  expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: serviceAccountName, namespace }]);
  expect(binding.roleRef).toMatchObject({ kind: 'ClusterRole', name: NAME });
});

test('the limit names the label that is written, and is in force', () => {
  const { spec } = find(marking, 'ValidatingAdmissionPolicy', NAME);
  expect(JSON.stringify(spec)).toContain(`"'${PULLED_LABEL}'"`);
  const binding = find(marking, 'ValidatingAdmissionPolicyBinding', NAME);
  expect(binding.spec).toEqual({ policyName: NAME, validationActions: ['Deny'] });
});

test('all of it carries our name as label', () => {
  for (const { metadata } of marking) expect(metadata.labels?.['app.kubernetes.io/name']).toBe('argocd-prepuller');
});

const description = findDescription();
(description === undefined ? test.skip : test)('the API knows every field (skipped without its description)', () => {
  expect(marking.flatMap(readDescription(description!))).toEqual([]);
});
