/** A work queue by key as controllers have: equal keys collapse, refused ones come back after a growing wait (workqueue's default rate limits). */
import type { Clock } from './clock.ts';

export interface KeyQueue {
  add(key: string): void;
  addAfter(key: string, milliseconds: number): void;
}

const FIRST_RETRY = 5;
const LONGEST_RETRY = 1_000_000;

/**
 * `work` answers false to be asked again later. Everything that is added within `gather` milliseconds is one piece of work,
 * so that a look at a large cluster is not repeated for each change in it.
 */
export function createKeyQueue(clock: Clock, work: (key: string) => boolean, gather: () => number): KeyQueue {
  const waiting = new Set<string>();
  const later = new Map<string, { at: number; cancel: () => void }>();
  const failures = new Map<string, number>();

  function add(key: string): void {
    if (waiting.has(key)) return;
    waiting.add(key);
    clock.after(gather(), () => {
      waiting.delete(key);
      run(key);
    });
  }

  function run(key: string): void {
    if (work(key)) {
      failures.delete(key);
      return;
    }
    const failed = failures.get(key) ?? 0;
    failures.set(key, failed + 1);
    addAfter(key, Math.min(FIRST_RETRY * 2 ** failed, LONGEST_RETRY));
  }

  /** Of several times for one key the earliest stands. */
  function addAfter(key: string, milliseconds: number): void {
    const at = clock.now() + milliseconds;
    const known = later.get(key);
    if (known !== undefined && known.at <= at) return;
    known?.cancel();
    const cancel = clock.after(milliseconds, () => {
      later.delete(key);
      add(key);
    });
    later.set(key, { at, cancel });
  }

  return { add, addAfter };
}
