/** Many small requests, a few at a time. */

const TOGETHER = 8;

/** Runs `task` for every item, at most eight at once; fails with the first failure, after those under way have ended. */
export async function inTurns<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await task(item);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(TOGETHER, items.length) }, work));
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
