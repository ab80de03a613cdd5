/** What `prepuller demo` plays on: twenty nodes with the hub of the commit before, what befalls them once a sync begins, and that sync. */
import type { Health } from '../src/api/reasons.ts';
import type { Cluster } from './cluster.ts';
import { startCluster } from './cluster.ts';
import type { PacedClock } from './demo-clock.ts';
import { pacedClock } from './demo-clock.ts';
import { FLEET, scriptOf, START } from './demo-scripts.ts';
import type { Script } from './demo-scripts.ts';
import type { SyncOutcome, SyncStep } from './demo-sync.ts';
import { ordinary, syncOnce } from './demo-sync.ts';
import type { ApiObject, Fields } from './store.ts';

export type { SyncOutcome, SyncStep } from './demo-sync.ts';

export interface Stage {
  /** Of the simulated API server. */
  url: string;
  clock: PacedClock;
  sync(objects: readonly Fields[], listener: SyncListener): Promise<SyncOutcome>;
  daemonSet(name: string): Promise<ApiObject | undefined>;
  /** Resolves when no timer or socket is left. */
  stop(): Promise<void>;
}

export interface SyncListener {
  signal: AbortSignal;
  step: (step: SyncStep) => void;
  waiting: (object: ApiObject, health: Health, message: string) => void;
}

export interface StageOptions {
  script: string;
  namespace: string;
  /** What the commit before put into the cluster, and the user image in it. */
  before: readonly Fields[];
  /** How many times as fast as real time. */
  speed: number;
}

/** Long enough for the images of the commit before to be everywhere. */
const SETTLED = 600_000;

/** The cluster as the commit finds it; time stands still until `sync`. */
export async function startStage({ script: name, namespace, before, speed }: StageOptions): Promise<Stage> {
  const clock = pacedClock(speed, START - SETTLED);
  const script = scriptOf(name);
  const cluster = await startCluster({ clock, nodes: FLEET, registry: script.registry, http: true });
  await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await script.before?.(cluster, namespace);
  await cluster.apply(ordinary(before, namespace));
  await clock.skip(SETTLED);
  return {
    url: cluster.url ?? '',
    clock,
    async sync(objects, listener) {
      play(script, cluster, clock);
      clock.run();
      const apply = (part: readonly Fields[]): Promise<void> => cluster.apply(part);
      return syncOnce(objects, { client: cluster.client, clock, apply, namespace, ...listener });
    },
    daemonSet: (daemonSet) =>
      cluster.client.get({ resource: 'daemonsets', namespace, name: daemonSet }).catch(() => undefined),
    async stop() {
      await clock.stop();
      await cluster.stop();
    },
  };
}

function play({ during = [] }: Script, cluster: Cluster, clock: PacedClock): void {
  for (const { at, does } of during) {
    clock.after(at, () => void does(cluster));
  }
}
