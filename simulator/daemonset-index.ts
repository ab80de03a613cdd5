/** Pods by the DaemonSet that owns them and the node they are for, kept from changes, so that a look does not read every pod. */
import { targetNode } from './node-fit.ts';
import { resourceNamed } from './resources.ts';
import type { ApiObject, OwnerReference, Store } from './store.ts';

export interface DaemonPodIndex {
  /** Pods of a DaemonSet by node; terminal ones that are being deleted are left out, as getNodesToDaemonPods does. */
  byNode(uid: string): ReadonlyMap<string, readonly ApiObject[]>;
  on(uid: string, node: string): readonly ApiObject[];
}

/** `changed` hears the UID of each DaemonSet one of whose pods changed. */
export function createDaemonPodIndex(store: Store, changed: (uid: string) => void): DaemonPodIndex {
  const owners = new Map<string, Map<string, ApiObject[]>>();

  function remove(pod: ApiObject, uid: string): void {
    const nodes = owners.get(uid);
    const node = targetNode(pod) ?? '';
    const left = (nodes?.get(node) ?? []).filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
    if (left.length > 0) nodes?.set(node, left);
    else nodes?.delete(node);
    if (nodes?.size === 0) owners.delete(uid);
  }

  function add(pod: ApiObject, uid: string): void {
    const node = targetNode(pod);
    if (node === undefined || (isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) return;
    const nodes = owners.get(uid) ?? new Map<string, ApiObject[]>();
    owners.set(uid, nodes.set(node, [...(nodes.get(node) ?? []), pod]));
  }

  store.history.subscribe(resourceNamed('pods'), ({ type, object, previous }) => {
    const owner = (object.metadata.ownerReferences ?? []).find(isDaemonSetReference);
    if (owner === undefined) return;
    if (previous !== undefined) remove(previous, owner.uid);
    if (type !== 'DELETED') add(object, owner.uid);
    changed(owner.uid);
  });

  return {
    byNode: (uid) => owners.get(uid) ?? new Map<string, ApiObject[]>(),
    on: (uid, node) => owners.get(uid)?.get(node) ?? [],
  };
}

function isDaemonSetReference({ controller, kind }: OwnerReference): boolean {
  return controller === true && kind === 'DaemonSet';
}

function isTerminal(pod: ApiObject): boolean {
  return pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
}
