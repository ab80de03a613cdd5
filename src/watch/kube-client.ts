/**
 * The cluster over HTTP: credentials, certificates and transport are those of the official client, the only place that loads it.
 * Its typed API is not used: it copies every object, and our lists are long. RBAC: see the verbs in install/.
 */
import { HttpMethod, IsomorphicFetchHttpLibrary, KubeConfig, RequestContext } from '@kubernetes/client-node';
import type { ResponseContext } from '@kubernetes/client-node';
import { getProxyForUrl } from 'proxy-from-env';
import { UsageError } from '../errors.ts';
import { codeOf, KubeError } from './kube-api.ts';
import type { KubeClient, Page, Query, WatchHandler } from './kube-api.ts';
import { readLines } from './lines.ts';

export interface ConnectOptions {
  /** A kubeconfig file; else KUBECONFIG, the home folder's, or the pod's service account, in this order. */
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** Milliseconds one request may take; a page of a list six times as long. */
  timeout?: number;
  /** Milliseconds a watch may be silent; servers send a bookmark about once a minute. */
  silence?: number;
}

/** Short, so that no late write of a former leader meets one of the next (see lease.ts). */
const REQUEST_TIMEOUT = 5_000;
const SILENCE = 100_000;

export interface Connected {
  client: KubeClient;
  /** Of the kubeconfig's context, or of the pod we run in. */
  namespace: string;
}

/** Reads who and where; asks nothing yet. UsageError when no cluster is configured. */
export function connect(options: ConnectOptions = {}): Connected {
  const config = load(options);
  const cluster = config.getCurrentCluster();
  if (cluster === null || isMadeUp(config, cluster))
    throw new UsageError('no cluster is configured: set KUBECONFIG, or --kubeconfig and --context');
  config.clusters = config.clusters.map((one) => withProxy(one));
  const { timeout = REQUEST_TIMEOUT, silence = SILENCE } = options;
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
  return { client: clientOf({ config, server: cluster.server, timeout, silence }), namespace };
}

/** Where it finds neither a kubeconfig nor a service account, the official client makes up a cluster that cannot work. */
function isMadeUp(config: KubeConfig, { server }: Cluster): boolean {
  return config.getCurrentContext() === 'loaded-context' && server === 'http://localhost:8080';
}

/** A broken file is a mistake of the call; its parser's text may quote a token. */
function load({ kubeconfig, context }: ConnectOptions): KubeConfig {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`the kubeconfig cannot be read (${code ?? 'it is no kubeconfig'})`);
  }
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

type Cluster = KubeConfig['clusters'][number];

/** A kubeconfig's own proxy-url goes before HTTPS_PROXY and NO_PROXY, as for kubectl. */
function withProxy(cluster: Cluster): Cluster {
  const proxyUrl = cluster.proxyUrl ?? getProxyForUrl(cluster.server);
  return proxyUrl === '' ? cluster : { ...cluster, proxyUrl };
}

interface Connection {
  config: KubeConfig;
  server: string;
  timeout: number;
  silence: number;
}

interface Request {
  method: HttpMethod;
  path: string;
  query?: Query;
  body?: unknown;
  contentType?: string;
  signal: AbortSignal;
}

function clientOf(connection: Connection): KubeClient {
  const send = sender(connection);
  const json = async (request: Omit<Request, 'signal'>, signal: AbortSignal): Promise<unknown> => {
    const timeout = connection.timeout * (request.query?.limit === undefined ? 1 : 6);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const response = await send({ ...request, signal: limited });
    return parse(await failing(request, () => response.body.text()), request);
  };
  return {
    list: async (path, query, signal) => pageOf(await json({ method: HttpMethod.GET, path, query }, signal)),
    watch: (path, query, handler, signal) => watch({ path, query, handler, signal, silence: connection.silence }, send),
    get: (path, signal) => json({ method: HttpMethod.GET, path }, signal),
    create: (path, body, signal) => json({ method: HttpMethod.POST, path, body }, signal),
    update: (path, body, signal) => json({ method: HttpMethod.PUT, path, body }, signal),
    patch: (path, body, signal) =>
      json({ method: HttpMethod.PATCH, path, body, contentType: 'application/strategic-merge-patch+json' }, signal),
    remove: async (path, body, signal) => {
      await json({ method: HttpMethod.DELETE, path, body }, signal);
    },
  };
}

