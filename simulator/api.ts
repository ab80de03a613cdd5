/**
 * The verbs of the API server on the store: what each may change, which versions count, who decides on admission.
 * The HTTP server speaks for it to clients; the tests may call it directly.
 */
import type { Clock } from './clock.ts';
import { mergePatch, strategicMergePatch } from './patch.ts';
import type { Resource } from './resources.ts';
import type { ApiObject, Fields, Metadata, Store } from './store.ts';
import { ApiError, conflict, timestamp } from './store.ts';
import { isDeepStrictEqual } from 'node:util';

/** Refuses an object before it is stored: throws ApiError. May also fill in fields, by returning another object. */
export type Admission = (resource: Resource, object: Fields, namespace: string | undefined) => Fields;

export interface Api {
  create(resource: Resource, namespace: string | undefined, object: Fields): ApiObject;
  get(resource: Resource, namespace: string | undefined, name: string): ApiObject;
  update(target: Target, object: Fields): ApiObject;
  patch(target: Target, contentType: string, patch: unknown): ApiObject;
  delete(resource: Resource, namespace: string | undefined, name: string, options: DeleteOptions): ApiObject;
}

export interface Target {
  resource: Resource;
  namespace: string | undefined;
  name: string;
  subresource: '' | 'status';
}

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
}

const FOREGROUND = 'foregroundDeletion';

export function createApi(store: Store, clock: Clock, admit: Admission): Api {
  function get(resource: Resource, namespace: string | undefined, name: string): ApiObject {
    const found = store.get(resource, name, namespace);
    if (found === undefined) throw new ApiError(404, 'NotFound', `${resource.plural} "${name}" not found`);
    return found;
  }

  function write({ resource, subresource }: Target, before: ApiObject, wanted: Fields): ApiObject {
    const next = subresource === 'status' ? statusOf(before, wanted) : specOf(before, wanted);
    const stored = store.replace(resource, next);
    const gone = stored.metadata.deletionTimestamp !== undefined && (stored.metadata.finalizers ?? []).length === 0;
    if (gone && resource.kind !== 'Pod') store.remove(resource, stored.metadata.name, stored.metadata.namespace);
    return stored;
  }

  return {
    get,
    create(resource, namespace, object) {
      const placed = {
        ...object,
        metadata: { ...(object.metadata as Fields), ...(namespace === undefined ? {} : { namespace }) },
      };
      return store.create(resource, admit(resource, placed, namespace));
    },
    update(target, object) {
      return write(target, get(target.resource, target.namespace, target.name), object);
    },
    patch(target, contentType, patch) {
      const before = get(target.resource, target.namespace, target.name);
      const after = patcher(contentType)(before, patch) as ApiObject;
      if (after.metadata.uid !== before.metadata.uid) throw uidConflict(target, before, after);
      return write(target, before, after);
    },
    delete(resource, namespace, name, options) {
      const object = get(resource, namespace, name);
      const { uid, resourceVersion } = options.preconditions ?? {};
      if (uid !== undefined && uid !== object.metadata.uid) throw conflict(resource, name);
      if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
        throw conflict(resource, name);
      const metadata = markDeleted(resource, object, options, clock.now());
      if (metadata === undefined) {
        store.remove(resource, name, namespace);
        return object;
      }
      return object.metadata.deletionTimestamp !== undefined && isDeepStrictEqual(metadata, object.metadata)
        ? object
        : store.replace(resource, { ...object, metadata });
    },
  };
}

function uidConflict(target: Target, before: ApiObject, after: ApiObject): ApiError {
  const text = `Precondition failed: UID in precondition: ${after.metadata.uid}, UID in object meta: ${before.metadata.uid}`;
  return new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${target.resource.plural} "${target.name}": ${text}`,
  );
}

function patcher(contentType: string): (target: unknown, patch: unknown) => unknown {
  if (contentType === 'application/merge-patch+json') return mergePatch;
  if (contentType === 'application/strategic-merge-patch+json') return strategicMergePatch;
  throw new ApiError(415, 'UnsupportedMediaType', `the body of the request was in an unknown format: ${contentType}`);
}

/** A write to the status subresource keeps the spec; labels and annotations of it are taken, as apps/v1's strategy does. */
function statusOf(before: ApiObject, wanted: Fields): ApiObject {
  const metadata = kept(before.metadata, wanted.metadata as Partial<Metadata>);
  return { ...before, metadata, ...(wanted.status === undefined ? {} : { status: wanted.status as Fields }) };
}

/** A write to the object keeps the status; a changed spec raises the generation. */
function specOf(before: ApiObject, wanted: Fields): ApiObject {
  const metadata = kept(before.metadata, wanted.metadata as Partial<Metadata>);
  const changed = !isDeepStrictEqual(wanted.spec, before.spec);
  const generation = (metadata.generation ?? 1) + (changed && before.kind !== 'Pod' ? 1 : 0);
  const { apiVersion, kind, status } = before;
  const next: Fields = { ...wanted, apiVersion, kind, metadata: { ...metadata, generation }, status };
  if (status === undefined) delete next.status;
  return next as ApiObject;
}

/** What a client may not change stays: identity, times, generation. Its resourceVersion stands, it is the lock. */
function kept(before: Metadata, wanted: Partial<Metadata>): Metadata {
  const { name, uid, generation, creationTimestamp, deletionTimestamp, namespace } = before;
  const fixed = { name, uid, generation, creationTimestamp, deletionTimestamp, namespace };
  const given = Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined));
  return { ...wanted, ...given, resourceVersion: wanted.resourceVersion ?? '' } as Metadata;
}

/** The metadata of an object that lives on for a while after its deletion; undefined when it goes at once. */
function markDeleted(resource: Resource, object: ApiObject, options: DeleteOptions, now: number): Metadata | undefined {
  const { metadata } = object;
  const finalizers = finalizersAfter(metadata, options);
  const grace = resource.kind === 'Pod' ? gracePeriod(object, options) : 0;
  if (finalizers.length === 0 && grace === 0) return undefined;
  const first = metadata.deletionTimestamp === undefined;
  return {
    ...metadata,
    ...(finalizers.length === 0 ? {} : { finalizers }),
    deletionTimestamp: metadata.deletionTimestamp ?? timestamp(now + grace * 1000),
    ...(resource.kind === 'Pod' ? { deletionGracePeriodSeconds: grace } : {}),
    // Deleting an object that has a spec raises its generation (registry/rest/delete.go).
    generation: (metadata.generation ?? 1) + (first ? 1 : 0),
  };
}

function finalizersAfter(metadata: Metadata, options: DeleteOptions): string[] {
  const added = options.propagationPolicy === 'Foreground' ? [FOREGROUND] : [];
  return [...new Set([...(metadata.finalizers ?? []), ...added])];
}

/** A pod that no node holds goes at once. */
function gracePeriod(pod: ApiObject, options: DeleteOptions): number {
  if (pod.spec?.nodeName === undefined) return 0;
  return options.gracePeriodSeconds ?? (pod.spec.terminationGracePeriodSeconds as number | undefined) ?? 30;
}
