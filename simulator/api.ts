/**
 * The verbs of the API server on the store: what each may change, which versions count, who decides on admission.
 * The HTTP server speaks for it to clients; controllers and tests may call it directly.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from './clock.ts';
import { ApiError, badRequest, conflict, invalid, notFound } from './errors.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch, strategicMergePatch } from './patch.ts';
import type { Resource } from './resources.ts';
import { qualified, resourceNamed } from './resources.ts';
import type { ApiObject, Fields, Metadata, Store } from './store.ts';
import { timestamp } from './store.ts';
import { prepareCreate, prepareStatus, prepareUpdate } from './strategy.ts';

/** Who is asked before a new object is stored; both throw ApiError to refuse it. */
export interface Admission {
  /** Fills in fields, before the object has its generated name. */
  mutate(resource: Resource, object: Fields): Fields;
  /** Says no to the finished object. */
  validate(resource: Resource, object: Fields): void;
}

export interface Api {
  create(resource: Resource, namespace: string | undefined, object: Fields): ApiObject;
  get(target: Target): ApiObject;
  update(target: Target, object: Fields): ApiObject;
  patch(target: Target, contentType: string, patch: unknown): ApiObject;
  /** The object as it is now or was last; whether it is gone is for `get` to say. */
  delete(target: Target, options: DeleteOptions): ApiObject;
}

export interface Target {
  resource: Resource;
  namespace?: string | undefined;
  name: string;
  subresource?: 'status';
}

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
}

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

export function createApi(store: Store, clock: Clock, admission: Admission): Api {
  const named = createNamer();

  function get({ resource, namespace, name }: Target): ApiObject {
    const found = store.get(resource, name, namespace);
    if (found === undefined) throw notFound(resource, name);
    return found;
  }

  return {
    get,
    create(resource, namespace, object) {
      const metadata = { ...(object.metadata as Fields | undefined) };
      if (namespace !== undefined) metadata.namespace = namespace;
      namespaceExists(store, namespace);
      const full = named(prepareCreate(resource, admission.mutate(resource, { ...object, metadata })));
      admission.validate(resource, full);
      return store.create(resource, full);
    },
    update(target, object) {
      const before = get(target);
      const { name, uid = '' } = (object.metadata ?? {}) as Partial<Metadata>;
      if (name !== target.name) throw badRequest(otherName(name, target.name));
      if (uid !== '' && uid !== before.metadata.uid)
        throw conflict(target.resource, target.name, otherUid(uid, before));
      return write(store, target, before, object);
    },
    patch(target, contentType, patch) {
      const before = get(target);
      const after = patcher(contentType)(before, patch) as ApiObject;
      const { name, uid } = after.metadata;
      if (name !== target.name) throw badRequest(otherName(name, target.name));
      // Not a conflict: the patched object fails validation, its UID being immutable (seen on 1.34).
      if (uid !== before.metadata.uid) throw immutableUid(target, uid);
      return write(store, target, before, after);
    },
    delete(target, options) {
      const object = get(target);
      const { resource } = target;
      checkPreconditions(resource, object, options.preconditions ?? {});
      const metadata = markDeleted(resource, object, options, clock.now());
      if (metadata !== undefined) {
        return isDeepStrictEqual(metadata, object.metadata) ? object : store.replace(resource, { ...object, metadata });
      }
      store.remove(resource, object);
      return object;
    },
  };
}

/** Puts five letters behind a generateName, never the same twice. */
function createNamer(): (object: Fields) => Fields {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  let names = 0;
  return (object) => {
    const metadata = object.metadata as Partial<Metadata> & { generateName?: string };
    if (metadata.name !== undefined) return object;
    names += 1;
    let suffix = '';
    for (let rest = names; suffix.length < 5; rest = Math.floor(rest / letters.length)) {
      suffix = (letters[rest % letters.length] ?? '') + suffix;
    }
    return { ...object, metadata: { ...metadata, name: `${metadata.generateName ?? ''}${suffix}` } };
  };
}

