/** Who is owned by whom, across every resource, kept from changes. */
import type { Resource } from './resources.ts';
import { RESOURCES } from './resources.ts';
import type { ApiObject, Change, OwnerReference, Store } from './store.ts';
import { keyOf } from './store.ts';

export interface Dependents {
  of(uid: string): [Resource, ApiObject][];
}

/** `changed` hears of every change, behind this index. */
export function createDependents(store: Store, changed: (change: Change) => void): Dependents {
  const owned = new Map<string, Map<string, [Resource, ApiObject]>>();

  function forget(key: string, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      owned.get(uid)?.delete(key);
      if (owned.get(uid)?.size === 0) owned.delete(uid);
    }
  }

  function add(key: string, resource: Resource, object: ApiObject): void {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const list = owned.get(uid) ?? new Map<string, [Resource, ApiObject]>();
      owned.set(uid, list.set(key, [resource, object]));
    }
  }

  for (const resource of RESOURCES) {
    store.history.subscribe(resource, (change) => {
      const { object, previous, type } = change;
      const key = `${resource.plural}/${keyOf(object.metadata)}`;
      forget(key, previous?.metadata.ownerReferences ?? []);
      if (type !== 'DELETED') add(key, resource, object);
      changed(change);
    });
  }
  return { of: (uid) => [...(owned.get(uid)?.values() ?? [])] };
}
