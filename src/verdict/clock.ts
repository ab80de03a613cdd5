/** Time as an argument: asks whether a wait is over and remembers when the next one will be, so that nobody has to poll. */

export interface Clock {
  readonly now: number;
  /** Whether `wait` milliseconds have gone by since then; if not, the moment is remembered. */
  passed: (since: number, wait: number) => boolean;
  /** Milliseconds until the first remembered moment; undefined when no wait is open. */
  untilNext: () => number | undefined;
}

/** A clock that stands still at `now`, milliseconds since 1970. */
export function clockAt(now: number): Clock {
  let next = Infinity;
  return {
    now,
    passed: (since, wait) => {
      const due = since + wait;
      if (due <= now) return true;
      next = Math.min(next, due);
      return false;
    },
    untilNext: () => (Number.isFinite(next) ? next - now : undefined),
  };
}
