/** Reads single fields of objects whose shape nobody checked: a wrong type is as good as an absent field, nothing throws. */
import type { Condition } from './snapshot.ts';

type Fields = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of own fields; undefined where the path ends. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isMap(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as unknown[]) : [];
}

/** A text; empty when absent. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function labelAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** A whole number that is not negative. */
export function countAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

/** A moment in milliseconds: RFC 3339 text as watch events carry it, or a Date as list items of client-node do. */
export function timeAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  const time = found instanceof Date ? found.getTime() : typeof found === 'string' ? Date.parse(found) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Every text field of a map, such as labels. */
export function textsAt(value: unknown, ...path: readonly string[]): ReadonlyMap<string, string> {
  const found = at(value, ...path);
  if (!isMap(found)) return new Map();
  return new Map(Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function readCondition(value: unknown): Condition {
  return {
    type: textAt(value, 'type'),
    status: textAt(value, 'status'),
    reason: textAt(value, 'reason'),
    message: textAt(value, 'message'),
    since: timeAt(value, 'lastTransitionTime'),
  };
}

/** The first condition of a type. */
export function conditionAt(value: unknown, type: string): Condition | undefined {
  const found = listAt(value, 'status', 'conditions').find((entry) => at(entry, 'type') === type);
  return found === undefined ? undefined : readCondition(found);
}

/** The latest of several moments, undefined ones left out. */
export function latest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The earliest of several moments, undefined ones left out. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
