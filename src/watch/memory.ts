/**
 * The facts that outlive objects, by namespace, in this process; after a restart they come from the annotations of the pullers,
 * taken over at the first look at each. A replica that begins to write, or ceases to, forgets and reads what stands there.
 */
import { MEMORY, mergeFacts, NO_FACTS } from '../verdict/facts.ts';
import type { Facts } from '../verdict/facts.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';

export interface Memory {
  /** What is known when a puller is looked at; `pullers` are all of its namespace, itself among them. */
  recall(namespace: string, pullers: readonly DaemonSet[], now: number): Facts;
  /** What a look gave. */
  keep(namespace: string, facts: Facts, now: number): void;
  /** Everything: somebody else writes from now on, or this replica does. */
  clear(): void;
}

interface Remembered {
  facts: Facts;
  /** Pullers whose annotation has been read. */
  taken: Set<string>;
  lookedAt: number;
}

export function createMemory(read: (daemonSet: DaemonSet) => Facts): Memory {
  const namespaces = new Map<string, Remembered>();

  function at(namespace: string, now: number): Remembered {
    for (const [name, { lookedAt }] of namespaces) if (now - lookedAt > MEMORY) namespaces.delete(name);
    const known = namespaces.get(namespace) ?? { facts: NO_FACTS, taken: new Set(), lookedAt: now };
    namespaces.set(namespace, known);
    known.lookedAt = now;
    return known;
  }

  return {
    recall(namespace, pullers, now) {
      const known = at(namespace, now);
      for (const puller of pullers) {
        if (!known.taken.has(puller.uid)) known.facts = mergeFacts(known.facts, read(puller));
      }
      known.taken = new Set(pullers.map(({ uid }) => uid));
      return known.facts;
    },
    keep(namespace, facts, now) {
      at(namespace, now).facts = facts;
    },
    clear() {
      namespaces.clear();
    },
  };
}
