/** Images of the scripted nodes, where what one does is in its name, and those that real nodes pull. */
import type { StartOutcome } from '../../simulator/container-start.ts';
import type { PullOutcome, PullRequest } from '../../simulator/node-images.ts';
import type { PullError } from '../../simulator/pull-errors.ts';
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
  /** Wants a password. */
  secret: 'registry.test/private:1',
  /** Its registry has no time. */
  busy: 'registry.test/busy:1',
  /** Pulled at once, but what it starts is not there. */
  shellLess: 'registry.test/shell-less:1',
  /** No build for nodes called arm. */
  foreign: 'registry.test/foreign:1',
  /** Its registry cannot be reached from nodes called cut. */
  far: 'far.test/lab:1',
} as const;
export const { good: GOOD, other: OTHER, slow: SLOW, endless: ENDLESS, missing: MISSING } = IMAGE;
export const { secret: SECRET, busy: BUSY, shellLess: SHELL_LESS, foreign: FOREIGN, far: FAR } = IMAGE;

/** Image → what happens instead of a pull, everywhere or on nodes whose names end so. */
const ERRORS: Partial<Record<string, { error: PullError; on?: string }>> = {
  [MISSING]: { error: 'missing' },
  [SECRET]: { error: 'unauthorized' },
  [BUSY]: { error: 'rateLimited' },
  [FOREIGN]: { error: 'wrongPlatform', on: '-arm' },
  [FAR]: { error: 'refused', on: '-cut' },
};

export function registry({ image, node }: PullRequest): PullOutcome {
  const { error, on = '' } = ERRORS[image] ?? {};
  if (error !== undefined && node.endsWith(on)) return { takes: 100, error };
  if (image === ENDLESS) return { takes: 600_000 };
  return { takes: image === SLOW ? 6_000 : 200 };
}

export function startOf(image: string): StartOutcome {
  return image === SHELL_LESS ? 'noShell' : 'runs';
}

export const MEGABYTE = 1024 * 1024;

export const REAL_IMAGES: readonly ImageSpec[] = [
  { name: 'pause:1', shell: true, entrypoint: ['/bin/sleep', '1000000'] },
  ...['lab:1', 'tools:1', 'extra:1', 'private/lab:1'].map((name) => ({ name, shell: true })),
  { name: 'shell-less:1', shell: false },
  { name: 'foreign:1', shell: true, platforms: ['s390x'] },
  // One for each case of the shared suite that wants to see a pull go on: what is on the node already is not pulled.
  ...['shared-0:1', 'shared-1:1', 'shared-2:1'].map((name) => ({ name, shell: true, ballast: 40 * MEGABYTE })),
  { name: 'medium:1', shell: true, ballast: 60 * MEGABYTE },
  { name: 'large:1', shell: true, ballast: 200 * MEGABYTE },
];
