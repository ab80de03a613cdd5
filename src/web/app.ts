/** The controller's HTTP, route by route: probes for everybody, all else for those who may. */
import express from 'express';
import type { ErrorRequestHandler, Express, Response } from 'express';
import { programs } from './access.ts';
import type { Access } from './access.ts';
import { apiRoutes } from './api.ts';
import { assetRoutes } from './assets.ts';
import type { Assets } from './assets.ts';
import { securityHeaders } from './headers.ts';
import { countGuesses, everyRequest } from './limits.ts';
import { pageRoutes, signInRoutes } from './pages.ts';
import type { Pulls } from './pulls.ts';
import type { Stream } from './stream.ts';

export interface Probe {
  ok: boolean;
  /** One sentence for each thing that is wrong. */
  problems: readonly string[];
}

export interface WebParts {
  /** False means that only a restart helps. */
  live: () => Probe;
  ready: () => Probe;
  metrics: { contentType: string; text: () => Promise<string>; access: Access };
  page: { access: Access; pulls: Pulls; stream: Stream; assets: Assets };
  /** A request ended with an error nobody expected; the answer says nothing of it. */
  failed: (error: unknown) => void;
}

export function createApp({ live, ready, metrics, page, failed }: WebParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.get('/livez', (_request, response) => {
    answer(response, live());
  });
  app.get('/readyz', (_request, response) => {
    answer(response, ready());
  });
  app.use(securityHeaders(), everyRequest());
  const guesses = countGuesses();
  app.get('/metrics', programs(metrics.access, guesses), async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  if (page.access !== 'closed') {
    app.use(assetRoutes(page.assets));
    app.use(
      '/api/v1',
      programs(page.access, guesses),
      apiRoutes(() => page.pulls, page.stream),
    );
    app.use(signInRoutes({ ...page, guesses }), pageRoutes({ ...page, guesses }));
  }
  answerTheRest(app, failed);
  return app;
}

/** What no route has answered, or none could. */
export function answerTheRest(app: Express, failed: WebParts['failed']): void {
  app.use((_request, response) => {
    response.status(404).type('text/plain').send('not found\n');
  });
  app.use(errorAnswer(failed));
}

function answer(response: Response, { ok, problems }: Probe): void {
  const text = ok ? 'ok\n' : problems.map((problem) => `${problem}\n`).join('');
  response
    .status(ok ? 200 : 503)
    .type('text/plain')
    .set('Cache-Control', 'no-store')
    .send(text);
}

/** What the client got wrong is its own business; everything else is ours, and stays here. */
function errorAnswer(failed: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const status = (error as { status?: unknown }).status;
    const isTheirs = typeof status === 'number' && status >= 400 && status < 500;
    if (!isTheirs) failed(error);
    if (response.headersSent) next(error);
    else
      response
        .status(isTheirs ? status : 500)
        .type('text/plain')
        .send(isTheirs ? 'bad request\n' : 'internal error\n');
  };
}
