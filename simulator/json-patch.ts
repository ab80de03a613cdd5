/** JSON patch (RFC 6902), the operations clients of this project send: add, replace, remove, test. */
import { isDeepStrictEqual } from 'node:util';
import { ApiError, badRequest } from './errors.ts';

interface Operation {
  op: string;
  path: string;
  value?: unknown;
}

type Container = Record<string, unknown>;

/** The target with every operation done in order; 422 when a path is not there or a test fails. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch is a list of operations');
  const copy: unknown = JSON.parse(JSON.stringify(target));
  for (const operation of patch as Operation[]) apply(copy, operation);
  return copy;
}

function apply(root: unknown, { op, path, value }: Operation): void {
  const keys = path.split('/').slice(1).map(unescaped);
  const last = keys.pop();
  if (last === undefined) throw impossible(path);
  const container = containerAt(root, keys);
  if (container === undefined || (op !== 'add' && !(last in container))) throw impossible(path);
  if (op === 'test') {
    if (!isDeepStrictEqual(container[last], value)) throw impossible(path);
  } else if (Array.isArray(container)) change(container, op, last, value);
  else if (op === 'remove') Reflect.deleteProperty(container, last);
  else container[last] = value;
}

function containerAt(root: unknown, keys: readonly string[]): Container | undefined {
  let at = root;
  for (const key of keys) at = (at as Container | undefined)?.[key];
  return typeof at === 'object' && at !== null ? (at as Container) : undefined;
}

function change(list: unknown[], op: string, key: string, value: unknown): void {
  const index = key === '-' ? list.length : Number(key);
  list.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function impossible(path: string): ApiError {
  return new ApiError(422, 'Invalid', `the server rejected our request due to an error in our request: ${path}`);
}
