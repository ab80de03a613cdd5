/** Waits for conditions, never for time. */

export interface Patience {
  /** Milliseconds; absent: 30 s. */
  within?: number;
  /** Milliseconds between two looks. */
  every?: number;
}

/**
 * What `look` gives, once it is neither undefined nor false. Throws with `what` and the last failure of `look` when that does not
 * come within its time.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { within = 30_000, every = 100 }: Patience = {},
): Promise<T> {
  const end = performance.now() + within;
  let failure: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > end) {
      const why = failure instanceof Error ? `: ${failure.message}` : '';
      throw new Error(`not within ${within / 1000} s: ${what}${why}`, { cause: failure });
    }
    await pause(every);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
