/** A small client for the API, over any transport: what the fleet of kubelets and tests use, so that both can face a real API server too. */
import { ApiError } from './errors.ts';
import { resourceNamed, resourceOf } from './resources.ts';
import { pathOf } from './routes.ts';
import type { ApiObject, Fields } from './store.ts';
import type { Transport } from './transports.ts';
import type { WatchEvent } from './watches.ts';

export interface ListQuery {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  continue?: string;
}

export interface WatchQuery {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  resourceVersion?: string;
  allowWatchBookmarks?: boolean;
  timeoutSeconds?: number;
}

export interface ObjectList {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  items: ApiObject[];
}

/** An object by its resource's plural. */
export interface Ref {
  resource: string;
  namespace?: string;
  name: string;
}

export interface PatchOptions {
  subresource?: 'status';
  /** What follows `application/`; absent: a strategic merge patch. */
  type?: 'strategic-merge-patch+json' | 'merge-patch+json' | 'json-patch+json';
}

export interface Deletion {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
}

/** Every promise rejects with ApiError for an answer that is not 2xx, with another error when the connection breaks. */
export interface ApiClient {
  get(ref: Ref): Promise<ApiObject>;
  list(resource: string, query?: ListQuery): Promise<ObjectList>;
  /** `end` comes once: with the error when the server refused, without when the stream is over. The answer stops the watch. */
  watch(resource: string, query: WatchQuery, handlers: WatchHandlers): () => void;
  create(object: Fields): Promise<ApiObject>;
  /** PUT of the object, its status when asked. */
  update(object: ApiObject, subresource?: 'status'): Promise<ApiObject>;
  patch(ref: Ref, patch: unknown, options?: PatchOptions): Promise<ApiObject>;
  delete(ref: Ref, options?: Deletion): Promise<void>;
  /** Answer of any path, for probes. */
  raw(path: string): Promise<{ code: number; body: unknown }>;
}

export interface WatchHandlers {
  events: (events: WatchEvent[]) => void;
  end: (error?: Error) => void;
}

export function createApiClient(transport: Transport): ApiClient {
  async function ask(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Fields> {
    const answer = await transport.request({ method, path, contentType, ...(body === undefined ? {} : { body }) });
    if (answer.code >= 300) throw errorOf(answer.code, answer.body);
    return answer.body as Fields;
  }

  return {
    get: async (ref) => (await ask('GET', pathOfRef(ref))) as ApiObject,
    list: async (resource, query = {}) =>
      (await ask('GET', `${collection(resource, query.namespace)}?${queryOf(query)}`)) as ObjectList,
    watch(resource, query, { events, end }) {
      const path = `${collection(resource, query.namespace)}?watch=true&${queryOf(query)}`;
      return transport.watch({ method: 'GET', path, contentType: 'application/json' }, events, (problem) => {
        end(problem instanceof Error || problem === undefined ? problem : errorOf(problem.code, problem.body));
      });
    },
    create: async (object) => (await ask('POST', collectionOf(object), object)) as ApiObject,
    update: async (object, subresource) =>
      (await ask(
        'PUT',
        `${collectionOf(object)}/${object.metadata.name}${subresource === undefined ? '' : '/status'}`,
        object,
      )) as ApiObject,
    async patch(ref, patch, { subresource, type = 'strategic-merge-patch+json' } = {}) {
      const path = pathOfRef(ref) + (subresource === undefined ? '' : `/${subresource}`);
      return (await ask('PATCH', path, patch, `application/${type}`)) as ApiObject;
    },
    async delete(ref, options = {}) {
      await ask('DELETE', pathOfRef(ref), { kind: 'DeleteOptions', apiVersion: 'v1', ...options });
    },
    raw: (path) => transport.request({ method: 'GET', path, contentType: 'application/json' }),
  };
}

function errorOf(code: number, body: unknown): ApiError {
  const { reason = 'Unknown', message = `answer ${String(code)}`, details = {} } = (body ?? {}) as Fields;
  return new ApiError(code, reason as string, message as string, details as Fields);
}

function pathOfRef({ resource, namespace, name }: Ref): string {
  return pathOf({ resource: resourceNamed(resource), name, ...(namespace === undefined ? {} : { namespace }) });
}

function collection(resource: string, namespace: string | undefined): string {
  return pathOf({ resource: resourceNamed(resource), ...(namespace === undefined ? {} : { namespace }) });
}

function collectionOf(object: Fields): string {
  const { apiVersion, kind, metadata } = object as ApiObject;
  const resource = resourceOf(apiVersion, kind);
  if (resource === undefined) throw new Error(`no resource holds ${kind} of ${apiVersion}`);
  return collection(resource.plural, metadata.namespace);
}

function queryOf(query: ListQuery | WatchQuery): string {
  const entries = Object.entries(query).filter(([key, value]) => key !== 'namespace' && value !== undefined);
  return new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)])).toString();
}
