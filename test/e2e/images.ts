/** Images of the scripted nodes: what one does is in its name. */
import type { PullOutcome, PullRequest } from '../../simulator/node-images.ts';

const IMAGE = {
  /** Pulled at once. */
  good: 'registry.test/lab:1',
  other: 'registry.test/tools:1',
  /** Takes six seconds. */
  slow: 'registry.test/large:1',
  /** Takes longer than any test. */
  endless: 'registry.test/endless:1',
  missing: 'registry.test/lab:missing',
} as const;
export const { good: GOOD, other: OTHER, slow: SLOW, endless: ENDLESS, missing: MISSING } = IMAGE;

export function registry({ image }: PullRequest): PullOutcome {
  if (image === MISSING) return { takes: 100, error: 'missing' };
  if (image === ENDLESS) return { takes: 600_000 };
  return { takes: image === SLOW ? 6_000 : 200 };
}
