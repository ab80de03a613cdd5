/** Exponential back-off by key, as client-go's flowcontrol.Backoff: doubled with each failure, forgotten after twice the longest. */

export interface Backoff {
  /** A failure now: the next attempt has to wait twice as long as the last one did. */
  next(key: string, now: number): void;
  /** Milliseconds to wait from now on; 0 when an attempt may be made. */
  left(key: string, now: number): number;
  forget(key: string): void;
}

export function createBackoff(initial: number, longest: number): Backoff {
  const entries = new Map<string, { wait: number; since: number }>();
  return {
    next(key, now) {
      const last = entries.get(key);
      const fresh = last === undefined || now - last.since > 2 * longest;
      entries.set(key, { wait: fresh ? initial : Math.min(2 * last.wait, longest), since: now });
    },
    left(key, now) {
      const last = entries.get(key);
      return last === undefined ? 0 : Math.max(0, last.since + last.wait - now);
    },
    forget(key) {
      entries.delete(key);
    },
  };
}
