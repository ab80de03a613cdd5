/** What the reconciler asks of a cluster: seven verbs on paths of the API, plain JSON in and out, errors told apart by status code. */
import { ToolError } from '../errors.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Page {
  items: readonly unknown[];
  /** Where a watch begins that misses nothing after this list. */
  resourceVersion: string;
  /** For the next page; undefined on the last one. */
  next: string | undefined;
}

export interface WatchHandler {
  /** The server has answered: from now on events come as they happen. */
  opened(): void;
  /** ADDED, MODIFIED, DELETED or BOOKMARK. */
  event(type: string, object: unknown): void;
}

export interface KubeClient {
  /** One page of a collection: `limit` and `continue` go into the query. */
  list(path: string, query: Query, signal: AbortSignal): Promise<Page>;
  /** Resolves when the server ends the stream, or `signal` is aborted; rejects for every other end, silence too long among them. */
  watch(path: string, query: Query, handler: WatchHandler, signal: AbortSignal): Promise<void>;
  get(path: string, signal: AbortSignal): Promise<unknown>;
  create(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** Replaces the whole object; 409 when its resourceVersion is not the newest. */
  update(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** A strategic merge patch. */
  patch(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** `body` is a DeleteOptions. */
  remove(path: string, body: unknown, signal: AbortSignal): Promise<void>;
}

/** No answer, or one that is not 2xx. The message names verb, path and status, never what was sent. */
export class KubeError extends ToolError {
  override name = 'KubeError';
  /** The HTTP status; undefined when there was no answer. */
  readonly code: number | undefined;
  /** Milliseconds the server asks to wait, from Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(message: string, code: number | undefined, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, { command: [], stderr: '' }, { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

export function codeOf(error: unknown): number | undefined {
  return error instanceof KubeError ? error.code : undefined;
}

/** Not allowed (RBAC), or not known who asks. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === 403 || codeOf(error) === 401;
}

/** The collections we use, and their group's path. */
const GROUPS = {
  daemonsets: 'apis/apps/v1',
  pods: 'api/v1',
  nodes: 'api/v1',
  events: 'api/v1',
  leases: 'apis/coordination.k8s.io/v1',
  jobs: 'apis/batch/v1',
  secrets: 'api/v1',
  serviceaccounts: 'api/v1',
  roles: 'apis/rbac.authorization.k8s.io/v1',
  rolebindings: 'apis/rbac.authorization.k8s.io/v1',
  clusterroles: 'apis/rbac.authorization.k8s.io/v1',
  clusterrolebindings: 'apis/rbac.authorization.k8s.io/v1',
  priorityclasses: 'apis/scheduling.k8s.io/v1',
  applications: 'apis/argoproj.io/v1alpha1',
} as const;
export type Collection = keyof typeof GROUPS;

/** The path of a collection, of all namespaces when none is given. */
export function pathOf(collection: Collection, namespace?: string): string {
  const group = GROUPS[collection];
  return namespace === undefined ? `/${group}/${collection}` : `/${group}/namespaces/${namespace}/${collection}`;
}

/** Every object of a collection, page by page. */
export async function listAll(
  client: KubeClient,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const objects: unknown[] = [];
  for (let next: string | undefined; ;) {
    const page = await client.list(path, { ...query, limit: 500, continue: next }, signal);
    objects.push(...page.items);
    next = page.next;
    if (next === undefined) return objects;
  }
}
