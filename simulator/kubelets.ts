/**
 * A fleet of scripted kubelets: a plain client of the public API, so that it serves the simulated and a real control plane alike.
 * One watch on pods for all its nodes; what an image does and how a node behaves are a test's to say.
 */
import type { ApiClient } from './api-client.ts';
import type { Clock } from './clock.ts';
import { scopeOf } from './clock.ts';
import type { StartOutcome } from './container-start.ts';
import { ApiError } from './errors.ts';
import type { FleetNode } from './fleet-node.ts';
import { createFleetNode } from './fleet-node.ts';
import { createHeartbeats } from './heartbeats.ts';
import type { Registry } from './node-images.ts';
import type { NodeSpec } from './node-object.ts';
import { nodeObject, nodeStatus } from './node-object.ts';
import { followPods } from './pod-feed.ts';
import type { Behaviour } from './pod-worker.ts';
import { createPodWriter } from './pod-writer.ts';
import type { ApiObject } from './store.ts';

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

export function startFleet(options: FleetOptions): Fleet {
  const { client, registry, startOf = (): StartOutcome => 'runs', events = true } = options;
  const { clock, stop } = scopeOf(options.clock);
  const nodes = new Map<string, FleetNode>();
  const heartbeats = options.heartbeats === true ? createHeartbeats(client, clock) : undefined;
  const parts = { clock, registry, startOf, write: createPodWriter(client, clock), events };
  const nodeOf = (pod: ApiObject): FleetNode | undefined => nodes.get(pod.spec?.nodeName as string);
  const feed = followPods(client, clock, {
    seen: (pod) => nodeOf(pod)?.seen(pod),
    gone: (pod) => nodeOf(pod)?.gone(pod.metadata.uid),
    all(uids) {
      for (const node of nodes.values()) node.only(uids);
    },
  });

  return {
    async join(spec) {
      nodes.set(spec.name, createFleetNode(spec, parts));
      await register(client, spec, clock.now());
      await heartbeats?.begin(spec.name);
      feed.again(spec.name);
    },
    leave(name) {
      nodes.get(name)?.halt();
      nodes.delete(name);
      heartbeats?.end(name);
    },
    behave(name, change) {
      const node = nodes.get(name);
      if (node === undefined) throw new Error(`no node is called ${name}`);
      node.behave(change);
      if (node.isDead()) heartbeats?.end(name);
      else void heartbeats?.begin(name);
    },
    async say(name, type, status) {
      const said = nodeStatus({ [type]: status }, clock.now());
      await client.patch({ resource: 'nodes', name }, said, { subresource: 'status' });
    },
    stop() {
      feed.stop();
      for (const node of nodes.values()) node.halt();
      stop();
    },
  };
}

/** Registers the Node, or takes over the one that is there, and says that it is ready. */
async function register(client: ApiClient, spec: NodeSpec, now: number): Promise<void> {
  const { name } = spec;
  const node = nodeObject(spec);
  try {
    await client.create(node);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
  const { status } = nodeStatus({}, now);
  await client.patch({ resource: 'nodes', name }, { status: { ...node.status, ...status } }, { subresource: 'status' });
}
