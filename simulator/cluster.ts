/** Puts a cluster together: API server, controllers, scheduler and a fleet of kubelets, on one clock, with one `stop`. */
import { createAdmission } from './admission.ts';
import type { Webhook } from './admission.ts';
import type { ApiClient } from './api-client.ts';
import { createApiClient } from './api-client.ts';
import { createApi } from './api.ts';
import type { Clock } from './clock.ts';
import { scopeOf } from './clock.ts';
import { runDaemonSetController } from './daemonset-controller.ts';
import { seeded, SYSTEM } from './faults.ts';
import { runGarbageCollector } from './garbage-collector.ts';
import { serveHttp } from './http.ts';
import type { FleetOptions } from './kubelets.ts';
import { startFleet } from './kubelets.ts';
import type { PullOutcome } from './node-images.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import { runNodeLifecycle } from './node-lifecycle.ts';
import type { NodeSpec } from './node-object.ts';
import type { NodeSwitches } from './node-switches.ts';
import { createNodeSwitches } from './node-switches.ts';
import type { Recorder } from './recorder.ts';
import { createNewStyleRecorder, createRecorder, expireEvents } from './recorder.ts';
import { resourceOf } from './resources.ts';
import { runScheduler } from './scheduler.ts';
import type { Server } from './server.ts';
import { createServer } from './server.ts';
import type { ApiObject, Fields } from './store.ts';
import { createStore } from './store.ts';
import { directTransport } from './transports.ts';

export interface ClusterOptions extends Partial<Pick<FleetOptions, 'registry' | 'startOf' | 'heartbeats' | 'events'>> {
  clock: Clock;
  nodes?: readonly NodeSpec[];
  /** Listen on a port too; without it only clients in this process get in. */
  http?: boolean;
  /** Of everything random. */
  seed?: number;
}

export interface Cluster {
  /** Where it listens, with `http`. */
  url: string | undefined;
  /** The cluster's own client: faults spare it. */
  client: ApiClient;
  /** A client in this process for somebody else, whom faults meet. */
  clientFor(user: string): ApiClient;
  /** Faults, counts, watches. */
  server: Server;
  nodes: NodeSwitches;
  /** Creates what is not there, replaces spec and adds labels and annotations to what is, as `kubectl apply` would. */
  apply(objects: readonly Fields[]): Promise<void>;
  /** From now on asked about every new object; undefined: nobody is asked. */
  setWebhook(webhook: Webhook | undefined): void;
  /** The API server is gone for all but the cluster's own parts, until it is back. */
  goAway(): void;
  comeBack(): void;
  /** Leaves no timer, socket or watch behind. */
  stop(): Promise<void>;
}

const NAMESPACES = ['default', 'kube-system', 'kube-node-lease'];
const PRIORITY_CLASSES = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };
/** Nodes that register at the same time. */
const AT_ONCE = 100;

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { clock, stop } = scopeOf(options.clock);
  let webhook: Webhook | undefined;
  const { server, lifecycle } = startControlPlane(clock, options.seed ?? 1, () => webhook);
  const clientFor = (user: string): ApiClient => createApiClient(directTransport(server, user));
  const client = clientFor(`${SYSTEM}admin`);
  await prepare(client);
  const { registry = (): PullOutcome => ({ takes: 5_000 }), heartbeats = false } = options;
  const fleet = startFleet({ ...options, client: clientFor(`${SYSTEM}nodes`), clock, registry, heartbeats });
  const silent = heartbeats ? undefined : lifecycle.markUnknown;
  const nodes = createNodeSwitches({ client, fleet, clock, silent });
  await addAll(nodes, options.nodes ?? []);
  const http = options.http === true ? await serveHttp(server) : undefined;
  return {
    url: http?.url,
    client,
    clientFor,
    server,
    nodes,
    async apply(objects) {
      for (const object of objects) await applyObject(client, object);
    },
    setWebhook(given) {
      webhook = given;
    },
    goAway() {
      server.faults.away = true;
      server.watches.cut();
      http?.drop();
    },
    comeBack() {
      server.faults.away = false;
    },
    async stop() {
      fleet.stop();
      stop();
      server.watches.cut();
      await http?.stop();
    },
  };
}

/** The API server and everything that works behind it, as long as the clock runs. */
function startControlPlane(
  clock: Clock,
  seed: number,
  webhook: () => Webhook | undefined,
): { server: Server; lifecycle: NodeLifecycle } {
  const store = createStore(clock);
  const api = createApi(store, clock, createAdmission(store, webhook));
  const recorder = (component: string): Recorder => createRecorder(api, clock, { component });
  const parts = { store, api, clock };
  runGarbageCollector(parts);
  runDaemonSetController({ ...parts, record: recorder('daemonset-controller') });
  runScheduler({ ...parts, record: createNewStyleRecorder(api, clock, 'default-scheduler') });
  const lifecycle = runNodeLifecycle({ ...parts, record: recorder('node-controller'), chance: seeded(seed) });
  expireEvents(store, clock);
  return { server: createServer({ ...parts, seed }), lifecycle };
}

async function prepare(client: ApiClient): Promise<void> {
  for (const name of NAMESPACES) await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const [name, value] of Object.entries(PRIORITY_CLASSES)) {
    await client.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value });
  }
}

async function addAll(nodes: NodeSwitches, specs: readonly NodeSpec[]): Promise<void> {
  for (let at = 0; at < specs.length; at += AT_ONCE) {
    await Promise.all(specs.slice(at, at + AT_ONCE).map((spec) => nodes.add(spec)));
  }
}

async function applyObject(client: ApiClient, object: Fields): Promise<void> {
  const { kind, apiVersion, metadata } = object as ApiObject;
  const resource = resourceOf(apiVersion, kind)?.plural ?? kind;
  const scope = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
  const known = await client.get({ resource, ...scope, name: metadata.name }).catch(() => undefined);
  if (known === undefined) {
    await client.create(object);
    return;
  }
  const labels = { ...known.metadata.labels, ...metadata.labels };
  const annotations = { ...known.metadata.annotations, ...metadata.annotations };
  await client.update({ ...known, ...object, metadata: { ...known.metadata, labels, annotations } });
}
