/** Leases that say which nodes are alive, renewed every ten seconds as kubelets do. */
import type { ApiClient } from './api-client.ts';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';
import { microTimestamp } from './store.ts';

export interface Heartbeats {
  begin(node: string): Promise<void>;
  end(node: string): void;
}

const EVERY = 10_000;
const NAMESPACE = 'kube-node-lease';

/** Runs as long as its clock. */
export function createHeartbeats(client: ApiClient, clock: Clock): Heartbeats {
  const alive = new Set<string>();

  function beat(): void {
    for (const node of alive) void renew(node);
    clock.after(EVERY, beat);
  }

  /** A renewal that fails is made up for by the next. */
  async function renew(node: string): Promise<void> {
    const spec = { holderIdentity: node, leaseDurationSeconds: 40, renewTime: microTimestamp(clock.now()) };
    const ref = { resource: 'leases', namespace: NAMESPACE, name: node };
    try {
      await client.patch(ref, { spec }, { type: 'merge-patch+json' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) return;
      const metadata = { name: node, namespace: NAMESPACE };
      // A beat and the beginning may both have found none.
      await client
        .create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec })
        .catch(() => undefined);
    }
  }

  clock.after(EVERY, beat);
  return {
    begin(node) {
      alive.add(node);
      return renew(node);
    },
    end(node) {
      alive.delete(node);
    },
  };
}
