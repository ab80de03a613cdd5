/**
 * A fleet of scripted kubelets: a plain client of the public API, so that it serves the simulated and a real control plane alike.
 * One watch on pods for all its nodes; what an image does and how a node behaves are a test's to say.
 */
import type { ApiClient } from './api-client.ts';
import type { Clock } from './clock.ts';
import type { StartOutcome } from './container-start.ts';
import { ApiError } from './errors.ts';
import type { Occurrence } from './events.ts';
import { createCorrelator } from './events.ts';
import { createHeartbeats } from './heartbeats.ts';
import type { Registry } from './node-images.ts';
import { createNodeImages } from './node-images.ts';
import type { NodeSpec } from './node-object.ts';
import { nodeObject, nodeStatus } from './node-object.ts';
import { followPods } from './pod-feed.ts';
import type { Behaviour, PodWorker, WorkerParts } from './pod-worker.ts';
import { startPodWorker } from './pod-worker.ts';
import type { ApiObject, Fields } from './store.ts';

export interface FleetOptions {
  client: ApiClient;
  clock: Clock;
  registry: Registry;
  /** How containers of an image start; absent: they run. */
  startOf?: (image: string) => StartOutcome;
  /** Leases that say a node is alive; without them nobody notices that one is dead. */
  heartbeats?: boolean;
  /** Events of pods; a storm of thousands of nodes may do without. Absent: true. */
  events?: boolean;
}

export interface Fleet {
  /** Registers the node, ready, and runs its pods from now on. */
  join(node: NodeSpec): Promise<void>;
  /** The machine goes; the Node object is for others to delete. */
  leave(name: string): void;
  /** Changes how the node behaves. Back from the dead it starts all its pods anew. */
  behave(name: string, change: Partial<Behaviour>): void;
  /** What the node itself says about a condition: `Ready`, `DiskPressure` … */
  say(name: string, type: string, status: 'True' | 'False'): Promise<void>;
  stop(): void;
}

interface FleetNode {
  name: string;
  behaviour: Behaviour;
  images: ReturnType<typeof createNodeImages>;
  pods: Map<string, ApiObject>;
  workers: Map<string, PodWorker>;
}

export function startFleet(options: FleetOptions): Fleet {
  const { client, clock } = options;
  const nodes = new Map<string, FleetNode>();
  const heartbeats = options.heartbeats === true ? createHeartbeats(client, clock) : undefined;
  const write = createPodWriter(options);
  const feed = followPods(client, clock, { seen, gone, all: (uids) => void forgetOthers(nodes, uids) });

  function seen(pod: ApiObject): void {
    const node = nodes.get(pod.spec?.nodeName as string);
    if (node === undefined) return;
    const { uid } = pod.metadata;
    node.pods.set(uid, pod);
    if (node.behaviour.dead === true) return;
    const worker = node.workers.get(uid);
    const ended = ['Failed', 'Succeeded'].includes(pod.status?.phase as string);
    if (worker !== undefined) worker.update(pod);
    else if (!ended) node.workers.set(uid, startPodWorker(pod, partsOf(node)));
  }

  function gone(pod: ApiObject): void {
    const node = nodes.get(pod.spec?.nodeName as string);
    if (node !== undefined) forget(node, pod.metadata.uid);
  }

  function partsOf(node: FleetNode): WorkerParts {
    const { behaviour, images, name } = node;
    return {
      clock,
      behaviour,
      images,
      startOf: options.startOf ?? (() => 'runs'),
      writeStatus(pod, status) {
        if (behaviour.dead !== true) write.status(pod, status);
      },
      remove(pod) {
        if (behaviour.dead !== true) write.remove(pod);
      },
      tell(about, event) {
        if (behaviour.dead !== true && options.events !== false) write.event({ about, ...event }, name);
      },
    };
  }

  function fresh(name: string, present: Iterable<string>, behaviour: Behaviour): FleetNode {
    const images = createNodeImages({ clock, node: name, present, registry: options.registry, behaviour });
    return { name, behaviour, images, pods: new Map(), workers: new Map() };
  }

  return {
    async join(spec) {
      const node = fresh(spec.name, spec.images ?? [], { ...spec.behaviour });
      nodes.set(spec.name, node);
      await register(client, spec, clock.now());
      await heartbeats?.begin(spec.name);
      feed.again();
    },
    leave(name) {
      const node = nodes.get(name);
      if (node !== undefined) halt(node);
      nodes.delete(name);
      heartbeats?.end(name);
    },
    behave(name, change) {
      const node = nodes.get(name);
      if (node === undefined) throw new Error(`no node is called ${name}`);
      const wasDead = node.behaviour.dead === true;
      Object.assign(node.behaviour, change);
      if (!wasDead && node.behaviour.dead === true) {
        halt(node);
        heartbeats?.end(name);
      }
      if (wasDead && node.behaviour.dead !== true) {
        void heartbeats?.begin(name);
        for (const pod of node.pods.values()) seen(pod);
      }
    },
    async say(name, type, status) {
      await client.patch({ resource: 'nodes', name }, nodeStatus({ [type]: status }, clock.now()), { subresource: 'status' });
    },
    stop() {
      feed.stop();
      heartbeats?.stop();
      for (const node of nodes.values()) halt(node);
    },
  };
}

