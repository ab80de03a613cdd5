/**
 * Where each kind of workload keeps its pod spec: the kinds of core, apps and batch that make pods (Kubernetes API reference).
 */
import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import type { KubeObject, ObjectMeta } from './manifest.ts';
import { asList, asMapping, type Mapping } from './mapping.ts';

export interface WorkloadPod {
  /** As written: nothing but its being a mapping was checked. */
  spec: V1PodSpec;
  /** JSON path of the spec inside the object, such as `spec.template.spec`. */
  path: string;
  /** The pod template around the spec; absent for a bare Pod. */
  template?: { metadata?: ObjectMeta; spec: V1PodSpec };
}

/** A container as found: anything but `field` and `path` may be of the wrong type. */
export interface FoundContainer {
  field: 'initContainers' | 'containers';
  container: V1Container;
  /** JSON path inside the object, such as `spec.template.spec.initContainers[0]`. */
  path: string;
}

const TEMPLATES: Record<string, readonly string[]> = {
  'apps/Deployment': ['spec', 'template'],
  'apps/DaemonSet': ['spec', 'template'],
  'apps/StatefulSet': ['spec', 'template'],
  'apps/ReplicaSet': ['spec', 'template'],
  '/ReplicationController': ['spec', 'template'],
  '/PodTemplate': ['template'],
  'batch/Job': ['spec', 'template'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  // Charts before 0.9 wrote their workloads in groups that are gone from the API but not from git.
  'extensions/Deployment': ['spec', 'template'],
  'extensions/DaemonSet': ['spec', 'template'],
};

/** The API group: `apps` for `apps/v1`, empty for the core group. */
export function groupOf(object: KubeObject): string {
  const { apiVersion } = object;
  return typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** The pod spec of a workload, by reference; undefined for other kinds and for workloads without one. */
export function podSpecOf(object: KubeObject): WorkloadPod | undefined {
  if (object.kind === 'Pod' && groupOf(object) === '') {
    const spec = asMapping(object.spec);
    return spec && { spec: spec as unknown as V1PodSpec, path: 'spec' };
  }
  const keys = TEMPLATES[`${groupOf(object)}/${object.kind}`];
  const template = keys?.reduce<Mapping | undefined>((parent, key) => asMapping(parent?.[key]), object);
  if (keys === undefined || asMapping(template?.spec) === undefined) return undefined;
  const podTemplate = template as unknown as NonNullable<WorkloadPod['template']>;
  return { spec: podTemplate.spec, path: [...keys, 'spec'].join('.'), template: podTemplate };
}

/** Init containers, then containers, those that are mappings at all. */
export function containersOf(pod: WorkloadPod): FoundContainer[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    asList(pod.spec[field]).flatMap((container, index) =>
      asMapping(container) === undefined
        ? []
        : [{ field, container: container as V1Container, path: `${pod.path}.${field}[${index}]` }],
    ),
  );
}
