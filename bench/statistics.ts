/** What a list of samples comes to. Percentiles by nearest rank: a value that was measured, never one in between. */

export function median(samples: readonly number[]): number {
  return percentile(samples, 50);
}

/** For times that are counted in ticks longer than themselves: only their sum is right. */
export function mean(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError('no samples');
  return samples.reduce((sum, one) => sum + one, 0) / samples.length;
}

export function percentile(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((one, other) => one - other);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError('no samples');
  return value;
}
