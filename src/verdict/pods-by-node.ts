/** Which pods speak for which node: only those of this DaemonSet and of its newest template count, as the controller sees them. */
import type { DaemonSet, Event, Pod, Snapshot } from './snapshot.ts';

export interface Group {
  pod: Pod | undefined;
  old: Pod | undefined;
  deleting: Pod | undefined;
  /** Pods of other pullers with an equal image list. */
  siblings: Pod[] | undefined;
  /** Events of `pod`. */
  events: Event[] | undefined;
}

export interface Grouped {
  groups: ReadonlyMap<string, Group>;
  /** When the newest pod of this DaemonSet was made. */
  newestPod: number | undefined;
  /** When the oldest pod of the newest template was made. */
  oldestCurrent: number | undefined;
  hasCurrent: boolean;
}

/** A node is listed when a pod of this DaemonSet is on it or made for it. */
export function groupPods({ daemonSet, pods, events }: Snapshot): Grouped {
  const groups = new Map<string, Group>();
  const siblings: Pod[] = [];
  let newestPod: number | undefined;
  for (const pod of pods) {
    if (pod.ownerUid !== '' && pod.ownerUid === daemonSet.uid) {
      place(groupOf(groups, nodeOf(pod)), pod, daemonSet);
      newestPod = later(newestPod, pod.createdAt);
    } else if (isSibling(pod, daemonSet)) siblings.push(pod);
  }
  for (const pod of siblings) {
    const group = groups.get(pod.node);
    if (group !== undefined) (group.siblings ??= []).push(pod);
  }
  addEvents(groups, events);
  const current = [...groups.values()].flatMap(({ pod }) => pod ?? []);
  return { groups, newestPod, hasCurrent: current.length > 0, oldestCurrent: oldest(current) };
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

function oldest(pods: readonly Pod[]): number | undefined {
  const times = pods.flatMap(({ createdAt }) => createdAt ?? []);
  return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other));
}

function place(group: Group, pod: Pod, daemonSet: DaemonSet): void {
  if (pod.deletedAt !== undefined) group.deleting = newer(group.deleting, pod);
  else if (isCurrent(pod, daemonSet)) group.pod = newer(group.pod, pod);
  else group.old = newer(group.old, pod);
}

function groupOf(groups: Map<string, Group>, node: string): Group {
  let group = groups.get(node);
  if (group === undefined) {
    group = { pod: undefined, old: undefined, deleting: undefined, siblings: undefined, events: undefined };
    groups.set(node, group);
  }
  return group;
}

/** A pod whose node nobody can tell stands for itself. */
function nodeOf({ node, name }: Pod): string {
  return node === '' ? `(unknown node of pod ${name})` : node;
}

/** The images label decides; pullers without it carry the template's generation. */
function isCurrent(pod: Pod, daemonSet: DaemonSet): boolean {
  if (daemonSet.imagesLabel !== undefined || pod.imagesLabel !== undefined)
    return pod.imagesLabel === daemonSet.imagesLabel;
  const wanted = daemonSet.templateGeneration ?? String(daemonSet.generation);
  return pod.templateGeneration === undefined || pod.templateGeneration === wanted;
}

function isSibling(pod: Pod, { imagesLabel, namespace }: DaemonSet): boolean {
  return (
    imagesLabel !== undefined &&
    pod.imagesLabel === imagesLabel &&
    pod.namespace === namespace &&
    pod.deletedAt === undefined
  );
}

function newer(known: Pod | undefined, pod: Pod): Pod {
  if (known === undefined) return pod;
  const age = (pod.createdAt ?? 0) - (known.createdAt ?? 0);
  return age > 0 || (age === 0 && pod.uid > known.uid) ? pod : known;
}

/** By UID, or by name where an event has none. Few pods have events: only what events name is kept to look up. */
function addEvents(groups: ReadonlyMap<string, Group>, events: readonly Event[]): void {
  const known = new Map<string, Event[]>();
  for (const event of events) if (event.kind === 'Pod') eventsOf(known, keyOfPod(event)).push(event);
  if (known.size === 0) return;
  const byName = events.some(({ uid }) => uid === '');
  for (const group of groups.values()) {
    if (group.pod === undefined) continue;
    const named = byName ? known.get(keyOfPod({ ...group.pod, uid: '' })) : undefined;
    const found = [...(known.get(group.pod.uid) ?? []), ...(named ?? [])];
    if (found.length > 0) group.events = found;
  }
}

function eventsOf(known: Map<string, Event[]>, key: string): Event[] {
  const events = known.get(key) ?? [];
  known.set(key, events);
  return events;
}

/** No UID holds a slash. */
function keyOfPod({ uid, namespace, name }: { uid: string; namespace: string; name: string }): string {
  return uid === '' ? `${namespace}/${name}` : uid;
}
