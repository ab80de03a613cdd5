/** Objects of one collection as the judge reads them, by namespace and name: where a list and its watch put what they bring. */
import type { Sink } from './list-watch.ts';

/** What every object of the API has. */
interface Meta {
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
}

function metaOf(object: unknown): Meta {
  const { metadata } = object as { metadata?: Partial<Meta> };
  return { namespace: '', name: '', uid: '', resourceVersion: '', ...metadata };
}

interface Held<T> {
  value: T;
  uid: string;
  version: string;
}

export interface ObjectCache<T> extends Sink {
  get(key: string): T | undefined;
  /** All of a namespace; the same array until something changes. */
  in(namespace: string): readonly T[];
  all(): T[];
  /** The answer to a write of ours: taken when it is newer than what is known of the same object. */
  absorb(object: unknown): void;
}

export interface CacheOptions<T> {
  /** Only the fields that are needed. */
  read: (object: unknown) => T;
  /** Called for what came, changed or went; after a list, for everything that did. */
  touched: (value: T) => void;
}

type Namespaces<T> = Map<string, Map<string, Held<T>>>;

export function keyOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}

export function createCache<T>({ read, touched }: CacheOptions<T>): ObjectCache<T> {
  let known: Namespaces<T> = new Map();
  let listed: Namespaces<T> = new Map();
  const arrays = new Map<string, readonly T[]>();

  /** Watches and our own writes answer in any order. */
  function isOutdated(object: unknown): boolean {
    const { namespace, name, uid, resourceVersion } = metaOf(object);
    const held = known.get(namespace)?.get(name);
    return held?.uid === uid && isNewer(held.version, resourceVersion);
  }

  function hold(into: Namespaces<T>, object: unknown): void {
    const { namespace, name, uid, resourceVersion: version } = metaOf(object);
    const before = known.get(namespace)?.get(name);
    // Equal versions are equal objects: what a relist brings again is neither read nor told again.
    const held = before?.version === version && version !== '' ? before : { value: read(object), uid, version };
    namesIn(into, namespace).set(name, held);
    if (into !== known || held === before) return;
    arrays.delete(namespace);
    touched(held.value);
  }

  return {
    get: (key) => at(known, key)?.value,
    in(namespace) {
      const array = arrays.get(namespace) ?? valuesOf(known.get(namespace));
      if (array.length > 0) arrays.set(namespace, array);
      return array;
    },
    all: () => [...known.values()].flatMap(valuesOf),
    begin: () => void (listed = new Map()),
    page(objects) {
      for (const object of objects) hold(listed, object);
    },
    end() {
      const before = known;
      known = listed;
      arrays.clear();
      listed = new Map();
      for (const value of differences(before, known)) touched(value);
    },
    put(object) {
      if (!isOutdated(object)) hold(known, object);
    },
    remove(object) {
      const { namespace, name } = metaOf(object);
      const names = known.get(namespace);
      const gone = names?.get(name);
      names?.delete(name);
      arrays.delete(namespace);
      if (names?.size === 0) known.delete(namespace);
      if (gone !== undefined) touched(gone.value);
    },
    absorb(object) {
      const { namespace, name, uid } = metaOf(object);
      if (known.get(namespace)?.get(name)?.uid === uid && !isOutdated(object)) hold(known, object);
    },
  };
}

function at<T>(namespaces: Namespaces<T>, key: string): Held<T> | undefined {
  const slash = key.indexOf('/');
  return namespaces.get(key.slice(0, slash))?.get(key.slice(slash + 1));
}

function namesIn<T>(namespaces: Namespaces<T>, namespace: string): Map<string, Held<T>> {
  const names = namespaces.get(namespace) ?? new Map<string, Held<T>>();
  namespaces.set(namespace, names);
  return names;
}

function valuesOf<T>(names: ReadonlyMap<string, Held<T>> = new Map()): T[] {
  return [...names.values()].map(({ value }) => value);
}

/** What came or changed, and what went. */
function differences<T>(before: Namespaces<T>, after: Namespaces<T>): T[] {
  const came = [...entries(after)].filter(([namespace, name, held]) => before.get(namespace)?.get(name) !== held);
  const went = [...entries(before)].filter(([namespace, name]) => after.get(namespace)?.has(name) !== true);
  return [...came, ...went].map(([, , { value }]) => value);
}

function* entries<T>(namespaces: Namespaces<T>): Generator<[string, string, Held<T>]> {
  for (const [namespace, names] of namespaces) for (const [name, held] of names) yield [namespace, name, held];
}

/** Versions are decimal numbers that only grow (KEP-5504); of any other kind none is newer. */
function isNewer(one: string, other: string): boolean {
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return false;
  return one.length === other.length ? one > other : one.length > other.length;
}
