/** The patches the API server takes: JSON merge patch, and strategic merge patch for the lists that merge by a key. */
import type { Fields } from './store.ts';

/** Lists that a strategic merge patch merges item by item, by the field's name, and their merge key (k8s.io/api's patchMergeKey tags). */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  ownerReferences: 'uid',
  imagePullSecrets: 'name',
};

/** RFC 7386: null takes a field away, lists are replaced whole. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  return merge(target, patch, (_field, _before, after) => after);
}

/** As kubectl's and client-go's default for built-in kinds; `$patch: delete` on list items and `$setElementOrder` are understood. */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  return merge(target, patch, mergeList);
}

type ListRule = (field: string, before: unknown, after: unknown[]) => unknown;

function merge(target: unknown, patch: unknown, lists: ListRule): unknown {
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch) as [string, unknown][]) {
    if (field.startsWith('$')) continue;
    const before: unknown = result[field];
    if (value === null) Reflect.deleteProperty(result, field);
    else result[field] = Array.isArray(value) ? lists(field, before, value) : merge(before, value, lists);
  }
  return result;
}

function mergeList(field: string, before: unknown, after: unknown[]): unknown {
  const key = MERGE_KEYS[field];
  if (key === undefined || !Array.isArray(before)) {
    return after.filter((item) => !deletes(item)).map((item) => merge(undefined, item, mergeList));
  }
  const result = [...(before as unknown[])];
  for (const item of after) {
    const at = result.findIndex((known) => isFields(known) && isFields(item) && known[key] === item[key]);
    if (deletes(item)) {
      if (at >= 0) result.splice(at, 1);
    } else if (at < 0) result.push(merge(undefined, item, mergeList));
    else result[at] = merge(result[at], item, mergeList);
  }
  return result;
}

function deletes(item: unknown): boolean {
  return isFields(item) && item.$patch === 'delete';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