function halt(node: FleetNode): void {
  for (const worker of node.workers.values()) worker.stop();
  node.workers.clear();
  node.images.stop();
}

function forget(node: FleetNode, uid: string): void {
  node.workers.get(uid)?.stop();
  node.workers.delete(uid);
  node.pods.delete(uid);
}

/** After a fresh list: pods that went unseen. */
function forgetOthers(nodes: ReadonlyMap<string, FleetNode>, uids: ReadonlySet<string>): void {
  for (const node of nodes.values()) {
    for (const uid of node.pods.keys()) if (!uids.has(uid)) forget(node, uid);
  }
}

/** Registers the Node, or takes over the one that is there, and says that it is ready. */
async function register(client: ApiClient, spec: NodeSpec, now: number): Promise<void> {
  const { name } = spec;
  try {
    await client.create(nodeObject(spec));
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
  const { status } = nodeStatus({}, now);
  const capacity = nodeObject(spec).status?.capacity as Fields;
  const full = { ...status, capacity, allocatable: capacity };
  await client.patch({ resource: 'nodes', name }, { status: full }, { subresource: 'status' });
}

interface PodWriter {
  status(pod: ApiObject, status: Fields): void;
  remove(pod: ApiObject): void;
  event(occurrence: Occurrence, node: string): void;
}

const RETRY_AFTER = 1_000;

/** Writes in the background; what a broken connection swallowed is written again, what the server refused is not. */
function createPodWriter({ client, clock }: FleetOptions): PodWriter {
  const correlate = createCorrelator(clock);
  const latest = new Map<string, symbol>();

  /** Newer writes under the same key make older ones that have to be repeated pointless. */
  function attempt(key: string, request: () => Promise<unknown>): void {
    const turn = Symbol(key);
    latest.set(key, turn);
    const go = (): void => {
      request().then(
        () => {
          if (latest.get(key) === turn) latest.delete(key);
        },
        (error: unknown) => {
          if (error instanceof ApiError && error.code < 500 && error.code !== 429) return;
          clock.after(RETRY_AFTER, () => {
            if (latest.get(key) === turn) go();
          });
        },
      );
    };
    go();
  }

  const refOf = ({ metadata }: ApiObject): { resource: string; namespace: string; name: string } => ({
    resource: 'pods',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
  });
  return {
    status(pod, status) {
      const patch = { metadata: { uid: pod.metadata.uid }, status };
      attempt(pod.metadata.uid, () => client.patch(refOf(pod), patch, { subresource: 'status' }));
    },
    remove(pod) {
      const { uid } = pod.metadata;
      attempt(uid, () => client.delete(refOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } }));
    },
    event(occurrence, node) {
      const written = correlate(occurrence, { component: 'kubelet', host: node });
      if (written === undefined) return;
      const { metadata } = written.event as ApiObject;
      attempt(metadata.name, async () => {
        if (written.action === 'create') await client.create(written.event);
        else {
          const ref = { resource: 'events', namespace: written.namespace, name: written.name };
          await client.patch(ref, written.patch);
        }
      });
    },
  };
}
