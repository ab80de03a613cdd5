/** The cells of a pull, one a node: in groups from the worst to what is done, in each the one first that has taken longest. */
import { html } from './html.ts';
import type { Markup } from './html.ts';
import type { Pull, PullNode } from './pull.ts';
import { nodePath } from './show-pull.ts';
import { GROUPS, groupOf } from './words.ts';
import type { Look } from './words.ts';

/** What a cell is made from. */
export type Cell = Pick<PullNode, 'node' | 'state' | 'reason' | 'since'>;

/** More nodes than this are shown as signs alone; their names are read and shown on focus. */
export const NAMED = 300;

/** `cells` in the order of the page. */
export function showCells(pull: Pull, cells: readonly Cell[]): Markup {
  const byGroup = Map.groupBy(cells, groupOf);
  const groups = GROUPS.map((group) => showGroup(pull, group, byGroup.get(group) ?? []));
  const dense = cells.length > NAMED ? ' dense' : '';
  return html`<div class="cells${dense}">${groups}</div>`;
}

function showGroup(pull: Pull, { kind, title }: Look, cells: readonly Cell[]): Markup {
  const hidden = cells.length === 0 ? html` hidden` : html``;
  return html`<section class="group ${kind}" aria-label="${title}: nodes of ${pull.namespace}/${pull.name}" ${hidden}>
    <h3>${title} <span class="count">${cells.length}</span></h3>
    <ul>
      ${cells.map((cell) => showCell(pull, cell))}
    </ul>
  </section>`;
}

export function showCell(pull: Pick<Pull, 'namespace' | 'name'>, cell: Cell): Markup {
  const { sign, title, kind } = groupOf(cell);
  const since = cell.since === undefined ? '' : String(Date.parse(cell.since));
  return html`<li data-node="${cell.node}" data-since="${since}">
    <a class="${kind}" href="${nodePath(pull, cell.node)}" title="${cell.node}" aria-label="${cell.node}: ${title}"
      ><i>${sign}</i><span>${cell.node}</span></a
    >
  </li>`;
}
