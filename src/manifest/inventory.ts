/** Looks objects up in a stream by kind, name and namespace, so that a stream of thousands of hubs is not searched anew for each. */
import { nameOf, namespaceOf } from './labels.ts';
import type { KubeObject } from './manifest.ts';

/** A namespace left out is one of its own here. */
export interface Identity {
  kind: string;
  name: string | undefined;
  namespace: string | undefined;
}

interface Inventory {
  byIdentity: Map<string, KubeObject[]>;
  byKind: Map<string, KubeObject[]>;
  byNamespace: Map<string | undefined, KubeObject[]>;
}

/** Made once a list: the objects of a stream stay as they were read, changes go into an Edit. */
const inventories = new WeakMap<readonly KubeObject[], Inventory>();

/** In the order of the stream, as all answers of this file. */
export function objectsNamed(objects: readonly KubeObject[], identity: Identity): readonly KubeObject[] {
  return inventoryOf(objects).byIdentity.get(keyOf(identity)) ?? [];
}

export function objectsOfKind(objects: readonly KubeObject[], kind: string): readonly KubeObject[] {
  return inventoryOf(objects).byKind.get(kind) ?? [];
}

/** Objects that name the namespace; undefined: that name none. */
export function objectsInNamespace(
  objects: readonly KubeObject[],
  namespace: string | undefined,
): readonly KubeObject[] {
  return inventoryOf(objects).byNamespace.get(namespace) ?? [];
}

function inventoryOf(objects: readonly KubeObject[]): Inventory {
  const known = inventories.get(objects);
  if (known !== undefined) return known;
  const inventory = {
    byIdentity: Map.groupBy(objects, (object) =>
      keyOf({ kind: object.kind, name: nameOf(object), namespace: namespaceOf(object) }),
    ),
    byKind: Map.groupBy(objects, ({ kind }) => kind),
    byNamespace: Map.groupBy(objects, namespaceOf),
  };
  inventories.set(objects, inventory);
  return inventory;
}

function keyOf({ kind, name, namespace }: Identity): string {
  return JSON.stringify([kind, name, namespace]);
}
