/** Cells that change, one by one: each goes to its group, there to its place, and nothing else is touched. */
import type { ChangedNode } from '../events.ts';
import type { Pull } from '../pull.ts';
import { showCell } from '../show-cells.ts';
import { GROUPS, groupOf } from '../words.ts';
import { rove } from './keys.ts';

interface Changes {
  nodes: readonly ChangedNode[];
  removed: readonly string[];
}

/** The cells of an article by node, made at the first change and kept with them. */
const known = new WeakMap<Element, Map<string, HTMLLIElement>>();

export function changeCells(article: HTMLElement, pull: Pull, { nodes, removed }: Changes): void {
  const cells = article.querySelector<HTMLElement>('.cells');
  if (cells === null || nodes.length + removed.length === 0) return;
  const byNode = known.get(cells) ?? read(cells);
  known.set(cells, byNode);
  keepingFocus(cells, byNode, () => {
    for (const node of removed) take(byNode, node);
    for (const node of nodes) {
      take(byNode, node.node);
      const cell = made(pull, node);
      byNode.set(node.node, cell);
      insert(listOf(cells, node), cell);
    }
    count(cells);
    rove(cells);
  });
}

/** A cell that is looked at goes to its new place with the focus on it. */
function keepingFocus(cells: HTMLElement, byNode: ReadonlyMap<string, HTMLLIElement>, change: () => void): void {
  const looked = (cells.getRootNode() as Document | ShadowRoot).activeElement?.closest('li');
  const node = cells.contains(looked ?? null) ? looked?.dataset.node : undefined;
  change();
  if (node !== undefined) byNode.get(node)?.querySelector('a')?.focus();
}

function take(byNode: Map<string, HTMLLIElement>, node: string): void {
  byNode.get(node)?.remove();
  byNode.delete(node);
}

function read(cells: HTMLElement): Map<string, HTMLLIElement> {
  return new Map([...cells.querySelectorAll('li')].map((cell) => [cell.dataset.node ?? '', cell]));
}

function made(pull: Pull, node: ChangedNode): HTMLLIElement {
  const template = document.createElement('template');
  template.innerHTML = showCell(pull, node).markup;
  return template.content.firstElementChild as HTMLLIElement;
}

function listOf(cells: HTMLElement, node: ChangedNode): HTMLElement {
  const place = GROUPS.indexOf(groupOf(node));
  return cells.querySelectorAll<HTMLElement>('.group > ul')[place] ?? cells;
}

/** By age, then by name, as the server orders them: found by halves. */
function insert(list: HTMLElement, cell: HTMLLIElement): void {
  const others = list.children;
  let low = 0;
  let high = others.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(others[middle] as HTMLLIElement, cell)) low = middle + 1;
    else high = middle;
  }
  list.insertBefore(cell, others[low] ?? null);
}

function isBefore(one: HTMLLIElement, other: HTMLLIElement): boolean {
  const [mine, its] = [sinceOf(one), sinceOf(other)];
  return mine === its ? (one.dataset.node ?? '') < (other.dataset.node ?? '') : mine < its;
}

function sinceOf({ dataset: { since = '' } }: HTMLLIElement): number {
  return since === '' ? Infinity : Number(since);
}

function count(cells: HTMLElement): void {
  for (const group of cells.querySelectorAll<HTMLElement>('.group')) {
    const number = group.querySelector('ul')?.childElementCount ?? 0;
    group.hidden = number === 0;
    const shown = group.querySelector('.count');
    if (shown !== null) shown.textContent = String(number);
  }
}
