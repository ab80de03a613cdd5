/** A Kubernetes client whose writes, broken watches and news are told to the metrics; it answers as the one it is made of. */
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION } from './api/names.ts';
import type { KubeClient, WatchHandler } from './watch/kube-api.ts';
import type { CallMetrics, WrittenVerdict } from './web/call-metrics.ts';

export function countCalls(client: KubeClient, metrics: CallMetrics): KubeClient {
  async function counted<T>(path: string, call: Promise<T>): Promise<T> {
    const answer = await call;
    metrics.wrote(resourceOf(path));
    return answer;
  }
  return {
    ...client,
    async watch(path, query, handler, signal) {
      try {
        await client.watch(path, query, telling(handler, metrics), signal);
      } catch (error) {
        if (!signal.aborted) metrics.watchBroke(resourceOf(path));
        throw error;
      }
    },
    create: (path, body, signal) => counted(path, client.create(path, body, signal)),
    update: (path, body, signal) => counted(path, client.update(path, body, signal)),
    remove: (path, body, signal) => counted(path, client.remove(path, body, signal)),
    async patch(path, body, signal) {
      const answer = await counted(path, client.patch(path, body, signal));
      const written = verdictIn(path, body);
      if (written !== undefined) metrics.verdictWritten(written.key, written.verdict);
      return answer;
    },
  };
}

/** Of `/apis/apps/v1/namespaces/hub/daemonsets/pull/status`: daemonsets. */
function resourceOf(path: string): string {
  return partsOf(path).resource;
}

function partsOf(path: string): { namespace: string | undefined; resource: string; name: string | undefined } {
  const [, namespace, resource = '', name] =
    /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return { namespace, resource, name };
}

interface Told {
  kind?: string;
  metadata?: { namespace?: string; name?: string; ownerReferences?: { kind: string; name: string }[] };
}

function telling(handler: WatchHandler, metrics: CallMetrics): WatchHandler {
  return {
    opened() {
      handler.opened();
    },
    event(type, object) {
      const key = type === 'BOOKMARK' ? undefined : pullerOf(object as Told);
      if (key !== undefined) metrics.arrived(key);
      handler.event(type, object);
    },
  };
}

/** The puller, or the one whose pod it is. */
function pullerOf({ kind, metadata = {} }: Told): string | undefined {
  const owner = metadata.ownerReferences?.find((one) => one.kind === 'DaemonSet')?.name;
  const name = kind === 'DaemonSet' ? metadata.name : owner;
  return name === undefined ? undefined : `${metadata.namespace ?? ''}/${name}`;
}

interface Patched {
  status?: { conditions?: { type: string; status: string; reason: string }[] };
}

/** What a patch writes, when it is the verdict on a puller. */
function verdictIn(path: string, body: unknown): { key: string; verdict: WrittenVerdict } | undefined {
  const { namespace = '', resource, name = '' } = partsOf(path);
  const conditions = (body as Patched).status?.conditions ?? [];
  const pulled = conditions.find(({ type }) => type === PULLED_CONDITION);
  const observed = conditions.find(({ type }) => type === OBSERVED_GENERATION_CONDITION);
  if (resource !== 'daemonsets' || pulled === undefined || observed === undefined) return undefined;
  return { key: `${namespace}/${name}`, verdict: { status: pulled.status, generation: observed.reason } };
}
