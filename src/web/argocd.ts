/**
 * What Argo CD's UI asks for through argocd-server's proxy extension (server/extension), on a port of its own: whoever may use the
 * proxy chooses path and headers, and can have headers taken off by `Connection`, so that nothing else may be served here.
 */
import express from 'express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { tooManyGuesses } from './access.ts';
import { apiRoutes } from './api.ts';
import { answerTheRest } from './app.ts';
import { securityHeaders } from './headers.ts';
import { countGuesses, everyRequest } from './limits.ts';
import type { Guesses } from './limits.ts';
import type { Pulls } from './pulls.ts';
import type { Stream } from './stream.ts';
import type { Token } from './token.ts';

export interface ArgoCdParts {
  /** What argocd-server adds to each request it relays; its users never see it. */
  secret: Token;
  pulls: Pulls;
  stream: Stream;
  /** A request ended with an error nobody expected; the answer says nothing of it. */
  failed: (error: unknown) => void;
}

export const SECRET_HEADER = 'Argocd-Prepuller-Secret';

export function createArgoCdApp({ secret, pulls, stream, failed }: ArgoCdParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(securityHeaders(), everyRequest());
  app.use(
    '/api/v1',
    relayed(secret, countGuesses()),
    apiRoutes(({ locals }) => pulls.of(locals.owner as string), stream),
  );
  answerTheRest(app, failed);
  return app;
}

/** Lets through what argocd-server has asked its RBAC about, with the application it asked about in `locals.owner`. */
function relayed(secret: Token, guesses: Guesses): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    const given = request.get(SECRET_HEADER);
    if (await guesses.tooMany(request)) {
      tooManyGuesses(response);
      return;
    }
    if (given === undefined || !(await secret.isRight(given))) {
      if (given !== undefined) await guesses.wrong(request);
      response.status(401).json({ error: 'only argocd-server may ask here, with the secret of its extension' });
      return;
    }
    const owner = ownerIn(request);
    if (owner === undefined) response.status(400).json({ error: 'which application? Argocd-Application-Name says so' });
    else {
      response.locals.owner = owner;
      next();
    }
  };
}

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * The name in tracking ids (pkg/apis/application/v1alpha1: Application.InstanceName). Argo CD looks at the first of several headers
 * and relays all: they come as one with commas, which is no name.
 */
function ownerIn(request: Request): string | undefined {
  const home = request.get('argocd-namespace') ?? '';
  const [namespace = '', name = '', ...more] = (request.get('argocd-application-name') ?? '').split(':');
  if (more.length > 0 || ![home, namespace, name].every((one) => NAME.test(one))) return undefined;
  return namespace === home ? name : `${namespace}_${name}`;
}
