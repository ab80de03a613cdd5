/** Which nodes a DaemonSet runs on and what its pods look like (pkg/controller/daemon: NodeShouldRunDaemonPod, util/daemonset_util.go). */
import { fieldsAt } from './fields.ts';
import { matchesNodeAffinity, untolerated } from './node-fit.ts';
import type { ApiObject, Fields, OwnerReference } from './store.ts';

export const HASH_LABEL = 'controller-revision-hash';
export const GENERATION_LABEL = 'pod-template-generation';
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** Taints that pods of every DaemonSet tolerate: [key, effect]. */
const TOLERATED = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
] as const;
const HOST_NETWORK = ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const;

export interface Placement {
  /** A pod should be made there. */
  run: boolean;
  /** A pod that is there may stay. */
  keep: boolean;
}

const NOWHERE: Placement = { run: false, keep: false };

/** Where a DaemonSet's pods may be; remembers each node as it was last seen, since most stay as they are. */
export function createPlacements(daemonSet: ApiObject): (node: ApiObject) => Placement {
  const spec = podSpec(daemonSet);
  const known = new WeakMap<ApiObject, Placement>();
  return (node) => {
    const placement = known.get(node) ?? placementOn(node, spec);
    known.set(node, placement);
    return placement;
  };
}

function placementOn(node: ApiObject, spec: Fields): Placement {
  if (spec.nodeName !== undefined && spec.nodeName !== node.metadata.name) return NOWHERE;
  if (!matchesNodeAffinity(node, spec)) return NOWHERE;
  if (untolerated(node, spec, ['NoSchedule', 'NoExecute']) === undefined) return { run: true, keep: true };
  return { run: false, keep: untolerated(node, spec, ['NoExecute']) === undefined };
}

/** The template's spec with the tolerations every DaemonSet's pod gets. */
function podSpec(daemonSet: ApiObject): Fields {
  const spec = fieldsAt(daemonSet.spec, 'template', 'spec');
  const own = (spec.tolerations ?? []) as Fields[];
  const added = spec.hostNetwork === true ? [...TOLERATED, HOST_NETWORK] : TOLERATED;
  const tolerations = added.map(([key, effect]) => ({ key, operator: 'Exists', effect }));
  const equal = (a: Fields, b: Fields): boolean =>
    a.key === b.key && a.effect === b.effect && a.operator === b.operator && a.value === undefined;
  const others = tolerations.filter((toleration) => !own.some((one) => equal(one, toleration)));
  return { ...spec, tolerations: [...own, ...others] };
}

/** Stands for the ControllerRevision's hash: equal templates, equal hash, so that a roll-back finds its old pods up to date. */
export function templateHash(daemonSet: ApiObject): string {
  let hash = 0x811c9dc5;
  const text = JSON.stringify(daemonSet.spec?.template);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** A pod for one node: the template, the labels of this revision, and an affinity that only this node meets. */
export function newPod(daemonSet: ApiObject, hash: string, node: string): Fields {
  const { name, uid, annotations } = daemonSet.metadata;
  const template = fieldsAt(daemonSet.spec, 'template', 'metadata');
  const generation = annotations?.[TEMPLATE_GENERATION];
  const labels = {
    ...(template.labels as Fields | undefined),
    ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
    [HASH_LABEL]: hash,
  };
  const spec = podSpec(daemonSet);
  const owner: OwnerReference = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    metadata: {
      generateName: `${name}-`,
      labels,
      ...(template.annotations === undefined ? {} : { annotations: template.annotations as Fields }),
      ownerReferences: [owner],
    },
    spec: { ...spec, affinity: affinityTo(node, spec.affinity as Fields | undefined) },
  };
}

/** Required terms of the template are replaced: the controller has already asked them. */
function affinityTo(node: string, affinity: Fields = {}): Fields {
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...(affinity.nodeAffinity as Fields | undefined),
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  };
}

/** Of the current template, by either of the two labels. */
export function isUpdated(pod: ApiObject, daemonSet: ApiObject, hash: string): boolean {
  const labels = pod.metadata.labels ?? {};
  const generation = daemonSet.metadata.annotations?.[TEMPLATE_GENERATION];
  return labels[HASH_LABEL] === hash || (generation !== undefined && labels[GENERATION_LABEL] === generation);
}
