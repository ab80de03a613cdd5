/** One size of the cluster half: a storm, rounds of one last pod each, an idle time and a restart, ours and upstream's side by side. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RECONCILER, STANDING, STORM } from './cluster-objects.ts';
import type { Line as Traffic } from './cluster-process.ts';
import { startClusterProcess, startReconciler } from './cluster-run.ts';
import type { ClusterProcess, Reconciler } from './cluster-run.ts';
import { awaitAsUpstream, UPSTREAM } from './upstream.ts';

export interface Plan {
  nodes: number;
  rounds: number;
  /** Seconds. */
  storm: number;
  idle: number;
}

export interface Load {
  requests: number;
  bytes: number;
}

export interface ClusterMeasured extends Plan {
  /** Milliseconds to the first 200 of /readyz: with one puller everywhere, and with two. */
  ready: number[];
  /** Milliseconds from a round's last ready pod to the condition, and to upstream's decision. */
  ours: number[];
  upstreams: number[];
  storming: {
    /** Milliseconds from the first ready pod to the last, and from the last to the decisions. */
    spread: number;
    ours: number;
    upstreams: number;
    patches: number;
    /** A minute, while the images are pulled. */
    load: { ours: Load; upstreams: Load };
  };
  idling: {
    /** Other than the Lease's. */
    writes: number;
    /** Requests other than watches and the Lease's. */
    polls: number;
    load: Load;
  };
  /** Bytes that the reconciler held at most, of both its lives. */
  memory: number[];
}

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'];

export async function measureCluster(plan: Plan, scratch: string): Promise<ClusterMeasured> {
  const cluster = startClusterProcess();
  const started: Reconciler[] = [];
  const start = async (url: string): Promise<Reconciler> => {
    const reconciler = await startReconciler(url, join(scratch, 'kubeconfig'));
    started.push(reconciler);
    return reconciler;
  };
  try {
    const url = await cluster.do('setUp', { nodes: plan.nodes });
    const first = await start(url);
    await cluster.do('firstVerdict');
    const storming = await measureStorm(plan, cluster, url);
    const rounds = await measureRounds(plan, cluster, url);
    const idling = await measureIdle(plan, cluster);
    const memory = [first.memory() ?? []];
    await first.stop();
    const second = await start(url);
    await sleep(3_000);
    memory.push(second.memory() ?? []);
    return { ...plan, ready: [first.ready, second.ready], ...rounds, storming, idling, memory: memory.flat() };
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await cluster.stop();
  }
}

async function measureStorm(
  { nodes, storm }: Plan,
  cluster: ClusterProcess,
  url: string,
): Promise<ClusterMeasured['storming']> {
  await cluster.do('traffic');
  const began = Date.now();
  // Until then the DaemonSet controller and the scheduler are at work.
  await cluster.do('brew', { seconds: storm, quiet: 3 + nodes / 700 });
  const upstream = awaitAsUpstream(url, STORM);
  const { firstReady, lastReady, writtenAt, patches } = await cluster.do('storm');
  const upstreamAt = await upstream;
  const minutes = (upstreamAt - began) / 60_000;
  const traffic = await cluster.do('traffic');
  const load = { ours: loadOf(traffic, RECONCILER, minutes), upstreams: loadOf(traffic, UPSTREAM, minutes) };
  const since = { spread: lastReady - firstReady, ours: writtenAt - lastReady, upstreams: upstreamAt - lastReady };
  return { ...since, patches, load };
}

/** Of nodes `first` and the following. */
export async function measureRounds(
  { rounds, first = 0 }: Pick<Plan, 'rounds'> & { first?: number },
  cluster: ClusterProcess,
  url: string,
): Promise<Pick<ClusterMeasured, 'ours' | 'upstreams'>> {
  const ours: number[] = [];
  const upstreams: number[] = [];
  for (let round = first; round < first + rounds; round += 1) {
    await cluster.do('beginRound', { round });
    const upstream = awaitAsUpstream(url, STANDING);
    const { readyAt, writtenAt } = await cluster.do('endRound');
    ours.push(writtenAt - readyAt);
    upstreams.push((await upstream) - readyAt);
  }
  return { ours, upstreams };
}

async function measureIdle({ idle }: Plan, cluster: ClusterProcess): Promise<ClusterMeasured['idling']> {
  // What the last verdict brings with it is over.
  await sleep(6_000);
  await cluster.do('traffic');
  await sleep(idle * 1_000);
  const traffic = await cluster.do('traffic');
  const ours = traffic.filter(({ user, resource }) => user === RECONCILER && resource !== 'leases');
  const count = (matches: (line: Traffic) => boolean): number =>
    ours.filter(matches).reduce((sum, { requests }) => sum + requests, 0);
  return {
    writes: count(({ verb }) => WRITES.includes(verb)),
    polls: count(({ verb }) => ['get', 'list'].includes(verb)),
    load: loadOf(traffic, RECONCILER, idle / 60),
  };
}

function loadOf(traffic: readonly Traffic[], user: string, minutes: number): Load {
  const load = { requests: 0, bytes: 0 };
  for (const line of traffic.filter((one) => one.user === user)) {
    load.requests += line.requests / minutes;
    load.bytes += line.bytes / minutes;
  }
  return load;
}
