/** What the simulator's tests share: a stepped cluster that is always stopped, and a puller for it. */
import type { Cluster, ClusterOptions } from '../../simulator/cluster.ts';
import { startCluster } from '../../simulator/cluster.ts';
import type { SteppedClock } from '../../simulator/clock.ts';
import { steppedClock } from '../../simulator/clock.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';

export const START = Date.parse('2026-01-05T08:00:00Z');

/** Runs with a cluster whose time the test moves, and checks that stopping it leaves no timer. */
export async function withCluster(
  options: Omit<ClusterOptions, 'clock'>,
  run: (cluster: Cluster, clock: SteppedClock) => Promise<void>,
): Promise<void> {
  const clock = steppedClock(START);
  const cluster = await startCluster({ ...options, clock });
  try {
    await run(cluster, clock);
  } finally {
    await cluster.stop();
  }
  expect(clock.untilNext()).toBeUndefined();
}

/** A puller in `default` on every node. */
export function daemonSet(pod: Fields, spec: Fields = {}): Fields {
  const labels = { app: 'hook' };
  const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, ...pod } };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'hook', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  };
}

export async function podsOf({ client }: Cluster): Promise<ApiObject[]> {
  return (await client.list('pods', { namespace: 'default', labelSelector: 'app=hook' })).items;
}

export async function onlyPod(cluster: Cluster): Promise<ApiObject> {
  const [pod] = await podsOf(cluster);
  if (pod === undefined) throw new Error('there is no pod');
  return pod;
}

/** `type reason count: message` of the events about an object, oldest first. */
export async function eventsOf({ client }: Cluster, name: string): Promise<string[]> {
  const { items } = await client.list('events', { fieldSelector: `involvedObject.name=${name}` });
  const order = ({ metadata }: ApiObject): number => Number(metadata.resourceVersion);
  return items
    .sort((a, b) => order(a) - order(b))
    .map(
      (event) =>
        `${String(event.reason)} ${String((event.count as number | undefined) ?? 1)}: ${String(event.message)}`,
    );
}
