/** Tells pullers from other DaemonSets: by label and hook annotation, never by name, which users override. */
import { hookOf, isPreSync } from './hooks.ts';
import { componentOf, roleOf } from './labels.ts';
import type { KubeObject } from './manifest.ts';
import { asList, valueAt } from './mapping.ts';
import { containersOf, podSpecOf } from './pod-spec.ts';

const CHART_COMPONENTS = ['hook-image-puller', 'continuous-image-puller'];

/**
 * Which puller a DaemonSet is, if one: by our role, the component label, or, without any component, by being a PreSync hook. Unless
 * the component is zero-to-jupyterhub's own it must also look like a puller: other software's DaemonSets are left alone.
 */
export function pullerKindOf(object: KubeObject): 'hook' | 'continuous' | undefined {
  if (object.kind !== 'DaemonSet' || podSpecOf(object) === undefined) return undefined;
  const role = roleOf(object);
  if (role !== undefined) return role === 'prerequisite' ? undefined : role;
  return kindByComponent(object, componentOf(object));
}

function kindByComponent(object: KubeObject, component: string | undefined): 'hook' | 'continuous' | undefined {
  if (!CHART_COMPONENTS.includes(component ?? '') && !pullsAndRests(object)) return undefined;
  if (component === undefined) return isPreSync(object) ? 'hook' : undefined;
  if (!component.endsWith('image-puller')) return undefined;
  return hookOf(object) !== undefined || component.startsWith('hook-') ? 'hook' : 'continuous';
}

/** Init containers, and nothing done to the node: a DaemonSet that sets nodes up has init containers too. */
function pullsAndRests(object: KubeObject): boolean {
  const pod = podSpecOf(object);
  if (pod === undefined) return false;
  const containers = containersOf(pod);
  const mountsNode = asList(pod.spec.volumes).some((volume) => valueAt(volume, 'hostPath') !== undefined);
  const isPrivileged = containers.some(({ container }) => container.securityContext?.privileged === true);
  return containers.some(({ field }) => field === 'initContainers') && !mountsNode && !isPrivileged;
}
