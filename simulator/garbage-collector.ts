/**
 * What goes because something else went: dependents of a deleted owner (pkg/controller/garbagecollector), pods of a deleted
 * node (pkg/controller/podgc), objects of a deleted namespace. A new namespace gets its default ServiceAccount.
 */
import type { Api, DeleteOptions } from './api.ts';
import { FOREGROUND, ORPHAN } from './api.ts';
import type { Clock } from './clock.ts';
import { createDependents } from './dependents.ts';
import type { Resource } from './resources.ts';
import { resourceNamed, resourceOf, RESOURCES } from './resources.ts';
import type { ApiObject, Change, Store } from './store.ts';
import { timestamp } from './store.ts';

/** A deleted node's pods are forgotten when it has been gone for 40 s, looked at every 20 s. */
const PODS_OF_GONE_NODE = 60_000;

export interface CollectorParts {
  store: Store;
  api: Api;
  clock: Clock;
}

/** Runs until the answer is called. */
export function runGarbageCollector({ store, api, clock }: CollectorParts): () => void {
  const timers = new Set<() => void>();
  const dependents = createDependents(store, changed);

  function later(milliseconds: number, task: () => void): void {
    const cancel = clock.after(milliseconds, () => {
      timers.delete(cancel);
      task();
    });
    timers.add(cancel);
  }

  function changed({ type, resource, object }: Change): void {
    if (type === 'ADDED' && object.metadata.ownerReferences !== undefined) {
      if (!owned(store, object)) later(0, () => void remove(resource, object, {}));
    }
    if (type === 'DELETED') later(0, () => void ownerGone(object));
    else if (object.metadata.deletionTimestamp !== undefined) later(0, () => void ownerGoing(resource, object));
    if (resource.kind === 'Namespace') namespaceChanged(type, object);
    if (resource.kind === 'Node' && type === 'DELETED') later(PODS_OF_GONE_NODE, () => void nodeGone(object.metadata.name));
  }

  function remove(resource: Resource, { metadata }: ApiObject, options: DeleteOptions): void {
    const current = store.get(resource, metadata.name, metadata.namespace);
    if (current?.metadata.uid !== metadata.uid) return;
    api.delete({ resource, namespace: metadata.namespace, name: metadata.name }, options);
  }

  /** Dependents all of whose owners are gone go too; a foreground deletion that waited for this one may end. */
  function ownerGone(object: ApiObject): void {
    for (const [resource, dependent] of dependents.of(object.metadata.uid)) {
      if (!owned(store, dependent)) remove(resource, dependent, { propagationPolicy: 'Background' });
    }
    for (const { apiVersion, kind, name } of object.metadata.ownerReferences ?? []) {
      const resource = resourceOf(apiVersion, kind);
      const owner = resource && store.get(resource, name, resource.namespaced ? object.metadata.namespace : undefined);
      if (resource !== undefined && owner?.metadata.deletionTimestamp !== undefined) ownerGoing(resource, owner);
    }
  }

  function ownerGoing(resource: Resource, seen: ApiObject): void {
    const { name, namespace, uid } = seen.metadata;
    const object = store.get(resource, name, namespace);
    if (object?.metadata.uid !== uid) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizers.includes(ORPHAN)) orphan(uid);
    else if (!finalizers.includes(FOREGROUND)) return;
    for (const [kind, dependent] of dependents.of(uid)) {
      if (dependent.metadata.deletionTimestamp === undefined) remove(kind, dependent, {});
    }
    const blocking = dependents.of(uid).some(([, { metadata }]) =>
      metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    );
    if (blocking) return;
    const left = finalizers.filter((one) => one !== FOREGROUND && one !== ORPHAN);
    api.update({ resource, namespace, name }, { ...object, metadata: { ...object.metadata, finalizers: left } });
  }

  function orphan(uid: string): void {
    for (const [resource, dependent] of dependents.of(uid)) {
      const ownerReferences = dependent.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [];
      store.replace(resource, { ...dependent, metadata: { ...dependent.metadata, ownerReferences } });
    }
  }

  function namespaceChanged(type: Change['type'], { metadata: { name } }: ApiObject): void {
    if (type === 'ADDED') api.create(resourceNamed('serviceaccounts'), name, { metadata: { name: 'default' } });
    if (type !== 'DELETED') return;
    later(0, () => {
      for (const resource of RESOURCES.filter(({ namespaced }) => namespaced)) {
        for (const object of store.list(resource, name)) store.remove(resource, object);
      }
    });
  }

  function nodeGone(name: string): void {
    const pods = resourceNamed('pods');
    if (store.get(resourceNamed('nodes'), name) !== undefined) return;
    for (const pod of store.list(pods).filter(({ spec }) => spec?.nodeName === name)) {
      store.replace(pods, withDisruption(pod, clock.now()));
      remove(pods, pod, { gracePeriodSeconds: 0 });
    }
  }

  return () => {
    dependents.stop();
    for (const cancel of timers) cancel();
  };
}

/** One of its owners is there, under the UID it names. */
function owned(store: Store, { metadata }: ApiObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ apiVersion, kind, name, uid }) => {
    const resource = resourceOf(apiVersion, kind);
    // Kinds that are not simulated cannot be looked up: their dependents stay.
    if (resource === undefined) return true;
    return store.get(resource, name, resource.namespaced ? metadata.namespace : undefined)?.metadata.uid === uid;
  });
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
