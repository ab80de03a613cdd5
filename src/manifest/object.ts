/** From a parsed document to a Kubernetes object, Lists included: apimachinery's unstructured JSON scheme. */
import type { KubeObject } from './manifest.ts';

/** A List: kubectl takes anything with a field `items` for one. */
export interface KubeList extends KubeObject {
  items: KubeObject[];
}

export function isList(object: KubeObject): object is KubeList {
  return Array.isArray(object.items);
}

/** undefined for an empty document. Throws what `refuse` makes of a sentence. Items of typed lists get kind and apiVersion. */
export function toObject(value: unknown, refuse: (problem: string) => Error): KubeObject | undefined {
  if (value === undefined || value === null) return undefined;
  const object = asObject(value, refuse, 'the document');
  const { items } = object;
  if (items === undefined) return object;
  if (items !== null && !Array.isArray(items)) throw refuse('items is not a list');
  object.items = ((items ?? []) as unknown[]).map((item, index) =>
    toItem(object, item, (problem) => refuse(`items[${index}]: ${problem}`)),
  );
  return object;
}

function toItem(list: KubeObject, item: unknown, refuse: (problem: string) => Error): KubeObject {
  const isBare = isMap(item) && !('kind' in item) && !('apiVersion' in item);
  const filled = isBare ? { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, ''), ...item } : item;
  return toObject(filled, refuse) ?? asObject(item, refuse, 'the item');
}

function asObject(value: unknown, refuse: (problem: string) => Error, what: string): KubeObject {
  if (!isMap(value)) throw refuse(`${what} is no Kubernetes object but ${kindOf(value)}`);
  for (const field of ['kind', 'apiVersion']) {
    if (typeof value[field] !== 'string' || value[field] === '') throw refuse(`${field} is missing or no text`);
  }
  const metadata = value.metadata ?? {};
  if (!isMap(metadata)) throw refuse(`metadata is ${kindOf(metadata)}, not a map`);
  value.metadata = metadata;
  return value as KubeObject;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `a single ${typeof value}`;
}
