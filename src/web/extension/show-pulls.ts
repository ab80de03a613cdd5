/** Pulls as the page shows them, in Argo CD's: the page's own parts and style, behind a shadow root that keeps both sides' styles apart. */
import style from '../browser/page.css';
import { moveBetweenCells } from '../browser/keys.ts';
import { replace, tick } from '../browser/refresh.ts';
import type { PullEvent } from '../events.ts';
import { html } from '../html.ts';
import { showNone, showPast } from '../show-page.ts';
import type { Application } from './argocd.ts';
import { drawPull, takeChange } from './article.ts';
import { askFor, follow, nowOf } from './feed.ts';
import { here } from './here.ts';
import { lookAt, press } from './looked.ts';
import { takeTheme } from './theme.ts';
import { placeIn } from './view.ts';
import type { Only, View } from './view.ts';

const FRAME = html`<div class="sheet">
  <p id="line"></p>
  <p id="news" role="status"></p>
  <div id="looked"></div>
  <div id="pulls"></div>
  <div id="before"></div>
</div>`;

/** Nothing is inherited from around but the theme. */
const BARE = '.sheet { all: initial; display: block; color-scheme: inherit; }';

/** Shows them in `host` until what it gives is called. */
export function showPulls(host: HTMLElement, application: Application, only?: Only): () => void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(BARE + style);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = FRAME.markup;
  const { feed, leave } = follow(application, {
    eager: true,
    listed: () => {
      list(view);
    },
    heard: (event) => {
      hear(view, event);
    },
    said: () => {
      say(view, 'line', feed.line);
    },
  });
  const view: View = { root, feed, only, asking: new Map(), looked: undefined };
  say(view, 'line', feed.line);
  if (feed.lastId !== '') list(view);
  const endings = [leave, takeTheme(host), takeHands(view)];
  return () => {
    for (const end of endings) end();
  };
}

/** Keys, presses, and the seconds that go by. */
function takeHands(view: View): () => void {
  const { root, feed } = view;
  const end = new AbortController();
  const on = (kind: string, take: (event: Event) => void): void => {
    root.addEventListener(kind, take, { signal: end.signal });
  };
  on('keydown', (event) => {
    moveBetweenCells(event as KeyboardEvent);
  });
  for (const kind of ['click', 'auxclick']) {
    on(kind, (event) => {
      press(view, event);
    });
  }
  const clock = setInterval(() => {
    tick(root, nowOf(feed));
  }, 1_000);
  return () => {
    clearInterval(clock);
    end.abort();
  };
}

function say(view: View, id: 'line' | 'news', text: string): void {
  const element = placeIn(view, id);
  if (element.textContent !== text) element.replaceChildren(text);
}

function isShown({ only }: View, { namespace, name }: Only): boolean {
  return only === undefined || (only.namespace === namespace && only.name === name);
}

function keyOf({ namespace, name }: Only): string {
  return `${namespace}/${name}`;
}

/** Everything anew. */
function list(view: View): void {
  const { feed } = view;
  const shown = [...feed.pulls.values()].filter((pull) => isShown(view, pull));
  const keys = shown.map(keyOf);
  const pulls = placeIn(view, 'pulls');
  for (const article of pulls.querySelectorAll<HTMLElement>('[data-pull]')) {
    if (!keys.includes(article.dataset.pull ?? '')) article.remove();
  }
  if (shown.length === 0) replace(pulls, here(showNone()));
  for (const pull of shown) void ask(view, pull);
  const past = feed.past.filter((pull) => isShown(view, pull));
  replace(placeIn(view, 'before'), here(showPast(past)));
}

/** One pull with its cells; what is heard until the answer is there comes after it. */
async function ask(view: View, which: Only): Promise<void> {
  const { asking, feed } = view;
  const key = keyOf(which);
  const meanwhile: PullEvent[] = [];
  asking.set(key, meanwhile);
  // Where it fails the line has failed as well, and says so; or the pull is over.
  const answer = await askFor(feed, which).catch(() => undefined);
  if (asking.get(key) !== meanwhile) return;
  asking.delete(key);
  if (answer === undefined || !feed.pulls.has(key)) return;
  drawPull(placeIn(view, 'pulls'), answer, nowOf(feed));
  for (const event of meanwhile) hear(view, event);
}

function hear(view: View, event: PullEvent): void {
  const { pull, nodes } = event;
  if (!isShown(view, pull)) return;
  const meanwhile = view.asking.get(keyOf(pull));
  if (meanwhile !== undefined) {
    meanwhile.push(event);
    return;
  }
  const before = takeChange(placeIn(view, 'pulls'), event, nowOf(view.feed));
  if (before === undefined) void ask(view, pull);
  else if (before !== pull.health) say(view, 'news', `${keyOf(pull)}: ${pull.health}. ${pull.message}`);
  const { looked } = view;
  const isLooked = looked !== undefined && keyOf(looked) === keyOf(pull);
  if (isLooked && nodes.some(({ node }) => node === looked.node)) void lookAt(view, looked);
}
