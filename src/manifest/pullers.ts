/** Tells pullers from other DaemonSets: by label and hook annotation, never by name, which users override. */
import { hookOf, isPreSync } from './hooks.ts';
import { componentOf, roleOf } from './labels.ts';
import type { KubeObject } from './manifest.ts';
import { podSpecOf } from './pod-spec.ts';

/** Which puller a DaemonSet is, if one: by our role, the component label, or, without any component, by being a PreSync hook. */
export function pullerKindOf(object: KubeObject): 'hook' | 'continuous' | undefined {
  if (object.kind !== 'DaemonSet' || podSpecOf(object) === undefined) return undefined;
  const role = roleOf(object);
  if (role !== undefined) return role === 'prerequisite' ? undefined : role;
  const component = componentOf(object);
  if (component === undefined) return isPreSync(object) ? 'hook' : undefined;
  if (!component.endsWith('image-puller')) return undefined;
  return hookOf(object) !== undefined || component.startsWith('hook-') ? 'hook' : 'continuous';
}
