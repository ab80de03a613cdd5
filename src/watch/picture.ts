/**
 * What is known of the pullers and their pods, and how far it can be trusted: a namespace is live while its lists are whole and
 * their watches open. One that is not live is not judged.
 */
import { ROLE_LABEL } from '../api/names.ts';
import { readDaemonSet } from '../verdict/read-daemonset.ts';
import { readPod } from '../verdict/read-pod.ts';
import type { DaemonSet, Pod } from '../verdict/snapshot.ts';
import { createCompactor } from './compact.ts';
import { pathOf } from './kube-api.ts';
import { listAndWatch } from './list-watch.ts';
import type { ListWatch, ListWatchOptions } from './list-watch.ts';
import { createCache, keyOf } from './object-cache.ts';
import type { ObjectCache } from './object-cache.ts';

export interface Picture {
  puller(key: string): DaemonSet | undefined;
  pullers(): DaemonSet[];
  pullersIn(namespace: string): readonly DaemonSet[];
  /** Pods of all pullers of a namespace. */
  podsIn(namespace: string): readonly Pod[];
  /** Whether a pod of this UID is a puller's. */
  hasPod(uid: string): boolean;
  isLive(namespace: string): boolean;
  /** Milliseconds since everything of the namespace was last listed; Infinity before that. */
  listAge(namespace: string): number;
  /** Nothing is live until it was listed anew. */
  listAgain(namespace: string): void;
  /** Milliseconds since the server last said something, by the collection that is silent longest; undefined before all are known. */
  age(): number | undefined;
  /** The answer to a write of ours. */
  absorb(daemonSet: unknown, namespace: string): void;
  /** Resolves when stopped by the signal. */
  readonly done: Promise<void>;
}

export interface PictureOptions {
  /** Undefined: all. */
  namespaces: readonly string[] | undefined;
  /** Only the puller of this name. */
  name?: string | undefined;
  watching: Omit<ListWatchOptions, 'changed'>;
  /** This puller is to be judged again. */
  touched: (key: string) => void;
  /** A list became whole, or a watch broke. */
  changed: () => void;
}

const SELECTOR = `${ROLE_LABEL} in (hook,continuous)`;

/** What one list and watch of each collection covers: a namespace, or all of them. */
interface Scope {
  daemonSets: ObjectCache<DaemonSet>;
  pods: ObjectCache<Pod>;
  lists: readonly ListWatch[];
}

export function createPicture(options: PictureOptions): Picture {
  const { clock } = options.watching;
  const podUids = new Set<string>();
  const scopes = new Map((options.namespaces ?? ['']).map((name) => [name, createScope(name, options, podUids)]));
  const everywhere = options.namespaces === undefined ? scopes.get('') : undefined;
  const of = (namespace: string): Scope | undefined => everywhere ?? scopes.get(namespace);
  const all = [...scopes.values()];
  return {
    puller: (key) => of(key.slice(0, key.indexOf('/')))?.daemonSets.get(key),
    pullers: () => all.flatMap(({ daemonSets }) => daemonSets.all()),
    pullersIn: (namespace) => of(namespace)?.daemonSets.in(namespace) ?? [],
    podsIn: (namespace) => of(namespace)?.pods.in(namespace) ?? [],
    hasPod: (uid) => podUids.has(uid),
    isLive: (namespace) => of(namespace)?.lists.every((list) => list.isLive()) === true,
    listAge: (namespace) =>
      clock.now() - Math.min(...(of(namespace)?.lists ?? []).map((list) => list.wholeAt() ?? -Infinity)),
    listAgain(namespace) {
      for (const list of of(namespace)?.lists ?? []) list.again();
    },
    age: () =>
      ageOf(
        all.flatMap(({ lists }) => lists),
        clock.now(),
      ),
    absorb: (object, namespace) => of(namespace)?.daemonSets.absorb(object),
    done: Promise.all(all.flatMap(({ lists }) => lists.map(({ done }) => done))).then(() => undefined),
  };
}

function createScope(name: string, options: PictureOptions, podUids: Set<string>): Scope {
  const { touched } = options;
  const compact = createCompactor();
  const daemonSets = createCache<DaemonSet>({
    read: readDaemonSet,
    touched: (daemonSet) => {
      touched(keyOf(daemonSet));
    },
  });
  const pods = createCache<Pod>({
    read: (object) => compact.pod(readPod(object)),
    touched: (pod) => {
      podUids.delete(pod.uid);
      const now = pods.get(keyOf(pod));
      if (now !== undefined) podUids.add(now.uid);
      for (const key of concerned(pod, daemonSets.in(pod.namespace))) touched(key);
    },
  });
  const changed = (): void => {
    for (const daemonSet of daemonSets.all()) touched(keyOf(daemonSet));
    options.changed();
  };
  const namespace = name === '' ? undefined : name;
  const fieldSelector = options.name === undefined ? undefined : `metadata.name=${options.name}`;
  const watching = { ...options.watching, changed };
  const pullers = { path: pathOf('daemonsets', namespace), query: { labelSelector: SELECTOR, fieldSelector } };
  const podList = { path: pathOf('pods', namespace), query: { labelSelector: SELECTOR } };
  return {
    daemonSets,
    pods,
    lists: [
      listAndWatch({ ...pullers, sink: daemonSets }, watching),
      listAndWatch({ ...podList, sink: pods }, watching),
    ],
  };
}

/** The owner, and pullers of the same images: a pod of one can prove them for the other. */
function concerned({ ownerUid, imagesLabel }: Pod, pullers: readonly DaemonSet[]): string[] {
  const shared = (puller: DaemonSet): boolean => imagesLabel !== undefined && puller.imagesLabel === imagesLabel;
  return pullers.filter((puller) => puller.uid === ownerUid || shared(puller)).map(keyOf);
}

function ageOf(lists: readonly ListWatch[], now: number): number | undefined {
  const ages = lists.map((list) => {
    const heardAt = list.heardAt();
    return heardAt === undefined ? Infinity : now - heardAt;
  });
  const oldest = Math.max(0, ...ages);
  return Number.isFinite(oldest) ? oldest : undefined;
}
