/** Who is owned by whom, across every resource, kept from changes. */
import type { Resource } from './resources.ts';
import { RESOURCES } from './resources.ts';
import type { ApiObject, Change, Store } from './store.ts';
import { keyOf } from './store.ts';

export interface Dependents {
  of(uid: string): [Resource, ApiObject][];
  stop(): void;
}

/** `changed` hears of every change, behind this index. */
export function createDependents(store: Store, changed: (change: Change) => void): Dependents {
  const owned = new Map<string, Map<string, [Resource, ApiObject]>>();

  function update(change: Change): void {
    const { resource, object, previous, type } = change;
    const key = `${resource.plural}/${keyOf(object.metadata)}`;
    for (const { uid } of previous?.metadata.ownerReferences ?? []) {
      owned.get(uid)?.delete(key);
      if (owned.get(uid)?.size === 0) owned.delete(uid);
    }
    for (const { uid } of (type !== 'DELETED' && object.metadata.ownerReferences) || []) {
      const list = owned.get(uid) ?? new Map<string, [Resource, ApiObject]>();
      owned.set(uid, list.set(key, [resource, object]));
    }
    changed(change);
  }

  const stops = RESOURCES.map((resource) => store.history.subscribe(resource, update));
  return {
    of: (uid) => [...(owned.get(uid)?.values() ?? [])],
    stop() {
      for (const stop of stops) stop();
    },
  };
}
