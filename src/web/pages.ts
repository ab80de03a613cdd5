/** The pages: all pulls, one pull with one of its nodes, and the form that lets a browser in. */
import { Router, urlencoded } from 'express';
import type { Request, Response } from 'express';
import { clearSession, people, setSession, tooManyGuesses } from './access.ts';
import type { Access } from './access.ts';
import type { Assets } from './assets.ts';
import { changedNode } from './events.ts';
import type { Markup } from './html.ts';
import type { Guesses } from './limits.ts';
import { bySeverity, nodeOf } from './pull.ts';
import type { Known, Pulls } from './pulls.ts';
import { showCells } from './show-cells.ts';
import { showNote, showOne, showOverview, showSignIn } from './show-page.ts';
import type { Frame, Shown } from './show-page.ts';
import type { Stream } from './stream.ts';

export interface PageParts {
  pulls: Pulls;
  stream: Stream;
  access: Access;
  assets: Assets;
  guesses: Guesses;
}

export function pageRoutes({ pulls, stream, access, assets, guesses }: PageParts): Router {
  const router = Router();
  /** Thousands of cells are put together once a change, not once a reader. */
  const cells = new WeakMap<Known, Markup>();
  const frame = (): Frame => ({
    assets,
    now: Math.round(pulls.now()),
    lastId: stream.lastId(),
    signedIn: access !== 'open',
  });

  function shownOf(known: Known): Shown {
    const made = cells.get(known) ?? cellsOf(known);
    cells.set(known, made);
    return { pull: known.pull, cells: made };
  }

  router.get('/', people(access, guesses), (_request, response) => {
    send(response, showOverview(frame(), pulls.current().map(shownOf), pulls.past()));
  });
  router.get('/pulls/:namespace/:name', people(access, guesses), (request, response) => {
    const known = pulls.find(request.params.namespace as string, request.params.name as string);
    if (known === undefined) {
      send(
        response.status(404),
        showNote(assets, 'Not here', 'There is no such pull now. It may be among the past ones.'),
      );
      return;
    }
    const asked = request.query.node;
    const state = known.verdict.nodes.find(({ node }) => node === asked);
    const node = state === undefined ? null : nodeOf(state, known.verdict.facts);
    send(response, showOne(frame(), shownOf(known), asked === undefined ? undefined : node));
  });
  return router;
}

function cellsOf({ pull, verdict }: Known): Markup {
  return showCells(pull, [...verdict.nodes].sort(bySeverity).map(changedNode));
}

function send(response: Response, page: string): void {
  response.set('Cache-Control', 'no-store').type('html').send(page);
}

/** Only where there is a token to sign in with. */
export function signInRoutes({ access, assets, guesses }: PageParts): Router {
  const router = Router();
  if (access === 'open' || access === 'closed') return router;
  router.get('/sign-in', (request, response) => {
    send(response, showSignIn(assets, ownPath(request.query.next), false));
  });
  router.post('/sign-in', urlencoded({ extended: false, limit: '8kb' }), async (request, response) => {
    if (await guesses.tooMany(request)) {
      tooManyGuesses(response);
      return;
    }
    const { token, next } = (request.body ?? {}) as Record<string, unknown>;
    const isRight = isOwn(request) && typeof token === 'string' && (await access.isRight(token.trim()));
    const session = isRight ? await access.newSession() : undefined;
    if (session === undefined) {
      await guesses.wrong(request);
      send(response.status(401), showSignIn(assets, ownPath(next), true));
      return;
    }
    setSession(request, response, session);
    response.redirect(303, ownPath(next));
  });
  router.post('/sign-out', (request, response) => {
    if (isOwn(request)) clearSession(request, response);
    response.redirect(303, '/sign-in');
  });
  return router;
}

/** Browsers say where a form stood. */
function isOwn(request: Request): boolean {
  return ['same-origin', 'none', undefined].includes(request.get('sec-fetch-site'));
}

/** A path of this server; the overview for everything else, so that nobody is led away. */
function ownPath(text: unknown): string {
  const here = 'http://here.invalid';
  if (typeof text !== 'string' || !URL.canParse(text, here)) return '/';
  const url = new URL(text, here);
  return url.origin === here && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : '/';
}
