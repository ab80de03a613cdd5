/** Parts of a page made anew while somebody reads them: the focus stays on what stands for the same thing, and elapsed times go on. */
import { spanText } from '../words.ts';

/** Keeps the focus on what stands for the same thing. */
export function replace(element: Element, markup: string): void {
  const { activeElement } = element.getRootNode() as Document | ShadowRoot;
  const focused = element.contains(activeElement) ? activeElement : null;
  const mark = focused === null ? null : markOf(focused);
  element.innerHTML = markup;
  if (mark === null) return;
  const same = [...element.querySelectorAll<HTMLElement>('a, [tabindex]')];
  same.find((one) => markOf(one) === mark)?.focus();
}

function markOf(element: Element): string | null {
  return element.getAttribute('href') ?? element.getAttribute('aria-label');
}

/** `now`: by the server's clock. */
export function tick(root: ParentNode, now: number): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-from]')) {
    const text = spanText(now - Number(element.dataset.from));
    if (element.textContent !== text) element.textContent = text;
  }
}
