/** The simulated time: scaled for the demo, stepped by hand in tests. Everything in the simulator asks it, never `Date`. */

export interface Clock {
  /** Milliseconds since the epoch, simulated. */
  now(): number;
  /** Runs `task` once, `milliseconds` of simulated time from now; the answer cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** Wall time made `speed` times faster, from `start` on. Timers do not keep the process alive on their own. */
export function scaledClock(speed: number, start: number): Clock {
  const began = performance.now();
  return {
    now: () => start + (performance.now() - began) * speed,
    after(milliseconds, task) {
      const timer = setTimeout(task, milliseconds / speed);
      return () => {
        clearTimeout(timer);
      };
    },
  };
}

export interface SteppedClock extends Clock {
  /** Moves time on, running what falls due in order of its time, letting promises settle between two tasks. */
  advance(milliseconds: number): Promise<void>;
  /** Milliseconds until the next task, undefined when none is waiting. */
  untilNext(): number | undefined;
}

interface Due {
  at: number;
  order: number;
  task: () => void;
}

export function steppedClock(start: number): SteppedClock {
  let time = start;
  let order = 0;
  const waiting = new Set<Due>();
  function next(): Due | undefined {
    let best: Due | undefined;
    for (const due of waiting) {
      if (best === undefined || due.at < best.at || (due.at === best.at && due.order < best.order)) best = due;
    }
    return best;
  }
  return {
    now: () => time,
    after(milliseconds, task) {
      const due = { at: time + Math.max(0, milliseconds), order: order++, task };
      waiting.add(due);
      return () => {
        waiting.delete(due);
      };
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      for (let due = next(); due !== undefined && due.at <= end; due = next()) {
        waiting.delete(due);
        time = Math.max(time, due.at);
        due.task();
        await settled();
      }
      time = end;
      await settled();
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
