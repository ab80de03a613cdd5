/** Addresses of the controller's page lead nowhere on Argo CD's: they are marked, and a press on one is taken here. */
import type { Markup } from '../html.ts';

/** Values are escaped: a quotation mark before a path is the attribute's own. */
export function here({ markup }: Markup): string {
  return markup.replaceAll('href="/', 'href="#/');
}

/** The same for cells that were put in one by one. */
export function keepHere(element: Element): void {
  for (const link of element.querySelectorAll('a[href^="/"]')) {
    link.setAttribute('href', `#${link.getAttribute('href') ?? ''}`);
  }
}

/** The pull, and perhaps the node, that an address is of; undefined for others, null for all pulls. */
export function readHere(
  href: string,
): { namespace: string; name: string; node: string | undefined } | null | undefined {
  if (!href.startsWith('#/')) return undefined;
  const { pathname, searchParams } = new URL(href.slice(1), 'http://here.invalid');
  const [, , namespace, name] = pathname.split('/').map(decodeURIComponent);
  if (namespace === undefined || name === undefined) return null;
  return { namespace, name, node: searchParams.get('node') ?? undefined };
}
