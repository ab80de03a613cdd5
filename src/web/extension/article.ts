/** One pull in Argo CD's page: drawn whole, then changed as its events say. */
import { changeCells } from '../browser/cells.ts';
import { rove } from '../browser/keys.ts';
import { replace } from '../browser/refresh.ts';
import type { PullEvent } from '../events.ts';
import type { PullNode } from '../pull.ts';
import { showCells } from '../show-cells.ts';
import { showArticle } from '../show-page.ts';
import { showPull } from '../show-pull.ts';
import type { PullWithNodes } from './feed.ts';
import { here, keepHere } from './here.ts';

/** In the place of its article, or in the order of names. */
export function drawPull(pulls: HTMLElement, { pull, nodes }: PullWithNodes, now: number): void {
  const template = document.createElement('template');
  template.innerHTML = here(showArticle({ pull, cells: showCells(pull, [...nodes].sort(byAge)) }, now));
  const fresh = template.content.firstElementChild as HTMLElement;
  const key = fresh.dataset.pull ?? '';
  const articles = [...pulls.querySelectorAll<HTMLElement>('[data-pull]')];
  const old = articles.find((article) => article.dataset.pull === key);
  if (articles.length === 0) pulls.replaceChildren(fresh);
  else if (old === undefined) pulls.insertBefore(fresh, articles.find((one) => (one.dataset.pull ?? '') > key) ?? null);
  else {
    old.dataset.uid = pull.uid;
    replace(old, fresh.innerHTML);
  }
  for (const cells of (old ?? fresh).querySelectorAll<HTMLElement>('.cells')) rove(cells);
}

/** The health it had before; undefined where this pull is not drawn. */
export function takeChange(pulls: HTMLElement, event: PullEvent, now: number): string | undefined {
  const { pull } = event;
  const key = `${pull.namespace}/${pull.name}`;
  const articles = [...pulls.querySelectorAll<HTMLElement>('[data-pull]')];
  const article = articles.find(({ dataset }) => dataset.pull === key && dataset.uid === pull.uid);
  const head = article?.querySelector('.head');
  if (article === undefined || head === null || head === undefined) return undefined;
  const before = head.querySelector('.health b')?.textContent ?? '';
  replace(head, here(showPull(pull, now)));
  changeCells(article, pull, event);
  keepHere(article);
  return before;
}

/** The one first that has taken longest, as the page's server orders them. */
function byAge(one: PullNode, other: PullNode): number {
  const [mine, its] = [one.since ?? '~', other.since ?? '~'];
  if (mine !== its) return mine < its ? -1 : 1;
  return one.node < other.node ? -1 : 1;
}
