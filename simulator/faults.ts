/** What a test can do to clients of the simulated API server: refuse, delay, go away, cut or silence their watches. The cluster's own parts are spared. */
import { ApiError, forbidden } from './errors.ts';
import type { Resource } from './resources.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** Users whose names begin so are the cluster's own. */
export const SYSTEM = 'system:';

export interface Refusal {
  code: 409 | 429 | 500 | 503;
  /** Share of the requests that get it, 0 to 1. */
  rate: number;
  /** Absent: all. */
  verbs?: Verb[];
  /** Plurals; absent: all. */
  resources?: string[];
}

/** Settings a test turns at any time; each request looks at them anew. */
export interface Faults {
  refusals: Refusal[];
  /** Rights that were taken away. `*` stands for every verb or resource. */
  revoked: { verb: Verb | '*'; resource: string }[];
  /** Milliseconds every answer takes, watches' first events too. */
  delay: number;
  /** No connection is taken, those that stand are cut. */
  away: boolean;
}

export interface Request {
  verb: Verb;
  resource: Resource;
  name: string;
  user: string;
}

export function noFaults(): Faults {
  return { refusals: [], revoked: [], delay: 0, away: false };
}

/** Throws what the request meets; `chance` gives numbers from 0 to 1. */
export function meetFaults(faults: Faults, request: Request, chance: () => number): void {
  const { verb, resource, name, user } = request;
  if (user.startsWith(SYSTEM)) return;
  const revoked = faults.revoked.some(
    (right) => ['*', verb].includes(right.verb) && ['*', resource.plural].includes(right.resource),
  );
  if (revoked) throw forbidden(resource, name, notAllowed(request));
  for (const refusal of faults.refusals) {
    if (refusal.verbs?.includes(verb) === false || refusal.resources?.includes(resource.plural) === false) continue;
    if (chance() < refusal.rate) throw refused(refusal.code);
  }
}

function notAllowed({ verb, resource, user }: Request): string {
  const scope = resource.namespaced ? '' : ' at the cluster scope';
  return `User "${user}" cannot ${verb} resource "${resource.plural}" in API group "${resource.group}"${scope}`;
}

function refused(code: Refusal['code']): ApiError {
  switch (code) {
    case 409:
      return new ApiError(code, 'Conflict', 'Operation cannot be fulfilled: the object has been modified');
    case 429:
      return new ApiError(code, 'TooManyRequests', 'Too many requests, please try again later.', {
        retryAfterSeconds: 1,
      });
    case 500:
      return new ApiError(code, 'InternalError', 'Internal error occurred: etcdserver: request timed out');
    case 503:
      return new ApiError(code, 'ServiceUnavailable', 'the server is currently unable to handle the request');
  }
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
