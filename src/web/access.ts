/** Who may see page, API and metrics: programs send the token, browsers a session that a form gives them; or everybody, when told so. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { SESSION } from './token.ts';
import type { Token } from './token.ts';

/** Open: to everybody; closed: to nobody, as if it were not there. */
export type Access = 'open' | 'closed' | Token;

const COOKIE = 'prepuller-session';

/** For programs: 401 without a right token. */
export function programs(access: Access): RequestHandler {
  return guard(access, (_request, response) => {
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'send the token: Authorization: Bearer …' });
  });
}

/** For people: without a session they are sent to the form, and from there back. */
export function people(access: Access): RequestHandler {
  return guard(access, (request, response) => {
    response.redirect(303, `/sign-in?next=${encodeURIComponent(request.originalUrl)}`);
  });
}

function guard(access: Access, refuse: (request: Request, response: Response) => void): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    if (access === 'open') next();
    else if (access === 'closed') next('route');
    else if (await isKnown(request, access)) next();
    else refuse(request, response.set('Cache-Control', 'no-store'));
  };
}

async function isKnown(request: Request, token: Token): Promise<boolean> {
  const [, given] = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (given !== undefined) return token.isRight(given);
  const [, session] = /(?:^|;) *prepuller-session=([\w.-]+)/.exec(request.get('cookie') ?? '') ?? [];
  return session !== undefined && token.isSession(session);
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