type Send = (request: Request) => Promise<ResponseContext>;

/** Connections are kept as long as requests succeed; after a failure they are made anew, with certificates read again. */
function sender({ config, server }: Connection): Send {
  const http = new IsomorphicFetchHttpLibrary();
  let dispatcher: ReturnType<RequestContext['getDispatcher']>;
  return async (request) => {
    const context = contextOf(server, request);
    await failing(request, () => config.applySecurityAuthentication(context));
    dispatcher ??= context.getDispatcher();
    if (dispatcher !== undefined) context.setDispatcher(dispatcher);
    context.setSignal(request.signal);
    try {
      const response = await failing(request, () => http.send(context).toPromise());
      if (response.httpStatusCode < 200 || response.httpStatusCode > 299) throw await refusal(request, response);
      return response;
    } catch (error) {
      if ([undefined, 401].includes(codeOf(error))) dispatcher = undefined;
      throw error;
    }
  };
}

function contextOf(server: string, request: Request): RequestContext {
  const context = new RequestContext(urlOf(server, request), request.method);
  context.setHeaderParam('Accept', 'application/json');
  if (request.body === undefined) return context;
  context.setHeaderParam('Content-Type', request.contentType ?? 'application/json');
  context.setBody(JSON.stringify(request.body));
  return context;
}

function urlOf(server: string, { path, query = {} }: Request): string {
  const url = new URL(server.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.toString();
}

/** Whatever the transport throws becomes a KubeError without a code. Its text may hold addresses, never what was sent. */
async function failing<T>({ method, path }: Omit<Request, 'signal'>, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw new KubeError(`${method} ${path} failed: ${reasonOf(error)}`, undefined, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  const code = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : undefined;
  return code ?? (error as NodeJS.ErrnoException).code ?? error.name;
}

async function refusal({ method, path }: Request, response: ResponseContext): Promise<KubeError> {
  const seconds = Number(response.headers['retry-after']);
  const text = await response.body.text().catch(() => '');
  const code = response.httpStatusCode;
  return new KubeError(`${method} ${path} answered ${code}${reasonIn(text)}`, code, {
    ...(Number.isFinite(seconds) && seconds > 0 && { retryAfter: seconds * 1000 }),
  });
}

/** The word of a Status object, such as Forbidden; its message may quote the object. */
function reasonIn(text: string): string {
  const reason = /"reason":\s*"([A-Za-z]{1,40})"/.exec(text)?.[1];
  return reason === undefined ? '' : ` ${reason}`;
}

function parse(text: string, { method, path }: Omit<Request, 'signal'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KubeError(`${method} ${path} answered with something that is not JSON`, undefined);
  }
}

interface ListObject {
  items?: unknown[];
  metadata?: { resourceVersion?: string; continue?: string };
}

function pageOf(answer: unknown): Page {
  const { items = [], metadata = {} } = (answer ?? {}) as ListObject;
  return {
    items,
    resourceVersion: metadata.resourceVersion ?? '',
    next: metadata.continue === '' ? undefined : metadata.continue,
  };
}

interface WatchRequest {
  path: string;
  query: Query;
  handler: WatchHandler;
  signal: AbortSignal;
  silence: number;
}

async function watch({ path, query, handler, signal, silence }: WatchRequest, send: Send): Promise<void> {
  const request = { method: HttpMethod.GET, path, query: { ...query, watch: true, allowWatchBookmarks: true } };
  const quiet = new AbortController();
  const timer = setTimeout(() => {
    quiet.abort();
  }, silence);
  try {
    const response = await send({ ...request, signal: AbortSignal.any([signal, quiet.signal]) });
    handler.opened();
    for await (const line of readLines(response.body.stream())) {
      timer.refresh();
      deliver(line, request, handler);
    }
  } catch (error) {
    if (signal.aborted) return;
    if (quiet.signal.aborted) throw new KubeError(`GET ${path} was silent for too long`, undefined);
    throw error instanceof KubeError ? error : new KubeError(`GET ${path} broke off`, undefined, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** An ERROR event carries a Status: 410 when the history no longer reaches back far enough. */
function deliver(line: string, request: Omit<Request, 'signal'>, handler: WatchHandler): void {
  const { type, object } = parse(line, request) as { type: string; object?: { code?: number } };
  if (type !== 'ERROR') handler.event(type, object);
  else throw new KubeError(`GET ${request.path} ended with an error event`, object?.code);
}
