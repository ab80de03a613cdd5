/** Time as the reconciler gets it: injected, so that a test can step it and a demo can hurry it. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once, in so many milliseconds; the answer cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** Longer timers fire at once in Node. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, task) {
    const timer = setTimeout(task, Math.min(Math.max(0, milliseconds), LONGEST_TIMER));
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Asked anew each time: nobody aborts a signal between two lines, but over an await somebody may. */
export function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Resolves after the time, or at once when `signal` is aborted; never rejects. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}
