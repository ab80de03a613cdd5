/** A saved `kubectl get ds,pods,nodes,events -A -o json`, whole or in parts, made into one snapshot a puller. */
import { at, listAt, textAt } from './fields.ts';
import { readAnnotation } from './annotation.ts';
import { mergeFacts, NO_FACTS, type Facts } from './facts.ts';
import { readDaemonSet } from './read-daemonset.ts';
import { readEvent, readNode, readPod } from './read-pod.ts';
import type { DaemonSet, Event, Node, Pod, Snapshot } from './snapshot.ts';

export interface SavedList {
  daemonSets: readonly DaemonSet[];
  pods: readonly Pod[];
  nodes: readonly Node[];
  events: readonly Event[];
}

/** Objects of every kind we look at; Lists are opened, others left out, nothing throws. */
export function readSavedList(values: readonly unknown[]): SavedList {
  const objects = values.flatMap(itemsOf);
  const ofKind = (kind: string): unknown[] => objects.filter((object) => at(object, 'kind') === kind);
  return {
    daemonSets: ofKind('DaemonSet').map(readDaemonSet),
    pods: ofKind('Pod').map(readPod),
    nodes: ofKind('Node').map(readNode),
    events: ofKind('Event').map(readEvent),
  };
}

/** The items of a List; those of typed lists do not repeat their kind. */
function itemsOf(value: unknown): unknown[] {
  const kind = textAt(value, 'kind');
  if (!kind.endsWith('List')) return [value];
  const own = kind.slice(0, -'List'.length);
  return listAt(value, 'items').map((item) => (own === '' ? item : withKind(item, own)));
}

function withKind(item: unknown, kind: string): unknown {
  if (typeof item !== 'object' || item === null || 'kind' in item) return item;
  return { ...item, kind };
}

/** What the list tells of one puller, as a single look. A Node that is not in a list with Nodes is gone. */
export function snapshotFrom(list: SavedList, daemonSet: DaemonSet, now: Date): Snapshot {
  const { namespace } = daemonSet;
  const pods = list.pods.filter((pod) => pod.namespace === namespace);
  const known = new Set(list.nodes.map(({ name }) => name));
  const used = new Set(pods.filter(({ bound }) => bound).map(({ node }) => node));
  return {
    daemonSet,
    pods,
    nodes: list.nodes,
    goneNodes: known.size === 0 ? [] : [...used].filter((node) => !known.has(node)),
    events: list.events.filter((event) => event.namespace === namespace),
    eventsComplete: list.events.length > 0,
    facts: factsIn(list, namespace, now),
    once: true,
  };
}

function factsIn({ daemonSets }: SavedList, namespace: string, now: Date): Facts {
  const inNamespace = daemonSets.filter((daemonSet) => daemonSet.namespace === namespace);
  return inNamespace.map((daemonSet) => readAnnotation(daemonSet, now)).reduce(mergeFacts, NO_FACTS);
}
