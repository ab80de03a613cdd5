/** The changes that watches read from, each resource with its own: bounded, searched by version, forgotten by compaction as in etcd. */
import type { Resource } from './resources.ts';
import type { Change } from './store.ts';

export interface History {
  record(change: Change): void;
  /** Changes after `version`, oldest first; undefined when the history no longer reaches back that far. */
  since(resource: Resource, version: number): Change[] | undefined;
  /** Called with each change of the resource from now on; the answer ends that. */
  subscribe(resource: Resource, listener: (change: Change) => void): () => void;
  /** Drops everything up to `version`. */
  forget(version: number): void;
}

interface Log {
  changes: Change[];
  listeners: Set<(change: Change) => void>;
  /** Watches that start before this version are too late. */
  forgotten: number;
}

const LONGEST = 50_000;

export function createHistory(): History {
  const logs = new Map<Resource, Log>();
  const undelivered: Change[] = [];
  let compacted = 0;

  /** A listener may write: what it causes is told behind what it was told, to everybody in the same order. */
  function deliver(change: Change): void {
    undelivered.push(change);
    if (undelivered.length > 1) return;
    for (let next: Change | undefined = change; next !== undefined; next = undelivered[0]) {
      for (const listener of of(next.resource).listeners) listener(next);
      undelivered.shift();
    }
  }

  function of(resource: Resource): Log {
    const known = logs.get(resource) ?? { changes: [], listeners: new Set(), forgotten: compacted };
    logs.set(resource, known);
    return known;
  }

  return {
    record(change) {
      const log = of(change.resource);
      log.changes.push(change);
      if (log.changes.length > LONGEST) {
        log.changes = log.changes.slice(LONGEST / 2);
        log.forgotten = (log.changes[0]?.version ?? change.version) - 1;
      }
      deliver(change);
    },
    since(resource, version) {
      const { changes, forgotten } = of(resource);
      return version < forgotten ? undefined : changes.slice(firstBehind(changes, version));
    },
    subscribe(resource, listener) {
      const { listeners } = of(resource);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    forget(version) {
      compacted = version;
      for (const log of logs.values()) {
        log.changes = log.changes.slice(firstBehind(log.changes, version));
        log.forgotten = version;
      }
    },
  };
}

/** Index of the first change behind `version`; versions only grow. */
function firstBehind(changes: readonly Change[], version: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.version ?? Infinity) > version) high = middle;
    else low = middle + 1;
  }
  return low;
}
