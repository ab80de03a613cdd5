/** The page's script: takes each change from the server's events, asks for the whole page again where it missed some, and says how the line is. */
import type { GoneEvent, PullEvent } from '../events.ts';
import { showPull } from '../show-pull.ts';
import { LINE } from '../words.ts';
import { changeCells } from './cells.ts';
import { moveBetweenCells, rove } from './keys.ts';
import { replace, tick } from './refresh.ts';

/** Milliseconds between two whole pages at least, and how far readers spread so that they do not all ask at once. */
const ASK_EVERY = 2_000;
const SPREAD = 500;
/** Milliseconds until a line that the server closed is tried again. */
const AGAIN = 1_500;

/** The server's clock, by this one. */
let ahead = 0;
let askedAt = -Infinity;
let asking = false;

function now(): number {
  return Date.now() + ahead;
}

function main(): HTMLElement {
  return document.querySelector('main') ?? document.body;
}

function articleOf(key: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[data-pull]')].find((article) => article.dataset.pull === key);
}

function say(id: 'line' | 'news', text: string): void {
  const place = document.getElementById(id);
  if (place?.textContent !== text) place?.replaceChildren(text);
}

function changed({ at, pull, nodes, removed }: PullEvent): void {
  ahead = Date.parse(at) - Date.now();
  const article = articleOf(`${pull.namespace}/${pull.name}`);
  if (article?.dataset.uid !== pull.uid) {
    if (isOverview() || article !== undefined) askSoon();
    return;
  }
  const before = article.querySelector('.health b')?.textContent;
  const head = article.querySelector('.head');
  if (head !== null) replace(head, showPull(pull, now()).markup);
  changeCells(article, pull, { nodes, removed });
  if (before !== pull.health) say('news', `${pull.namespace}/${pull.name}: ${pull.health}. ${pull.message}`);
  const looked = document.getElementById('node')?.dataset.node;
  if (nodes.some(({ node }) => node === looked)) askSoon();
}

function isOverview(): boolean {
  return document.getElementById('pulls') !== null;
}

function gone({ namespace, name }: GoneEvent): void {
  const article = articleOf(`${namespace}/${name}`);
  if (article === undefined) return;
  say('news', `${namespace}/${name} is over`);
  if (isOverview()) askSoon();
}

/** The whole page from the server, once for everything that asks for it meanwhile. */
function askSoon(): void {
  if (asking) return;
  asking = true;
  const wait = Math.max(0, askedAt + ASK_EVERY - Date.now()) + Math.random() * SPREAD;
  setTimeout(() => {
    askedAt = Date.now();
    void ask().finally(() => {
      asking = false;
    });
  }, wait);
}

async function ask(): Promise<void> {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (response.redirected) {
    location.assign(response.url);
    return;
  }
  if (!response.ok && response.status !== 404) throw new Error(`answered ${String(response.status)}`);
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
  if (fresh === null) return;
  const { now: time, last } = fresh.dataset;
  Object.assign(main().dataset, { now: time, last });
  replace(main(), fresh.innerHTML);
  setUp();
}

function setUp(): void {
  ahead = Number(main().dataset.now ?? Date.now()) - Date.now();
  for (const cells of document.querySelectorAll<HTMLElement>('.cells')) rove(cells);
}

function listen(): void {
  const source = new EventSource(`/api/v1/events?after=${main().dataset.last ?? ''}`);
  const on = (name: string, take: (data: unknown) => void): void => {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      take(JSON.parse(data));
    });
  };
  on('pull', (event) => {
    changed(event as PullEvent);
  });
  on('gone', (event) => {
    gone(event as GoneEvent);
  });
  on('stale', askSoon);
  on('reset', askSoon);
  source.onopen = () => {
    say('line', LINE.live);
  };
  source.onerror = () => {
    say('line', LINE.down);
    // Refused, not broken: the browser gives up then. The session may be over, and the page asks for that.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      ask().then(listen, listen);
    }, AGAIN);
  };
}

setUp();
document.addEventListener('keydown', moveBetweenCells);
setInterval(() => {
  tick(document, now());
}, 1_000);
listen();
