/** Images of the scripted nodes, where what one does is in its name, and those that real nodes pull. */
import type { PullOutcome, PullRequest } from '../../simulator/node-images.ts';
import type { ImageSpec } from '../testbed/oci-image.ts';

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

export const MEGABYTE = 1024 * 1024;

export const REAL_IMAGES: readonly ImageSpec[] = [
  { name: 'pause:1', shell: true, entrypoint: ['/bin/sleep', '1000000'] },
  ...['lab:1', 'tools:1', 'extra:1', 'private/lab:1'].map((name) => ({ name, shell: true })),
  { name: 'shell-less:1', shell: false },
  { name: 'foreign:1', shell: true, platforms: ['s390x'] },
  { name: 'medium:1', shell: true, ballast: 60 * MEGABYTE },
  { name: 'large:1', shell: true, ballast: 200 * MEGABYTE },
];