/** Stores what a write makes of an object; one that only waited for its last finalizer goes with it. */
function write(store: Store, { resource, subresource }: Target, before: ApiObject, wanted: Fields): ApiObject {
  const next = subresource === 'status' ? prepareStatus(before, wanted) : prepareUpdate(resource, before, wanted);
  const held = (before.metadata.finalizers ?? []).length > 0;
  if (!held || !mayGo(next.metadata)) return store.replace(resource, next);
  const { name, resourceVersion } = next.metadata;
  if (!['', before.metadata.resourceVersion].includes(resourceVersion)) throw conflict(resource, name);
  store.remove(resource, next);
  return next;
}

function mayGo({ deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] }: Metadata): boolean {
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

function namespaceExists(store: Store, namespace: string | undefined): void {
  const namespaces = resourceNamed('namespaces');
  if (namespace === undefined || store.get(namespaces, namespace) !== undefined) return;
  throw notFound(namespaces, namespace);
}

function otherName(name: string | undefined, wanted: string): string {
  return `the name of the object (${name ?? ''}) does not match the name on the URL (${wanted})`;
}

function otherUid(uid: string, before: ApiObject): string {
  return `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
}

function immutableUid({ resource, name }: Target, uid: unknown): ApiError {
  return invalid(resource, name, 'metadata.uid', `Invalid value: ${JSON.stringify(uid)}: field is immutable`);
}

function checkPreconditions(
  resource: Resource,
  { metadata }: ApiObject,
  { uid, resourceVersion }: { uid?: string; resourceVersion?: string },
): void {
  const differs = (what: string, given: string, found: string): ApiError => {
    const text = `the ${what} in the precondition (${given}) does not match the ${what} in record (${found})`;
    const kind = qualified(resource.kind, resource);
    const why = `${text}. The object might have been ${what === 'UID' ? 'deleted and then recreated' : 'modified'}`;
    return new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${kind} "${metadata.name}": ${why}`);
  };
  if (uid !== undefined && uid !== metadata.uid) throw differs('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw differs('ResourceVersion', resourceVersion, metadata.resourceVersion);
}

function patcher(contentType: string): (target: unknown, patch: unknown) => unknown {
  if (contentType === 'application/merge-patch+json') return mergePatch;
  if (contentType === 'application/strategic-merge-patch+json') return strategicMergePatch;
  if (contentType === 'application/json-patch+json') return jsonPatch;
  throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type');
}

/** The metadata of an object that lives on for a while after its deletion; undefined when it goes at once (registry/rest/delete.go). */
function markDeleted(resource: Resource, object: ApiObject, options: DeleteOptions, now: number): Metadata | undefined {
  const { metadata } = object;
  const finalizers = finalizersAfter(metadata, options);
  const grace = resource.kind === 'Pod' ? gracePeriod(object, options) : 0;
  if (finalizers.length === 0 && grace === 0) return undefined;
  const marked = { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) };
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) {
    marked.deletionTimestamp = timestamp(now + grace * 1000);
    marked.deletionGracePeriodSeconds = grace;
    if (marked.generation !== undefined) marked.generation += 1;
  } else if (grace < deletionGracePeriodSeconds) {
    // A second deletion may only come sooner.
    marked.deletionTimestamp = timestamp(Date.parse(deletionTimestamp) + (grace - deletionGracePeriodSeconds) * 1000);
    marked.deletionGracePeriodSeconds = grace;
  }
  return marked;
}

function finalizersAfter(metadata: Metadata, { propagationPolicy }: DeleteOptions): string[] {
  const others = (metadata.finalizers ?? []).filter((one) => one !== FOREGROUND && one !== ORPHAN);
  if (propagationPolicy === 'Foreground') return [...others, FOREGROUND];
  if (propagationPolicy === 'Orphan') return [...others, ORPHAN];
  return propagationPolicy === undefined ? (metadata.finalizers ?? []) : others;
}

/** A pod that no node holds, or that is finished, goes at once. */
function gracePeriod(pod: ApiObject, options: DeleteOptions): number {
  const finished = ['Succeeded', 'Failed'].includes(pod.status?.phase as string);
  if (pod.spec?.nodeName === undefined || finished) return 0;
  return options.gracePeriodSeconds ?? (pod.spec.terminationGracePeriodSeconds as number | undefined) ?? 30;
}
