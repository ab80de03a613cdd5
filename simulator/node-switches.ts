/** What a test or the demo does to nodes: let them join, go, fall silent, be cordoned, behave badly. */
import type { ApiClient } from './api-client.ts';
import type { Clock } from './clock.ts';
import type { Fleet } from './kubelets.ts';
import type { NodeSpec } from './node-object.ts';
import type { Behaviour } from './pod-worker.ts';

export interface NodeSwitches {
  add(spec: NodeSpec): Promise<void>;
  /** The machine goes and its Node object is deleted. */
  remove(name: string): Promise<void>;
  cordon(name: string, on?: boolean): Promise<void>;
  behave(name: string, change: Partial<Behaviour>): void;
  /** What the node says itself: Ready False while its runtime is broken, DiskPressure True … */
  say(name: string, type: string, status: 'True' | 'False'): Promise<void>;
  /** Stops answering; Ready turns Unknown when that is noticed. */
  kill(name: string): void;
  /** Answers again and starts its pods anew. */
  revive(name: string): Promise<void>;
}

export interface SwitchParts {
  client: ApiClient;
  fleet: Fleet;
  clock: Clock;
  /** Tells that a node is silent, for a fleet whose silence nobody else can notice. */
  silent: ((name: string) => void) | undefined;
}

/** How long a node may be silent (--node-monitor-grace-period). */
const GRACE = 50_000;

export function createNodeSwitches({ client, fleet, clock, silent }: SwitchParts): NodeSwitches {
  const dead = new Set<string>();
  return {
    add: (spec) => fleet.join(spec),
    async remove(name) {
      fleet.leave(name);
      await client.delete({ resource: 'nodes', name });
    },
    async cordon(name, on = true) {
      const spec = { unschedulable: on ? true : null };
      await client.patch({ resource: 'nodes', name }, { spec }, { type: 'merge-patch+json' });
    },
    behave: (name, change) => {
      fleet.behave(name, change);
    },
    say: (name, type, status) => fleet.say(name, type, status),
    kill(name) {
      fleet.behave(name, { dead: true });
      dead.add(name);
      if (silent === undefined) return;
      clock.after(GRACE, () => {
        if (dead.has(name)) silent(name);
      });
    },
    async revive(name) {
      dead.delete(name);
      fleet.behave(name, { dead: false });
      for (const type of ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const)
        await fleet.say(name, type, 'False');
      await fleet.say(name, 'Ready', 'True');
    },
  };
}
