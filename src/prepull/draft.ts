/** Collects the changes to a stream while a plan is made; an object is changed step by step, whether it was rendered or is new. */
import type { KubeObject } from '../manifest/manifest.ts';

/** An Edit in the making. */
export interface Draft {
  /** Object of the stream → what it becomes. */
  replace: Map<KubeObject, KubeObject>;
  drop: Set<KubeObject>;
  add: KubeObject[];
}

export function emptyDraft(): Draft {
  return { replace: new Map(), drop: new Set(), add: [] };
}

/** The object as it stands after the changes so far. */
export function currentOf(draft: Draft, object: KubeObject): KubeObject {
  return draft.replace.get(object) ?? object;
}

/** Changes an object of the stream, or one that was added. */
export function amend(draft: Draft, object: KubeObject, change: (current: KubeObject) => KubeObject): void {
  const added = draft.add.indexOf(object);
  if (added >= 0) draft.add[added] = change(object);
  else draft.replace.set(object, change(currentOf(draft, object)));
}

/** The object with annotations set, or removed where the value is undefined. Order of the others is kept. */
export function annotated<T extends KubeObject>(object: T, changes: Readonly<Record<string, string | undefined>>): T {
  const annotations = changedMap(object.metadata.annotations, changes);
  const hasAny = Object.keys(annotations).length > 0;
  const metadata = hasAny ? { ...object.metadata, annotations } : without(object.metadata, 'annotations');
  return { ...object, metadata };
}

/** A map of texts with some set and those undefined removed; a null or missing map counts as empty. */
export function changedMap(
  map: Readonly<Record<string, string>> | null | undefined,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const merged = Object.entries({ ...map, ...changes });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A copy without some of its fields. */
export function without<T extends object, K extends keyof T>(value: T, ...fields: K[]): Omit<T, K> {
  const left = Object.entries(value).filter(([field]) => !fields.includes(field as K));
  return Object.fromEntries(left) as Omit<T, K>;
}
