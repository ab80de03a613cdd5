/** The node that somebody pressed: all that is known of it, above the pulls, and new whenever it is. */
import { replace } from '../browser/refresh.ts';
import { showNode } from '../show-page.ts';
import { askFor, nowOf } from './feed.ts';
import { here, readHere } from './here.ts';
import { placeIn } from './view.ts';
import type { Looked, View } from './view.ts';

/** Takes presses on what would lead to the controller's page; a press on a pull's own name puts the node away. */
export function press(view: View, event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const led = readHere(link?.getAttribute('href') ?? '');
  if (led === undefined) return;
  event.preventDefault();
  if (led?.node === undefined) {
    view.looked = undefined;
    placeIn(view, 'looked').replaceChildren();
    return;
  }
  view.looked = { ...led, node: led.node };
  void lookAt(view, view.looked).then(() => {
    const section = placeIn(view, 'looked').querySelector('section');
    if (section === null) return;
    section.tabIndex = -1;
    section.focus();
  });
}

export async function lookAt(view: View, looked: Looked): Promise<void> {
  const answer = await askFor(view.feed, looked, looked.node).catch(() => undefined);
  if (answer === undefined || view.looked !== looked) return;
  replace(placeIn(view, 'looked'), here(showNode(answer.nodes[0] ?? null, nowOf(view.feed))));
}
