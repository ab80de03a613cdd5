/** How long to wait before the next attempt: twice as long each time up to a limit, with jitter so that replicas do not meet. */

export interface BackOff {
  /** Milliseconds until the next attempt, after one more failure. */
  next(): number;
  /** After a success. */
  reset(): void;
}

export interface BackOffLimits {
  /** Milliseconds after the first failure. */
  first: number;
  most: number;
}

/** `random` gives numbers from 0 up to 1; the wait is between half of the doubled time and all of it. */
export function createBackOff({ first, most }: BackOffLimits, random: () => number): BackOff {
  let failures = 0;
  return {
    next() {
      const full = Math.min(most, first * 2 ** Math.min(failures, 30));
      failures += 1;
      return full / 2 + (random() * full) / 2;
    },
    reset() {
      failures = 0;
    },
  };
}
