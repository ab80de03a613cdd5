/** Reading parts of objects whose shape only their reader knows. */
import type { Fields } from './store.ts';

/** The part at the end of the path; empty when it, or anything on the way, is absent. */
export function fieldsAt(object: Fields | undefined, ...path: string[]): Fields {
  let at: Fields = object ?? {};
  for (const key of path) at = (at[key] as Fields | undefined) ?? {};
  return at;
}
