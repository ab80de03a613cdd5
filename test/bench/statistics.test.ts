/** Percentiles are values that were measured. */
import { mean, median, percentile } from '../../bench/statistics.ts';

test.each([
  [[5], 50, 5],
  [[1, 2, 3, 4], 50, 2],
  [[4, 3, 2, 1, 5], 50, 3],
  [Array.from({ length: 100 }, (_, index) => 100 - index), 95, 95],
  [[10, 20], 95, 20],
])('of %j the %d th percentile is %d', (samples, percent, expected) => {
  expect(percentile(samples, percent)).toBe(expected);
});

test('samples stay in the order of their rounds', () => {
  const samples = [3, 1, 2];
  expect(median(samples)).toBe(2);
  expect(samples).toEqual([3, 1, 2]);
});

test('no samples are no figure', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('times shorter than the tick that counts them are right in the mean', () => {
  expect(mean([0, 4, 0, 0, 4, 0])).toBeCloseTo(4 / 3);
  expect(() => mean([])).toThrow('no samples');
});
