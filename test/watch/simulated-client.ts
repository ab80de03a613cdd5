/** The simulated API server as our own client interface: in the same process, on the test's clock, no bytes between. */
import type { ApiAnswer, Server } from '../../simulator/server.ts';
import type { Fields } from '../../simulator/store.ts';
import type { Clock } from '../../src/watch/clock.ts';
import { KubeError } from '../../src/watch/kube-api.ts';
import type { KubeClient, Query, WatchHandler } from '../../src/watch/kube-api.ts';

/** As kube-client.ts gives up on a watch that says nothing. */
const SILENCE = 100_000;

interface Request {
  method: string;
  path: string;
  query?: Query;
  body?: unknown;
  contentType?: string;
  signal: AbortSignal;
}

export function simulatedClient(server: Server, clock: Clock, user = 'prepuller'): KubeClient {
  async function ask({
    method,
    path,
    query,
    body,
    contentType = 'application/json',
    signal,
  }: Request): Promise<ApiAnswer> {
    const asked = { method, path: withQuery(path, query), user, contentType, ...(body !== undefined && { body }) };
    let answer: ApiAnswer;
    try {
      answer = await unlessAborted(server.handle(asked), signal);
    } catch (error) {
      throw new KubeError(`${method} ${path} failed`, undefined, { cause: error });
    }
    if (answer.code > 299) throw new KubeError(`${method} ${path} answered ${answer.code}`, answer.code);
    return answer;
  }

  const json = async (request: Request): Promise<Fields> => (await ask(request)).body as Fields;
  return {
    async list(path, query, signal) {
      const { items, metadata } = await json({ method: 'GET', path, query, signal });
      return { items, resourceVersion: metadata.resourceVersion, next: metadata.continue };
    },
    async watch(path, query, handler, signal) {
      const { watch } = await ask({
        method: 'GET',
        path,
        query: { ...query, watch: true, allowWatchBookmarks: true },
        signal,
      });
      handler.opened();
      await follow(watch!, { handler, signal, clock, path });
    },
    get: (path, signal) => json({ method: 'GET', path, signal }),
    create: (path, body, signal) => json({ method: 'POST', path, body, signal }),
    update: (path, body, signal) => json({ method: 'PUT', path, body, signal }),
    patch: (path, body, signal) =>
      json({ method: 'PATCH', path, body, contentType: 'application/strategic-merge-patch+json', signal }),
    async remove(path, body, signal) {
      await json({ method: 'DELETE', path, body, signal });
    },
  };
}

/** As fetch does: whoever aborts does not wait for the answer. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    aborted.reject(new Error('aborted'));
  };
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

interface Following {
  handler: WatchHandler;
  signal: AbortSignal;
  clock: Clock;
  path: string;
}

function follow(watch: NonNullable<ApiAnswer['watch']>, { handler, signal, clock, path }: Following): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const listen = (): void => {
      cancel();
      cancel = clock.after(SILENCE, () => {
        finish(new KubeError(`GET ${path} was silent for too long`, undefined));
      });
    };
    const finish = (error?: Error): void => {
      cancel();
      stop();
      signal.removeEventListener('abort', abort);
      if (error === undefined) resolve();
      else reject(error);
    };
    const abort = (): void => {
      finish();
    };
    const stop = watch(
      (events) => {
        listen();
        for (const { type, object } of events) {
          if (type === 'ERROR') finish(new KubeError(`GET ${path} ended with an error event`, object.code as number));
          else handler.event(type, object);
        }
      },
      () => {
        finish();
      },
    );
    listen();
    signal.addEventListener('abort', abort);
  });
}

function withQuery(path: string, query: Query = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return path;
  return `${path}?${new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)])).toString()}`;
}
