/**
 * How far the heap of a long-running command may run ahead of what lives in it. V8 left to itself trades memory for fewer
 * collections, without a limit that a pod's memory limit could know. A share of what lives is no limit: larger clusters get more.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** How much the old generation may grow, in percent of what the last collection left, before the next one. */
const GROWTH = 40;

/** Bytes of the young generation that are enough: less makes garbage of watch events grow old, more is seldom filled. */
const YOUNG = 16e6;

/** V8 reads both flags at each collection, so that they hold from now on; the young generation's own limit is read at the start only. */
export function keepHeapTight(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  const collections = new PerformanceObserver(() => {
    if (youngSize() < YOUNG) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}

function youngSize(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
