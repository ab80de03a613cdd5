/** What is shown of an application's pulls in one place of Argo CD's page, and where its parts are. */
import type { PullEvent } from '../events.ts';
import type { Feed } from './feed.ts';

/** Which pull, where not all of the application's are to be shown. */
export interface Only {
  namespace: string;
  name: string;
}

export interface View {
  root: ShadowRoot;
  feed: Feed;
  only: Only | undefined;
  /** Pulls that are asked for, by `namespace/name`, each with what was heard of it meanwhile. */
  asking: Map<string, PullEvent[]>;
  /** The node that is looked at. */
  looked: Looked | undefined;
}

export interface Looked extends Only {
  node: string;
}

export function placeIn({ root }: Pick<View, 'root'>, id: string): HTMLElement {
  const found = root.getElementById(id);
  if (found === null) throw new Error(`no #${id}`);
  return found;
}
