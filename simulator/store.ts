/**
 * The objects of the simulated cluster with etcd's rules: one counter of versions, optimistic locking, a bounded history
 * that watches read from. Objects are never changed in place: each write makes a new one, so readers may keep what they got.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from './clock.ts';
import { alreadyExists, conflict, notFound } from './errors.ts';
import type { History } from './history.ts';
import { createHistory } from './history.ts';
import type { Resource } from './resources.ts';
import { apiVersionOf } from './resources.ts';

export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec?: Fields;
  status?: Fields;
  [field: string]: unknown;
}

/** A part of an object whose shape its reader knows. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of many kinds; each reader looks at the fields it knows
export type Fields = Record<string, any>;

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface Metadata {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  resource: Resource;
  version: number;
  object: ApiObject;
  /** What it was before; a selector that no longer matches turns MODIFIED into DELETED. */
  previous: ApiObject | undefined;
}

export interface Store {
  version(): number;
  get(resource: Resource, name: string, namespace?: string): ApiObject | undefined;
  /** In no promised order. */
  list(resource: Resource, namespace?: string): ApiObject[];
  /** Fills in what the server owns (uid, timestamps, generation). 409 when the name is taken. */
  create(resource: Resource, object: Fields): ApiObject;
  /** Replaces an object; nothing happens when it is equal. 404 when it is gone, 409 when `resourceVersion` is another. */
  replace(resource: Resource, object: ApiObject): ApiObject;
  /** Takes it away at once; `last` is the state it went with. */
  remove(resource: Resource, last: ApiObject): void;
  /** What watches read from; forget it up to `version()` and older watches end with 410. */
  readonly history: History;
}

export function createStore(clock: Clock): Store {
  const objects = new Map<Resource, Map<string, ApiObject>>();
  const history = createHistory();
  let counter = 0;
  let uids = 0;

  function of(resource: Resource): Map<string, ApiObject> {
    const known = objects.get(resource) ?? new Map<string, ApiObject>();
    objects.set(resource, known);
    return known;
  }

  /** Stores under the next version; `previous` is what it replaces. */
  function put(resource: Resource, object: ApiObject, previous?: ApiObject): ApiObject {
    counter += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(counter) } };
    of(resource).set(keyOf(object.metadata), stored);
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    history.record({ type, resource, version: counter, object: stored, previous });
    return stored;
  }

  function existing(resource: Resource, metadata: Metadata): ApiObject {
    const found = of(resource).get(keyOf(metadata));
    if (found === undefined) throw notFound(resource, metadata.name);
    return found;
  }

  return {
    history,
    version: () => counter,
    get: (resource, name, namespace) => of(resource).get(keyOf({ name, namespace })),
    list(resource, namespace) {
      const all = [...of(resource).values()];
      return namespace === undefined ? all : all.filter((object) => object.metadata.namespace === namespace);
    },
    create(resource, object) {
      uids += 1;
      const full = filledIn(resource, object, uids, clock.now());
      if (of(resource).has(keyOf(full.metadata))) throw alreadyExists(resource, full.metadata.name);
      return put(resource, full);
    },
    replace(resource, object) {
      const previous = existing(resource, object.metadata);
      const { resourceVersion } = previous.metadata;
      if (!['', resourceVersion].includes(object.metadata.resourceVersion))
        throw conflict(resource, object.metadata.name);
      const next = { ...object, metadata: { ...object.metadata, resourceVersion } };
      return isDeepStrictEqual(next, previous) ? previous : put(resource, next, previous);
    },
    remove(resource, last) {
      const previous = existing(resource, last.metadata);
      of(resource).delete(keyOf(previous.metadata));
      counter += 1;
      const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(counter) } };
      history.record({ type: 'DELETED', resource, version: counter, object, previous });
    },
  };
}

/** A new object with what the server owns: identity, version, generation, time. */
function filledIn(resource: Resource, object: Fields, serial: number, now: number): ApiObject {
  const metadata = object.metadata as Metadata;
  return {
    ...object,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...metadata,
      uid: `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
      resourceVersion: '',
      ...(resource.generation ? { generation: 1 } : {}),
      creationTimestamp: timestamp(now),
    },
  };
}

export function keyOf(metadata: { name: string; namespace?: string | undefined }): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** RFC 3339 in whole seconds, as metav1.Time is written. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** RFC 3339 in microseconds, as metav1.MicroTime is written (Leases, new-style events). */
export function microTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/Z$/, '000Z');
}
