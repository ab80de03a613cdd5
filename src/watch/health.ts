/** What probes answer: ready while the picture is fresh and the Lease can be read, alive while looks at pullers come to an end. */
import { printDuration } from '../api/duration.ts';
import type { ControllerState } from './controller.ts';

export interface Health {
  ok: boolean;
  problems: string[];
}

/** Longer than any look can take: requests have time limits of their own. Milliseconds. */
const LONGEST_LOOK = 300_000;

/** `limit` in milliseconds. A replica that waits for its turn is ready too. */
export function readiness({ pictureAge, leaseKnown }: ControllerState, limit: number): Health {
  const problems: string[] = [];
  if (pictureAge === undefined) problems.push('the pullers and pods of the cluster are not known yet');
  else if (pictureAge > limit) problems.push(`the API server has said nothing for ${printDuration(pictureAge)}`);
  if (!leaseKnown) problems.push('the Lease cannot be read or written');
  return { ok: problems.length === 0, problems };
}

export function liveness({ longestLook }: ControllerState): Health {
  const stuck = longestLook > LONGEST_LOOK;
  const problem = `a look at a puller has not ended for ${printDuration(longestLook)}`;
  return { ok: !stuck, problems: stuck ? [problem] : [] };
}
