/**
 * The API server without a transport: a request in, an answer or a watch out, as kube-apiserver speaks HTTP.
 * http.ts puts it on a socket, client transports may call it in the same process.
 */
import type { Api, DeleteOptions } from './api.ts';
import type { Clock } from './clock.ts';
import { ApiError, badRequest, notFound, statusOf } from './errors.ts';
import type { Faults, Verb } from './faults.ts';
import { meetFaults, noFaults, seeded, SYSTEM } from './faults.ts';
import type { Lister } from './listing.ts';
import { createLister, selectorOf } from './listing.ts';
import type { Route } from './routes.ts';
import { route } from './routes.ts';
import type { Fields, Store } from './store.ts';
import type { Traffic } from './traffic.ts';
import { createTraffic } from './traffic.ts';
import type { OpenWatch, Watches } from './watches.ts';
import { createWatches } from './watches.ts';

export interface ApiRequest {
  method: string;
  /** With the query. */
  path: string;
  /** Who asks: the bearer token's text. */
  user: string;
  contentType: string;
  body?: unknown;
}

export interface ApiAnswer {
  code: number;
  headers: Record<string, string>;
  /** JSON, or text for probes. */
  body?: Fields | string;
  /** Instead of a body: a stream of events. */
  watch?: OpenWatch;
  /** A transport with bytes says how many it sent. */
  sent?: (bytes: number) => void;
}

/** The server does not answer at all: whoever asked sees a broken connection. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

export interface Server {
  /** Rejects only with ConnectionLost. */
  handle(request: ApiRequest): Promise<ApiAnswer>;
  faults: Faults;
  watches: Watches;
  traffic: Traffic;
  /** Forgets every old version, as etcd's compaction does: older watches and pages end with 410. */
  compact(): void;
}

export interface ServerParts {
  store: Store;
  api: Api;
  clock: Clock;
  seed: number;
}

const VERSION = { major: '1', minor: '34', gitVersion: 'v1.34.4', platform: 'simulated' };

export function createServer({ store, api, clock, seed }: ServerParts): Server {
  const faults = noFaults();
  const chance = seeded(seed);
  const watches = createWatches(store, clock);
  const traffic = createTraffic();
  const verbs = createVerbs(api, createLister(store), watches, store);

  function answer(request: ApiRequest): ApiAnswer {
    const { pathname, searchParams } = new URL(request.path, 'http://simulated');
    const plain = probe(pathname);
    if (plain !== undefined) return plain;
    const found = route(pathname);
    if (found === undefined) return { code: 404, headers: {}, body: '404 page not found\n' };
    const verb = verbOf(request.method, found, searchParams);
    if (verb === undefined) {
      const text = 'the server does not allow this method on the requested resource';
      throw new ApiError(405, 'MethodNotAllowed', text);
    }
    const { user } = request;
    const { resource, name = '' } = found;
    traffic.request(user, verb, resource.plural);
    const outcome = attempt(() => {
      meetFaults(faults, { verb, resource, name, user }, chance);
      return verbs[verb](found, request, searchParams);
    });
    return {
      ...outcome,
      sent(bytes) {
        traffic.sent(user, verb, resource.plural, bytes);
      },
    };
  }

  async function handle(request: ApiRequest): Promise<ApiAnswer> {
    const spared = request.user.startsWith(SYSTEM);
    if (faults.away && !spared) throw new ConnectionLost('the API server is away');
    if (faults.delay > 0 && !spared) await new Promise<void>((go) => void clock.after(faults.delay, go));
    return attempt(() => answer(request));
  }

  return {
    handle,
    faults,
    watches,
    traffic,
    compact() {
      store.history.forget(store.version());
    },
  };
}

/** The answer, or what the server says instead of it. Anything but a refusal is a bug and goes on. */
function attempt(run: () => ApiAnswer): ApiAnswer {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    if (!(error instanceof URIError)) throw error;
    return refusal(badRequest(error.message));
  }
}

function refusal(error: ApiError): ApiAnswer {
  const headers: Record<string, string> = error.code === 429 ? { 'retry-after': '1' } : {};
  return { code: error.code, headers, body: statusOf(error) };
}

function probe(path: string): ApiAnswer | undefined {
  if (path === '/version') return { code: 200, headers: {}, body: VERSION };
  if (['/livez', '/readyz', '/healthz'].includes(path)) return { code: 200, headers: {}, body: 'ok' };
  return undefined;
}

function verbOf(method: string, { name }: Route, query: URLSearchParams): Verb | undefined {
  if (name === undefined) {
    const watch = ['1', 'true'].includes(query.get('watch') ?? '');
    const verbs: Record<string, Verb> = { GET: watch ? 'watch' : 'list', POST: 'create', DELETE: 'deletecollection' };
    return verbs[method];
  }
  const verbs: Record<string, Verb> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
  return verbs[method];
}

type Handler = (route: Route, request: ApiRequest, query: URLSearchParams) => ApiAnswer;

function createVerbs(api: Api, list: Lister, watches: Watches, store: Store): Record<Verb, Handler> {
  const ok = (body: Fields, code = 200): ApiAnswer => ({ code, headers: {}, body });
  const target = ({ resource, namespace, name = '', subresource }: Route): Parameters<Api['get']>[0] => {
    if (subresource === undefined) return { resource, namespace, name };
    if (subresource !== 'status' || !resource.status) throw notFound(resource, `${name}/${subresource}`);
    return { resource, namespace, name, subresource };
  };
  return {
    get: (found) => ok(api.get(target(found))),
    list: ({ resource, namespace }, _request, query) => ok(list(resource, namespace, query)),
    watch: ({ resource, namespace }, { user }, query) => ({
      code: 200,
      headers: {},
      watch: watches.open({ resource, namespace, query, user }),
    }),
    create: ({ resource, namespace }, { body }) => ok(api.create(resource, namespace, objectIn(body)), 201),
    update: (found, { body }) => ok(api.update(target(found), objectIn(body))),
    patch: (found, { body, contentType }) => ok(api.patch(target(found), contentType, body)),
    delete: (found, { body }, query) => ok(api.delete(target(found), deleteOptions(body, query))),
    deletecollection({ resource, namespace }, { body }, query) {
      const matches = selectorOf(query, resource);
      const wanted = store.list(resource, namespace).filter(matches);
      for (const { metadata } of wanted) {
        api.delete({ resource, namespace: metadata.namespace, name: metadata.name }, deleteOptions(body, query));
      }
      return ok({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
    },
  };
}

function objectIn(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('the body is no object');
  return body;
}

/** From the body, else from the query, as the server reads them. */
function deleteOptions(body: unknown, query: URLSearchParams): DeleteOptions {
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  return {
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy as 'Background' }),
    ...(typeof body === 'object' && body !== null ? body : {}),
  };
}
