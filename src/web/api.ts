/** `/api/v1`: pulls as JSON, page by page, with an ETag that changes when something did; and each change as it comes. */
import { Router } from 'express';
import type { Request, Response } from 'express';
import { OPENAPI } from './openapi.ts';
import { nodeOf } from './pull.ts';
import type { PullsView } from './pulls.ts';
import type { Stream } from './stream.ts';

interface Page<T> {
  items: T[];
  total: number;
  /** For the next page. */
  next: string | undefined;
}

const LIMIT = 100;
const MOST = 1_000;

/** `viewOf`: what whoever is answered may see. */
export function apiRoutes(viewOf: (response: Response) => PullsView, stream: Stream): Router {
  const router = Router();
  router.get('/openapi.json', (_request, response) => {
    response.json(OPENAPI);
  });
  router.get('/pulls', (request, response) => {
    const pulls = viewOf(response);
    const past = request.query.past === 'true';
    const all = past ? pulls.past() : pulls.current().map(({ pull }) => pull);
    const page = pageOf(all, request, (pull) => `${pull.namespace}/${pull.name}/${pull.uid}/${pull.generation}`);
    if (page === undefined) refuse(response);
    else answer(request, response, { tag: stream.lastId(), body: { pulls: page.items, ...rest(page) } });
  });
  router.get('/pulls/:namespace/:name', (request, response) => {
    const known = viewOf(response).find(request.params.namespace, request.params.name);
    if (known === undefined) {
      response.status(404).json({ error: 'there is no such pull now' });
      return;
    }
    const only = request.query.node;
    const states = known.verdict.nodes.filter(({ node }) => only === undefined || node === only);
    const page = pageOf(states, request, ({ node }) => node);
    if (page === undefined) refuse(response);
    else {
      const nodes = page.items.map((state) => nodeOf(state, known.verdict.facts));
      const tag = `${stream.lastId().split('-', 1).join()}-${known.version}`;
      answer(request, response, { tag, body: { pull: known.pull, nodes, ...rest(page) } });
    }
  });
  router.get('/events', (request, response) => {
    stream.connect(request, response, viewOf(response).owner);
  });
  return router;
}

/** Undefined when the question is none: a limit or a mark that was not given out. */
function pageOf<T>(all: readonly T[], { query }: Request, keyOf: (item: T) => string): Page<T> | undefined {
  const limit = asked(query.limit, /^[1-9]\d{0,3}$/, String(LIMIT));
  const mark = asked(query.continue, /^[\w-]{1,2000}$/, '');
  if (limit === undefined || mark === undefined || Number(limit) > MOST) return undefined;
  const from = mark === '' ? 0 : placeAfter(all, Buffer.from(mark, 'base64url').toString(), keyOf);
  const items = all.slice(from, from + Number(limit));
  const end = from + items.length < all.length ? items.at(-1) : undefined;
  return { items, total: all.length, next: end && Buffer.from(keyOf(end)).toString('base64url') };
}

/** What was given, the standard when nothing was; undefined for what is not of this form. */
function asked(given: unknown, form: RegExp, standard: string): string | undefined {
  if (given === undefined) return standard;
  return typeof given === 'string' && form.test(given) ? given : undefined;
}

/** Behind the item a page ended with; where that is gone, where it would stand. */
function placeAfter<T>(all: readonly T[], last: string, keyOf: (item: T) => string): number {
  const found = all.findIndex((item) => keyOf(item) === last);
  if (found >= 0) return found + 1;
  const next = all.findIndex((item) => keyOf(item) > last);
  return next < 0 ? all.length : next;
}

function rest({ total, next }: Page<unknown>): { total: number; continue?: string } {
  return { total, ...(next !== undefined && { continue: next }) };
}

function refuse(response: Response): void {
  response.status(400).json({ error: `limit is a number from 1 to ${MOST}, continue what the last answer gave` });
}

/** Told by the tag alone: `fetch` adds `no-cache` to a conditional request, and proxies make a tag weak. */
function answer(request: Request, response: Response, { tag, body }: { tag: string; body: object }): void {
  const known = (request.get('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  response.set({ ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' });
  if (known.includes(`"${tag}"`)) response.status(304).end();
  else response.json(body);
}
