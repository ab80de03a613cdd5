/** How often one address may ask, and how often it may be wrong: never so often that the controller has no time for its work. */
import type { Request } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit } from 'express-rate-limit';
import type { Options, RateLimitRequestHandler } from 'express-rate-limit';

const MINUTE = 60_000;
/** An ingress stands for everybody behind it, and all of them may come back at once. */
const REQUESTS_A_MINUTE = 3_000;
/** Wrong tokens in five minutes; then the right one is not taken either. */
const GUESSES = 30;

export function everyRequest(): RateLimitRequestHandler {
  return rateLimit({
    windowMs: MINUTE,
    limit: REQUESTS_A_MINUTE,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    message: { error: 'too many requests; come back later' },
    // Forwarded addresses are anybody's word and not looked at: that they are there is no mistake.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}

export interface Guesses {
  tooMany(request: Request): Promise<boolean>;
  wrong(request: Request): Promise<void>;
}

/** Counts what was wrong alone: a stream of events that is right may stay open for days. */
export function countGuesses(): Guesses {
  const store = new MemoryStore();
  store.init({ windowMs: 5 * MINUTE } as Options);
  const keyOf = ({ ip = '' }: Request): string => ipKeyGenerator(ip);
  return {
    async tooMany(request) {
      return ((await store.get(keyOf(request)))?.totalHits ?? 0) >= GUESSES;
    },
    async wrong(request) {
      await store.increment(keyOf(request));
    },
  };
}
