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
  if (resource === undefined || more.length > 0 || (scoped && !resource.namespaced)) return undefined;
  if (resource.namespaced && !scoped && name !== undefined) return undefined;
  return {
    resource,
    ...(scoped && rest[1] !== undefined ? { namespace: rest[1] } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** The path of a collection or of an object in it. */
export function pathOf({ resource, namespace, name, subresource }: Route): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = namespace === undefined ? [] : ['namespaces', namespace];
  const parts = [...scope, resource.plural, name, subresource].filter((part) => part !== undefined);
  return [root, ...parts.map(encodeURIComponent)].join('/');
}
