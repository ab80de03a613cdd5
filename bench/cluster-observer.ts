/** Sees, in the API server's own process and moment, when pods become ready and when verdicts stand on the DaemonSets. */
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION } from '../src/api/names.ts';
import type { ApiClient } from '../simulator/api-client.ts';
import type { ApiObject, Fields } from '../simulator/store.ts';
import { NAMESPACE } from './cluster-objects.ts';

export interface Seen {
  ready: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  firstReady: number;
  lastReady: number;
}

export interface Observer {
  pods(puller: string): Seen;
  daemonSet(puller: string): ApiObject | undefined;
  /** When the verdict of this generation became True, milliseconds since 1970. */
  healthyAt(puller: string, generation: number): number | undefined;
  /** Resolves once the condition holds; it is asked after every change. */
  until(condition: () => boolean): Promise<void>;
}

interface Counted {
  ready: Set<string>;
  firstReady: number;
  lastReady: number;
}

export function observe(client: ApiClient): Observer {
  const pods = new Map<string, Counted>();
  const daemonSets = new Map<string, ApiObject>();
  const healthy = new Map<string, number>();
  let waiting: { condition: () => boolean; resolve: () => void }[] = [];
  const check = (): void => {
    for (const { resolve } of waiting.filter(({ condition }) => condition())) resolve();
    waiting = waiting.filter(({ condition }) => !condition());
  };
  const end = (): void => undefined;
  client.watch(
    'pods',
    { namespace: NAMESPACE },
    {
      end,
      events(events) {
        for (const { type, object } of events) count(countOf(pods, object as ApiObject), type, object as ApiObject);
        check();
      },
    },
  );
  client.watch(
    'daemonsets',
    { namespace: NAMESPACE },
    {
      end,
      events(events) {
        for (const { object } of events) {
          const { metadata, status } = object as ApiObject;
          daemonSets.set(metadata.name, object as ApiObject);
          const key = `${metadata.name} ${conditionOf(status, OBSERVED_GENERATION_CONDITION)?.reason as string}`;
          if (conditionOf(status, PULLED_CONDITION)?.status !== 'True') continue;
          if (!healthy.has(key)) healthy.set(key, Date.now());
        }
        check();
      },
    },
  );
  return {
    pods: (puller) => pods.get(puller) ?? { ready: new Set(), firstReady: 0, lastReady: 0 },
    daemonSet: (puller) => daemonSets.get(puller),
    healthyAt: (puller, generation) => healthy.get(`${puller} Generation${generation}`),
    until: (condition) =>
      new Promise((resolve) => {
        waiting.push({ condition, resolve });
        check();
      }),
  };
}

function countOf(pods: Map<string, Counted>, { metadata }: ApiObject): Counted {
  const owner = metadata.ownerReferences?.[0]?.name ?? '';
  const known = pods.get(owner) ?? { ready: new Set(), firstReady: 0, lastReady: 0 };
  pods.set(owner, known);
  return known;
}

function count(counted: Counted, type: string, { metadata, status }: ApiObject): void {
  if (type === 'DELETED' || conditionOf(status, 'Ready')?.status !== 'True') counted.ready.delete(metadata.name);
  else if (!counted.ready.has(metadata.name)) {
    counted.ready.add(metadata.name);
    counted.lastReady = Date.now();
    counted.firstReady ||= counted.lastReady;
  }
}

function conditionOf(status: Fields | undefined, type: string): Fields | undefined {
  return ((status?.conditions ?? []) as Fields[]).find((condition) => condition.type === type);
}
