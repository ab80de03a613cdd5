/**
 * What goes because something else went: dependents of a deleted owner (pkg/controller/garbagecollector), pods of a deleted
 * node (pkg/controller/podgc), objects of a deleted namespace. A new namespace gets its default ServiceAccount.
 */
import type { Api, DeleteOptions } from './api.ts';
import { FOREGROUND, ORPHAN } from './api.ts';
import type { Clock } from './clock.ts';
import type { Dependents } from './dependents.ts';
import { createDependents } from './dependents.ts';
import type { Resource } from './resources.ts';
import { resourceNamed, resourceOf, RESOURCES } from './resources.ts';
import type { ApiObject, Change, OwnerReference, Store } from './store.ts';
import { timestamp } from './store.ts';

const PODS = resourceNamed('pods');

/** A deleted node's pods are forgotten when it has been gone for 40 s, looked at every 20 s. */
const PODS_OF_GONE_NODE = 60_000;

export interface CollectorParts {
  store: Store;
  api: Api;
  clock: Clock;
}

interface Collector extends CollectorParts {
  dependents: Dependents;
}

/** Runs as long as its clock. */
export function runGarbageCollector(parts: CollectorParts): void {
  const { clock, store } = parts;
  const dependents = createDependents(store, (change) => {
    const { type, resource, object } = change;
    const { metadata } = object;
    if (resource.kind === 'Namespace') namespaceChanged(collector, change);
    if (type === 'ADDED' && metadata.ownerReferences !== undefined && !owned(store, object))
      clock.after(0, () => {
        remove(collector, resource, object);
      });
    if (type === 'DELETED')
      clock.after(0, () => {
        gone(collector, resource, object);
      });
    else if (metadata.deletionTimestamp !== undefined)
      clock.after(0, () => {
        going(collector, resource, object);
      });
  });
  const collector: Collector = { ...parts, dependents };
}

function remove(
  { store, api }: CollectorParts,
  resource: Resource,
  object: ApiObject,
  options: DeleteOptions = {},
): void {
  const { uid, namespace, name } = object.metadata;
  if (store.get(resource, name, namespace)?.metadata.uid === uid) api.delete({ resource, namespace, name }, options);
}

/** Dependents all of whose owners are gone go too; a foreground deletion that waited for this one may end. */
function gone(collector: Collector, resource: Resource, { metadata }: ApiObject): void {
  const { store, dependents, clock } = collector;
  for (const [kind, dependent] of dependents.of(metadata.uid)) {
    if (!owned(store, dependent)) remove(collector, kind, dependent, { propagationPolicy: 'Background' });
  }
  for (const reference of metadata.ownerReferences ?? []) {
    const [owners, owner] = ownerOf(store, reference, metadata.namespace);
    if (owners !== undefined && owner?.metadata.deletionTimestamp !== undefined) going(collector, owners, owner);
  }
  if (resource.kind !== 'Node') return;
  clock.after(PODS_OF_GONE_NODE, () => {
    nodeGone(collector, metadata.name);
  });
}

/** An object that is being deleted and waits for its dependents, or lets them go free. */
function going(collector: Collector, resource: Resource, seen: ApiObject): void {
  const { store, api, dependents } = collector;
  const { name, namespace, uid } = seen.metadata;
  const object = store.get(resource, name, namespace);
  const finalizers = object?.metadata.finalizers ?? [];
  const left = finalizers.filter((one) => one !== FOREGROUND && one !== ORPHAN);
  if (object?.metadata.uid !== uid || left.length === finalizers.length) return;
  if (finalizers.includes(ORPHAN)) orphan(collector, uid);
  for (const [kind, dependent] of dependents.of(uid)) {
    if (dependent.metadata.deletionTimestamp === undefined) remove(collector, kind, dependent);
  }
  if (dependents.of(uid).some(([, dependent]) => blocks(dependent, uid))) return;
  api.update({ resource, namespace, name }, { ...object, metadata: { ...object.metadata, finalizers: left } });
}

function blocks({ metadata }: ApiObject, uid: string): boolean {
  return (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
}

function orphan({ store, dependents }: Collector, uid: string): void {
  for (const [resource, dependent] of dependents.of(uid)) {
    const ownerReferences = dependent.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [];
    store.replace(resource, { ...dependent, metadata: { ...dependent.metadata, ownerReferences } });
  }
}

function namespaceChanged({ store, api, clock }: CollectorParts, { type, object }: Change): void {
  const { name } = object.metadata;
  if (type === 'ADDED') api.create(resourceNamed('serviceaccounts'), name, { metadata: { name: 'default' } });
  if (type !== 'DELETED') return;
  clock.after(0, () => {
    for (const resource of RESOURCES.filter(({ namespaced }) => namespaced)) {
      for (const inside of store.list(resource, name)) store.remove(resource, inside);
    }
  });
}

function nodeGone(collector: Collector, name: string): void {
  const { store, clock } = collector;
  if (store.get(resourceNamed('nodes'), name) !== undefined) return;
  for (const pod of store.list(PODS).filter(({ spec }) => spec?.nodeName === name)) {
    remove(collector, PODS, store.replace(PODS, withDisruption(pod, clock.now())), { gracePeriodSeconds: 0 });
  }
}

/** One of its owners is there, under the UID it names. Kinds that are not simulated cannot be looked up: their dependents stay. */
function owned(store: Store, { metadata }: ApiObject): boolean {
  return (metadata.ownerReferences ?? []).some((reference) => {
    const [resource, owner] = ownerOf(store, reference, metadata.namespace);
    return resource === undefined || owner?.metadata.uid === reference.uid;
  });
}

/** The resource of an owner, and who has its name there now. */
function ownerOf(
  store: Store,
  { apiVersion, kind, name }: OwnerReference,
  namespace: string | undefined,
): [Resource | undefined, ApiObject | undefined] {
  const resource = resourceOf(apiVersion, kind);
  if (resource === undefined) return [undefined, undefined];
  return [resource, store.get(resource, name, resource.namespaced ? namespace : undefined)];
}

function withDisruption(pod: ApiObject, now: number): ApiObject {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    lastTransitionTime: timestamp(now),
  };
  const conditions = [...((pod.status?.conditions ?? []) as object[]), condition];
  return { ...pod, status: { ...pod.status, phase: 'Failed', conditions } };
}
