/** The changes that watches read from: bounded, searched by version, forgotten by compaction as in etcd. */
import type { Change } from './store.ts';

export interface History {
  record(change: Change): void;
  /** Changes after `version`, oldest first; undefined when the history no longer reaches back that far. */
  since(version: number): Change[] | undefined;
  subscribe(listener: (change: Change) => void): () => void;
  /** Drops everything up to `version`. */
  forget(version: number): void;
}

const LONGEST = 50_000;

export function createHistory(): History {
  const listeners = new Set<(change: Change) => void>();
  let changes: Change[] = [];
  let forgotten = 0;
  return {
    record(change) {
      changes.push(change);
      if (changes.length > LONGEST) {
        changes = changes.slice(LONGEST / 2);
        forgotten = (changes[0]?.version ?? change.version) - 1;
      }
      for (const listener of listeners) listener(change);
    },
    since: (version) => (version < forgotten ? undefined : changes.slice(firstBehind(changes, version))),
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    forget(version) {
      changes = [];
      forgotten = version;
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
