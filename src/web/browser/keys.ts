/** The cells of a pull are one stop for the Tab key; arrows, Home and End go on among them. One listener for the page, none for a cell. */

const ALL = '.group:not([hidden]) a';

/** Leaves one cell in the order of Tab: the one that had it, else the first. */
export function rove(cells: HTMLElement): void {
  const links = [...cells.querySelectorAll<HTMLAnchorElement>(ALL)];
  const present = links.find((link) => link.dataset.stop !== undefined) ?? links[0];
  for (const link of links) link.tabIndex = link === present ? 0 : -1;
  if (present !== undefined) present.dataset.stop = '';
}

export function moveBetweenCells(event: KeyboardEvent): void {
  const from = event.target instanceof HTMLAnchorElement ? event.target : null;
  const cells = from?.closest<HTMLElement>('.cells');
  if (from === null || cells === null || cells === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  const to = next(event.key, from, [...cells.querySelectorAll<HTMLAnchorElement>(ALL)]);
  if (to === undefined) return;
  event.preventDefault();
  from.tabIndex = -1;
  delete from.dataset.stop;
  to.tabIndex = 0;
  to.dataset.stop = '';
  to.focus();
}

function next(
  key: string,
  from: HTMLAnchorElement,
  links: readonly HTMLAnchorElement[],
): HTMLAnchorElement | undefined {
  const at = links.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return links[at + 1];
    case 'ArrowLeft':
      return links[at - 1];
    case 'ArrowDown':
      return inOtherRow(from, links.slice(at + 1));
    case 'ArrowUp':
      return inOtherRow(from, links.slice(0, Math.max(at, 0)).reverse());
    case 'Home':
      return links[0];
    case 'End':
      return links.at(-1);
    default:
      return undefined;
  }
}

/** The nearest one of the next row there is. */
function inOtherRow(from: HTMLAnchorElement, links: readonly HTMLAnchorElement[]): HTMLAnchorElement | undefined {
  const top = from.getBoundingClientRect().top;
  const left = from.getBoundingClientRect().left;
  const first = links.find((link) => Math.abs(link.getBoundingClientRect().top - top) > 2);
  if (first === undefined) return undefined;
  const row = first.getBoundingClientRect().top;
  const distance = (link: HTMLAnchorElement): number => Math.abs(link.getBoundingClientRect().left - left);
  const start = links.indexOf(first);
  let nearest = first;
  for (const link of links.slice(start)) {
    if (Math.abs(link.getBoundingClientRect().top - row) > 2) break;
    if (distance(link) < distance(nearest)) nearest = link;
  }
  return nearest;
}
