/** The simulated time: scaled for the demo, stepped by hand in tests. Everything in the simulator asks it, never `Date`. */

export interface Clock {
  /** Milliseconds since the epoch, simulated. */
  now(): number;
  /** Runs `task` once, `milliseconds` of simulated time from now; the answer cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** Node's timers overflow behind this and fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Wall time made `speed` times faster, from `start` on. Timers do not keep the process alive on their own. */
export function scaledClock(speed: number, start: number): Clock {
  const began = performance.now();
  return {
    now: () => start + (performance.now() - began) * speed,
    after(milliseconds, task) {
      const timer = setTimeout(task, Math.min(Math.max(0, milliseconds) / speed, LONGEST_TIMER));
      timer.unref();
      return () => {
        clearTimeout(timer);
      };
    },
  };
}

export interface Scope {
  clock: Clock;
  /** Cancels everything that waits under this clock; nothing new is taken. */
  stop: () => void;
}

/** A part of a clock that ends as one, so that nobody has to keep count of timers. */
export function scopeOf(clock: Clock): Scope {
  const waiting = new Set<() => void>();
  let stopped = false;
  return {
    clock: {
      now: () => clock.now(),
      after(milliseconds, task) {
        if (stopped) return () => undefined;
        const cancel = clock.after(milliseconds, () => {
          waiting.delete(forget);
          task();
        });
        const forget = (): void => {
          waiting.delete(forget);
          cancel();
        };
        waiting.add(forget);
        return forget;
      },
    },
    stop() {
      stopped = true;
      for (const forget of [...waiting]) forget();
    },
  };
}

export interface SteppedClock extends Clock {
  /** Moves time on, running what falls due in order of its time, letting promises settle between two tasks. */
  advance: (milliseconds: number) => Promise<void>;
  /** Milliseconds until the next task, undefined when none is waiting. */
  untilNext(): number | undefined;
}

interface Due {
  at: number;
  order: number;
  task: (() => void) | undefined;
}

export function steppedClock(start: number): SteppedClock {
  let time = start;
  let order = 0;
  const heap: Due[] = [];

  /** The next task that was not cancelled. */
  function next(): Due | undefined {
    while (heap[0] !== undefined && heap[0].task === undefined) pop(heap);
    return heap[0];
  }

  return {
    now: () => time,
    after(milliseconds, task) {
      const due: Due = { at: time + Math.max(0, milliseconds), order: order++, task };
      push(heap, due);
      return () => {
        due.task = undefined;
      };
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      await settled();
      for (let due = next(); due !== undefined && due.at <= end; due = next()) {
        pop(heap);
        time = Math.max(time, due.at);
        due.task?.();
        // Tasks of one instant often stand in rows; promises settle once behind each.
        await settled();
      }
      time = end;
    },
    untilNext() {
      const due = next();
      return due === undefined ? undefined : Math.max(0, due.at - time);
    },
  };
}

/** Lets everything that only waits for promises run: a macrotask comes after all of them. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The first comes before the second; an empty place comes last. */
function precedes(heap: readonly Due[], first: number, second: number): boolean {
  const [a, b] = [heap[first], heap[second]];
  if (a === undefined || b === undefined) return a !== undefined;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Due[], due: Due): void {
  let at = heap.push(due) - 1;
  for (let parent = (at - 1) >> 1; at > 0 && precedes(heap, at, parent); parent = (at - 1) >> 1) {
    exchange(heap, at, parent);
    at = parent;
  }
}

function pop(heap: Due[]): void {
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return;
  heap[0] = last;
  for (let at = 0; ;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const smaller = precedes(heap, right, left) ? right : left;
    if (!precedes(heap, smaller, at)) return;
    exchange(heap, smaller, at);
    at = smaller;
  }
}

function exchange(heap: Due[], a: number, b: number): void {
  const [first, second] = [heap[a], heap[b]];
  if (first === undefined || second === undefined) return;
  heap[a] = second;
  heap[b] = first;
}
