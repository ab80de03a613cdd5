/** The controller's HTTP: probes that know something, and metrics. */
import express from 'express';
import type { Express, Response } from 'express';

export interface Probe {
  ok: boolean;
  /** One sentence for each thing that is wrong. */
  problems: readonly string[];
}

export interface WebParts {
  /** False means that only a restart helps. */
  live: () => Probe;
  ready: () => Probe;
  metrics: { contentType: string; text: () => Promise<string> };
}

export function createApp({ live, ready, metrics }: WebParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/livez', (_request, response) => {
    answer(response, live());
  });
  app.get('/readyz', (_request, response) => {
    answer(response, ready());
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  app.use((_request, response) => {
    response.status(404).type('text/plain').send('not found\n');
  });
  return app;
}

function answer(response: Response, { ok, problems }: Probe): void {
  const text = ok ? 'ok\n' : problems.map((problem) => `${problem}\n`).join('');
  response
    .status(ok ? 200 : 503)
    .type('text/plain')
    .set('Cache-Control', 'no-store')
    .send(text);
}
