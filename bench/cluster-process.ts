/** The simulated cluster in a process of its own, so that its work is not counted as the reconciler's; told what to do by messages. */
import { scaledClock } from '../simulator/clock.ts';
import { startCluster } from '../simulator/cluster.ts';
import type { Cluster } from '../simulator/cluster.ts';
import type { Registry } from '../simulator/node-images.ts';
import { observe } from './cluster-observer.ts';
import type { Observer } from './cluster-observer.ts';
import { NAMESPACE, RECONCILER, STANDING, standingPuller, STORM, stormImage, stormPuller } from './cluster-objects.ts';

export interface Storm {
  firstReady: number;
  lastReady: number;
  writtenAt: number;
  /** Patches of ours from the first ready pod to the verdict. */
  patches: number;
}

export interface Line {
  user: string;
  verb: string;
  resource: string;
  requests: number;
  bytes: number;
}

/** The orders, by name: what they take and answer crosses the channel as JSON. */
export interface Orders {
  /** Nodes with the standing puller done everywhere; the address of the API server. */
  setUp: (order: { nodes: number }) => Promise<string>;
  /** All pods of the storm's puller are there and pull. Ready they are within `seconds`, from `quiet` seconds on. */
  brew: (order: { seconds: number; quiet: number }) => Promise<void>;
  storm: () => Promise<Storm>;
  /** One pod of the standing puller is made anew and pulls, for a new generation: answers once the numbers say so. */
  beginRound: (order: { round: number }) => Promise<void>;
  endRound: () => Promise<{ readyAt: number; writtenAt: number }>;
  /** When the standing puller's first verdict stood. */
  firstVerdict: () => Promise<number>;
  /** What was asked of the API server since the last time. */
  traffic: () => Promise<Line[]>;
}

let nodes = 0;
let cluster: Cluster;
let seen: Observer;
let storm = { from: 0, lasts: 0 };
let lines: Line[] = [];

/** Of images that are there already the kubelet asks the registry too, at the standing puller's wish: that takes half a second. */
const registry: Registry = ({ image, now }) => {
  if (image !== stormImage) return { takes: 500 };
  return { takes: Math.max(0, storm.from - now) + Math.random() * storm.lasts };
};

const orders: Orders = {
  async setUp({ nodes: count }) {
    nodes = count;
    const specs = Array.from({ length: nodes }, (_, index) => ({ name: `node-${index}` }));
    cluster = await startCluster({
      clock: scaledClock(1, Date.now()),
      nodes: specs,
      registry,
      events: false,
      http: true,
    });
    await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    seen = observe(cluster.client);
    await cluster.apply([standingPuller()]);
    await seen.until(() => seen.pods(STANDING).ready.size === nodes && numberReady() === nodes);
    return cluster.url ?? '';
  },
  async brew({ seconds, quiet }) {
    storm = { from: Date.now() + quiet * 1_000, lasts: seconds * 1_000 };
    await cluster.apply([stormPuller()]);
    await seen.until(() => seen.daemonSet(STORM)?.status?.currentNumberScheduled === nodes);
  },
  async storm() {
    await seen.until(() => seen.pods(STORM).ready.size > 0);
    const before = patches();
    await seen.until(() => seen.healthyAt(STORM, 1) !== undefined);
    const { firstReady, lastReady } = seen.pods(STORM);
    return { firstReady, lastReady, writtenAt: seen.healthyAt(STORM, 1) ?? NaN, patches: patches() - before };
  },
  async beginRound({ round }) {
    const pods = await cluster.client.list('pods', {
      namespace: NAMESPACE,
      fieldSelector: `spec.nodeName=node-${round % nodes}`,
    });
    const pod = pods.items.find(({ metadata }) => metadata.labels?.puller === STANDING);
    await cluster.client.delete(
      { resource: 'pods', namespace: NAMESPACE, name: pod?.metadata.name ?? '' },
      { gracePeriodSeconds: 0 },
    );
    const template = { metadata: { annotations: { round: String(round) } } };
    await cluster.client.patch(
      { resource: 'daemonsets', namespace: NAMESPACE, name: STANDING },
      { spec: { template } },
    );
    await seen.until(() => numberReady() === nodes - 1);
  },
  async endRound() {
    const generation = seen.daemonSet(STANDING)?.metadata.generation ?? NaN;
    await seen.until(() => seen.healthyAt(STANDING, generation) !== undefined);
    return { readyAt: seen.pods(STANDING).lastReady, writtenAt: seen.healthyAt(STANDING, generation) ?? NaN };
  },
  async firstVerdict() {
    await seen.until(() => seen.healthyAt(STANDING, 1) !== undefined);
    return seen.healthyAt(STANDING, 1) ?? NaN;
  },
  traffic() {
    const before = new Map(lines.map((line) => [keyOf(line), line]));
    lines = cluster.server.traffic.lines().map((line) => ({ ...line }));
    const since = lines.map((line) => {
      const { requests = 0, bytes = 0 } = before.get(keyOf(line)) ?? {};
      return { ...line, requests: line.requests - requests, bytes: line.bytes - bytes };
    });
    return Promise.resolve(since.filter(({ requests, bytes }) => requests > 0 || bytes > 0));
  },
};

function keyOf({ user, verb, resource }: Line): string {
  return `${user} ${verb} ${resource}`;
}

function numberReady(): number {
  return (seen.daemonSet(STANDING)?.status?.numberReady as number | undefined) ?? 0;
}

function patches(): number {
  return cluster.server.traffic.total({ user: RECONCILER, verb: 'patch', resource: 'daemonsets' }).requests;
}

process.on('message', ({ id, order, given }: { id: number; order: keyof Orders; given: never }) => {
  orders[order](given).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
