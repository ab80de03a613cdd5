/** Lists in pages that all show the state of the first one: the state of an old version is today's with the changes since undone. */
import { badRequest, expired } from './errors.ts';
import type { Resource } from './resources.ts';
import { apiVersionOf } from './resources.ts';
import type { Predicate } from './selectors.ts';
import { fieldSelector, labelSelector } from './selectors.ts';
import type { ApiObject, Fields, Store } from './store.ts';
import { keyOf } from './store.ts';

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.';

export type Lister = (resource: Resource, namespace: string | undefined, query: URLSearchParams) => Fields;

export function createLister(store: Store): Lister {
  /** The newest sorted state of each resource, since pages of one list follow each other. */
  const states = new Map<Resource, { version: number; objects: ApiObject[] }>();

  function stateAt(resource: Resource, version: number): ApiObject[] {
    const known = states.get(resource);
    if (known?.version === version) return known.objects;
    const undone = store.history.since(resource, version);
    if (undone === undefined) throw expired(TOO_OLD);
    const objects = new Map(store.list(resource).map((object) => [keyOf(object.metadata), object]));
    for (const { object, previous } of undone.reverse()) {
      if (previous === undefined) objects.delete(keyOf(object.metadata));
      else objects.set(keyOf(object.metadata), previous);
    }
    const sorted = [...objects.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    states.set(resource, { version, objects: sorted });
    return sorted;
  }

  return (resource, namespace, query) => {
    const { version, behind } = readContinue(query.get('continue'), store.version());
    const matches = selectorOf(query, resource);
    const wanted = stateAt(resource, version).filter(
      (object) =>
        (namespace === undefined || object.metadata.namespace === namespace) &&
        keyOf(object.metadata) > behind &&
        matches(object),
    );
    const limit = Number(query.get('limit') ?? 0);
    const page = limit > 0 ? wanted.slice(0, limit) : wanted;
    const more = wanted.length - page.length;
    const last = page.at(-1);
    const metadata: Fields = { resourceVersion: String(version) };
    if (more > 0 && last !== undefined) {
      metadata.continue = writeContinue(version, keyOf(last.metadata));
      if (!query.has('labelSelector') && !query.has('fieldSelector')) metadata.remainingItemCount = more;
    }
    return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items: page };
  };
}

/** Both selectors of a query as one predicate; 400 when one cannot be read. */
export function selectorOf(query: URLSearchParams, resource: Resource): Predicate {
  const labels = labelSelector(query.get('labelSelector') ?? '');
  const fields = fieldSelector(query.get('fieldSelector') ?? '', resource.plural);
  return (object) => labels(object) && fields(object);
}

function writeContinue(version: number, behind: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: behind })).toString('base64url');
}

function readContinue(token: string | null, now: number): { version: number; behind: string } {
  if (token === null || token === '') return { version: now, behind: '' };
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number; start: string };
    return { version: rv, behind: start };
  } catch (error) {
    throw badRequest(`invalid continue token: continue key is not valid: ${(error as Error).message}`);
  }
}
