/** Digests over several image lists. */
import { combinedDigest } from '../../src/api/digest.ts';

test('combinedDigest: one list is its own digest, several count as a set', () => {
  expect(combinedDigest([])).toBeUndefined();
  expect(combinedDigest(['a', 'a'])).toBe('a');
  expect(combinedDigest(['b', 'a'])).toBe(combinedDigest(['a', 'b', 'b']));
  expect(combinedDigest(['a', 'b'])).not.toBe(combinedDigest(['a', 'c']));
  expect(combinedDigest(['a', 'b'])).toMatch(/^[0-9a-f]{32}$/);
});
