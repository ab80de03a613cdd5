/** Which resource and object a path means: `/api/v1/namespaces/NS/pods/NAME/status`, `/apis/apps/v1/daemonsets`. */
import type { Resource } from './resources.ts';
import { RESOURCES } from './resources.ts';

export interface Route {
  resource: Resource;
  namespace?: string;
  /** Absent for the collection. */
  name?: string;
  subresource?: string;
}

/** Undefined when no resource is served there. */
export function route(path: string): Route | undefined {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const [root, ...rest] = parts;
  if (root === 'api') return within('', rest);
  if (root === 'apis') return within(rest[0] ?? '', rest.slice(1));
  return undefined;
}

function within(group: string, [version, ...rest]: string[]): Route | undefined {
  const scoped = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status';
  const [plural, name, subresource, ...more] = scoped ? rest.slice(2) : rest;
  const resource = RESOURCES.find((one) => one.group === group && one.version === version && one.plural === plural);
  if (resource === undefined || more.length > 0) return undefined;
  // Collections of every namespace are the only thing of a namespaced resource outside of one.
  if (scoped ? !resource.namespaced : resource.namespaced && name !== undefined) return undefined;
  const found = { resource, namespace: scoped ? rest[1] : undefined, name, subresource };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as unknown as Route;
}

/** The path of a collection or of an object in it. */
export function pathOf({ resource, namespace, name, subresource }: Route): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace === undefined ? [] : ['namespaces', namespace];
  const parts = [...scope, resource.plural, name, subresource].filter((part) => part !== undefined);
  return [root, ...parts.map(encodeURIComponent)].join('/');
}
