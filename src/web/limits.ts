/** How often one address may ask: seldom with a wrong token, and never so often that the controller has no time for its work. */
import { rateLimit } from 'express-rate-limit';
import type { RateLimitRequestHandler } from 'express-rate-limit';

const MINUTE = 60_000;
/** An ingress stands for everybody behind it, and all of them may come back at once. */
const REQUESTS_A_MINUTE = 3_000;
const WRONG_TOKENS_IN_FIVE_MINUTES = 30;

export function everyRequest(): RateLimitRequestHandler {
  return limit(MINUTE, REQUESTS_A_MINUTE);
}

export function wrongTokens(): RateLimitRequestHandler {
  return limit(5 * MINUTE, WRONG_TOKENS_IN_FIVE_MINUTES, true);
}

function limit(windowMs: number, most: number, onlyRefused = false): RateLimitRequestHandler {
  return rateLimit({
    windowMs,
    limit: most,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    skipSuccessfulRequests: onlyRefused,
    requestWasSuccessful: (_request, response) => response.statusCode !== 401,
    message: { error: 'too many requests; come back later' },
    // Forwarded addresses are anybody's word and not looked at: that they are there is no mistake.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}
