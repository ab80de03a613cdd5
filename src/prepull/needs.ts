/**
 * What a puller's pod cannot be created or cannot pull without: its PriorityClass, ServiceAccount and pull Secrets, those of the
 * ServiceAccount included. Each is an object of the render, or must be in the cluster already.
 */
import { hookOf } from '../manifest/hooks.ts';
import { objectsInNamespace, objectsNamed, objectsOfKind } from '../manifest/inventory.ts';
import { nameOf, namespaceOf, roleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asList, asText, valueAt } from '../manifest/mapping.ts';
import { podSpecOf } from '../manifest/pod-spec.ts';

export type NeedKind = 'PriorityClass' | 'ServiceAccount' | 'Secret';

export interface Need {
  kind: NeedKind;
  name: string;
  /** Undefined where the render does not hold it. */
  object: KubeObject | undefined;
  /** What an operator makes the Secret from once it is applied, where the render holds that instead. */
  maker?: KubeObject;
}

/** The name of the Secret made from an object: Bitnami's sealed secrets, External Secrets. */
const SECRET_MAKERS: Record<string, (object: KubeObject) => string | undefined> = {
  SealedSecret: nameOf,
  ExternalSecret: (object) => asText(valueAt(object, 'spec', 'target', 'name')) ?? nameOf(object),
};

export interface Surroundings {
  /** All objects of the stream. */
  objects: readonly KubeObject[];
  /** What an object without a namespace is applied to; undefined where that is not known. */
  defaultNamespace: string | undefined;
}

/** The needs of a puller, in the order in which they are to exist; each once. */
export function needsOf(puller: KubeObject, surroundings: Surroundings): Need[] {
  const spec = podSpecOf(puller)?.spec;
  const place = { like: puller, ...surroundings };
  const find = (kind: NeedKind, name: string): Need => {
    const object = findNamed(kind, name, place);
    const maker = object === undefined && kind === 'Secret' ? findMaker(name, place) : undefined;
    return { kind, name, object, ...(maker !== undefined && { maker }) };
  };
  const priorityClass = asText(spec?.priorityClassName);
  const account = accountNeedOf(puller, find);
  const secrets = [...secretNames(spec?.imagePullSecrets), ...secretNames(account?.object?.imagePullSecrets)];
  return [
    ...(priorityClass === undefined ? [] : [find('PriorityClass', priorityClass)]),
    ...[...new Set(secrets)].map((name) => find('Secret', name)),
    ...(account === undefined ? [] : [account]),
  ];
}

/** A pod that names no account runs as `default`, which exists by itself: a render that gives it pull Secrets makes it a need. */
function accountNeedOf(puller: KubeObject, find: (kind: NeedKind, name: string) => Need): Need | undefined {
  const named = accountNameOf(puller);
  if (named !== undefined) return find('ServiceAccount', named);
  if (podSpecOf(puller) === undefined) return undefined;
  const account = find('ServiceAccount', 'default');
  return secretNames(account.object?.imagePullSecrets).length > 0 ? account : undefined;
}

/** Needs nobody renders, as `Kind/name`; what each cluster has is not listed. */
export function preconditionsOf(needs: readonly Need[]): string[] {
  return needs
    .filter(({ object, name }) => object === undefined && name !== 'default' && !name.startsWith('system-'))
    .map(({ kind, name }) => `${kind}/${name}`);
}

/** Names in a list of local object references. */
export function secretNames(references: unknown): string[] {
  return asList(references).flatMap((reference) => asText(valueAt(reference, 'name')) ?? []);
}

/** `serviceAccount` is the older spelling that the API server still takes. */
export function accountNameOf(workload: KubeObject): string | undefined {
  const spec = podSpecOf(workload)?.spec;
  return asText(spec?.serviceAccountName) ?? asText(spec?.serviceAccount);
}

/** Whether the chart made the ServiceAccount as a hook and nothing but these objects uses it. */
export function isHookAccountOf(
  account: KubeObject,
  users: ReadonlySet<KubeObject>,
  objects: readonly KubeObject[],
): boolean {
  if (hookOf(account) === undefined) return false;
  return !objectsInNamespace(objects, namespaceOf(account)).some(
    (object) => !users.has(object) && (accountNameOf(object) === nameOf(account) || isBoundBy(object, nameOf(account))),
  );
}

function isBoundBy(object: KubeObject, account: string | undefined): boolean {
  return asList(object.subjects).some((subject) => valueAt(subject, 'name') === account);
}

type Place = Surroundings & { like: KubeObject };

function findNamed(kind: NeedKind, name: string, { objects, defaultNamespace, like }: Place): KubeObject | undefined {
  const namespace = namespaceOf(like) ?? defaultNamespace;
  const written = namespace === defaultNamespace ? [namespace, undefined] : [namespace];
  const named =
    kind === 'PriorityClass'
      ? objectsOfKind(objects, kind).filter((object) => nameOf(object) === name)
      : written.flatMap((inNamespace) => objectsNamed(objects, { kind, name, namespace: inNamespace }));
  return named.find((object) => roleOf(object) === undefined);
}

function findMaker(secret: string, { objects, defaultNamespace, like }: Place): KubeObject | undefined {
  const isBeside = (object: KubeObject): boolean =>
    (namespaceOf(object) ?? defaultNamespace) === (namespaceOf(like) ?? defaultNamespace);
  return Object.entries(SECRET_MAKERS)
    .flatMap(([kind, secretOf]) => objectsOfKind(objects, kind).filter((object) => secretOf(object) === secret))
    .find(isBeside);
}
