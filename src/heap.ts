/**
 * How far the heap of a long-running command may run ahead of what lives in it. V8 left to itself trades memory for fewer
 * collections, without regard to a pod's memory limit. A share of what lives is no limit: larger clusters get more.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** How much the old generation may grow, in percent of what the last collection left, before the next one. */
const GROWTH = 25;

/** Bytes of the young generation that are enough: with less the garbage of watch events grows old, more only stands by. */
const YOUNG = 16e6;

/**
 * V8 reads both flags at each collection, so that they hold from now on. The young generation's own limit is read at the start of
 * the process only: it is made to grow to its size here, by objects that survive, and then no further.
 */
export function keepHeapTight(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  const survivors: number[][] = [];
  while (youngSize() < YOUNG && survivors.length < 1_000) {
    for (let count = 0; count < 100; count += 1) survivors.push(new Array<number>(1_000).fill(count));
  }
  setFlagsFromString('--semi-space-growth-factor=1');
}

function youngSize(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
