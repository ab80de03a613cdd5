/**
 * Finds zero-to-jupyterhub's hook-image-awaiter: the Job that waits for the hook puller, and the account and rights it alone uses.
 */
import { isPreSync } from './hooks.ts';
import { objectsInNamespace, objectsNamed, objectsOfKind } from './inventory.ts';
import { componentOf, nameOf, namespaceOf, roleOf } from './labels.ts';
import type { KubeObject } from './manifest.ts';
import { asList, asText, valueAt } from './mapping.ts';
import { containersOf, podSpecOf } from './pod-spec.ts';

const AWAITER_COMPONENTS = /image-(?:awaiter|puller)$/;
const AWAITER_PROGRAM = /(?:^|\/)image-awaiter$/;

/** A hook Job of the puller component, or any Job that runs the awaiter. */
export function isAwaiterJob(object: KubeObject): boolean {
  if (object.kind !== 'Job' || roleOf(object) !== undefined) return false;
  return (isPreSync(object) && AWAITER_COMPONENTS.test(componentOf(object) ?? '')) || runsAwaiter(object);
}

/** The name of the DaemonSet the awaiter waits for, from its `-daemonset=` argument. */
export function awaitedDaemonSet(job: KubeObject): string | undefined {
  return wordsOf(job)
    .map((word) => /^--?daemonset=(.+)$/.exec(word)?.[1])
    .find((name) => name !== undefined);
}

/** The Job and, as far as nothing else uses them, its ServiceAccount, bindings and roles. */
export function awaiterObjects(job: KubeObject, objects: readonly KubeObject[]): KubeObject[] {
  const account = asText(podSpecOf(job)?.spec.serviceAccountName);
  if (account === undefined || account === 'default' || isUsedByOthers(account, job, objects)) return [job];
  const namespace = namespaceOf(job);
  const accounts = objectsNamed(objects, { kind: 'ServiceAccount', name: account, namespace });
  const allBindings = ['RoleBinding', 'ClusterRoleBinding'].flatMap((kind) => objectsOfKind(objects, kind));
  const bindings = allBindings.filter((binding) => bindsOnly(binding, account, namespace));
  const roles = ['Role', 'ClusterRole']
    .flatMap((kind) => objectsOfKind(objects, kind))
    .filter((role) => bindings.some((binding) => refersTo(binding, role)) && isUsedOnlyBy(role, bindings, allBindings));
  return [job, ...accounts, ...roles, ...bindings];
}

function runsAwaiter(job: KubeObject): boolean {
  return AWAITER_PROGRAM.test(wordsOf(job)[0] ?? '');
}

function wordsOf(job: KubeObject): string[] {
  const pod = podSpecOf(job);
  if (pod === undefined) return [];
  const words = containersOf(pod).flatMap(({ container }) => [...asList(container.command), ...asList(container.args)]);
  return words.filter((word) => typeof word === 'string');
}

function isUsedByOthers(account: string, job: KubeObject, objects: readonly KubeObject[]): boolean {
  return objectsInNamespace(objects, namespaceOf(job)).some(
    (object) => object !== job && podSpecOf(object)?.spec.serviceAccountName === account,
  );
}

/** Subjects carry the release's namespace even where the objects themselves leave it out. */
function bindsOnly(binding: KubeObject, account: string, namespace: string | undefined): boolean {
  if (binding.kind === 'RoleBinding' && namespaceOf(binding) !== namespace) return false;
  const subjects = asList(binding.subjects);
  return (
    subjects.length > 0 &&
    subjects.every((subject) => {
      const subjectNamespace = asText(valueAt(subject, 'namespace')) ?? namespace;
      const here = namespace === undefined || subjectNamespace === namespace;
      return valueAt(subject, 'kind') === 'ServiceAccount' && valueAt(subject, 'name') === account && here;
    })
  );
}

function isUsedOnlyBy(role: KubeObject, bindings: readonly KubeObject[], allBindings: readonly KubeObject[]): boolean {
  return allBindings.every((binding) => bindings.includes(binding) || !refersTo(binding, role));
}

function refersTo(binding: KubeObject, role: KubeObject): boolean {
  const sameName =
    valueAt(binding, 'roleRef', 'kind') === role.kind && valueAt(binding, 'roleRef', 'name') === nameOf(role);
  return sameName && (role.kind === 'ClusterRole' || namespaceOf(binding) === namespaceOf(role));
}
