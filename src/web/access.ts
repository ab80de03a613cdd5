/** Who may see page, API and metrics: programs send the token, browsers a session that a form gives them; or everybody, when told so. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Guesses } from './limits.ts';
import { SESSION } from './token.ts';
import type { Token } from './token.ts';

/** Open: to everybody; closed: to nobody, as if it were not there. */
export type Access = 'open' | 'closed' | Token;

const COOKIE = 'prepuller-session';

/** For programs: 401 without a right token. */
export function programs(access: Access, guesses: Guesses): RequestHandler {
  return guard(access, guesses, (_request, response) => {
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'send the token: Authorization: Bearer …' });
  });
}

/** For people: without a session they are sent to the form, and from there back. */
export function people(access: Access, guesses: Guesses): RequestHandler {
  return guard(access, guesses, (request, response) => {
    response.redirect(303, `/sign-in?next=${encodeURIComponent(request.originalUrl)}`);
  });
}

function guard(
  access: Access,
  guesses: Guesses,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    if (access === 'open') next();
    else if (access === 'closed') next('route');
    else if (await guesses.tooMany(request)) tooManyGuesses(response);
    else if (await isKnown(request, access, guesses)) next();
    else refuse(request, response.set('Cache-Control', 'no-store'));
  };
}

export function tooManyGuesses(response: Response): void {
  response.status(429).set('Retry-After', '300').json({ error: 'too many wrong tokens; come back in five minutes' });
}

/** Who gives nothing has guessed nothing. */
async function isKnown(request: Request, token: Token, guesses: Guesses): Promise<boolean> {
  const [, given] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
  const [, session] = /(?:^|;) *prepuller-session=([\w.-]+)/.exec(request.get('cookie') ?? '') ?? [];
  if (given === undefined && session === undefined) return false;
  const isRight = given === undefined ? await token.isSession(session ?? '') : await token.isRight(given);
  if (!isRight) await guesses.wrong(request);
  return isRight;
}

export function setSession(request: Request, response: Response, session: string): void {
  response.cookie(COOKIE, session, { ...cookieOf(request), maxAge: SESSION });
}

export function clearSession(request: Request, response: Response): void {
  response.clearCookie(COOKIE, cookieOf(request));
}

/** Over plain HTTP, as through a port-forward, a Secure cookie would never come back. */
function cookieOf(request: Request): { httpOnly: true; sameSite: 'strict'; path: '/'; secure: boolean } {
  const isSecure = request.secure || request.get('x-forwarded-proto') === 'https';
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: isSecure };
}
