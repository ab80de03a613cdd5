/** Tens of thousands of pods and nodes of a few pullers: what is equal in them is kept once. */
import type { Condition, ContainerStatus, Node, Pod } from '../verdict/snapshot.ts';

/** Enough for many pullers; beyond it the memory of equal things begins anew. */
const MOST = 20_000;

/** Longer texts are hardly ever equal. */
const LONGEST = 300;

export interface Compactor {
  pod(pod: Pod): Pod;
  node(node: Node): Node;
}

/** One for all objects that may share something. */
export function createCompactor(): Compactor {
  const texts = createPool<string>();
  const conditions = createPool<Condition>();
  const containers = createPool<ContainerStatus>();
  const labels = createPool<Node['labels']>();
  const taints = createPool<Node['taints']>();

  function shared(text: string): string {
    return text.length > LONGEST ? text : texts(text, () => text);
  }

  function perhaps(text: string | undefined): string | undefined {
    return text === undefined ? undefined : shared(text);
  }

  function condition(value: Condition | undefined): Condition | undefined {
    if (value === undefined) return undefined;
    const { type, status, reason, message, since } = value;
    return conditions(`${type} ${status} ${since} ${reason} ${message}`, () => value);
  }

  function container(value: ContainerStatus): ContainerStatus {
    const { name, image, waiting, failure } = value;
    if (waiting !== undefined || failure !== undefined) return { ...value, name: shared(name), image: shared(image) };
    const { init, hasImageId, restarts, running, endedWell, firstRan } = value;
    const key = `${name} ${image} ${init} ${hasImageId} ${restarts} ${running} ${endedWell} ${firstRan}`;
    return containers(key, () => value);
  }

  return {
    pod: (pod) => ({
      ...pod,
      namespace: shared(pod.namespace),
      ownerUid: shared(pod.ownerUid),
      node: shared(pod.node),
      imagesLabel: perhaps(pod.imagesLabel),
      templateGeneration: perhaps(pod.templateGeneration),
      phase: shared(pod.phase),
      reason: shared(pod.reason),
      scheduled: condition(pod.scheduled),
      sandbox: condition(pod.sandbox),
      containers: pod.containers.map(container),
    }),
    node: (node) => ({
      ...node,
      labels: labels(JSON.stringify([...node.labels]), () => node.labels),
      taints: taints(JSON.stringify(node.taints), () => node.taints),
      ready: condition(node.ready),
    }),
  };
}

/** The value first seen under a key. */
function createPool<T>(): (key: string, make: () => T) => T {
  let known = new Map<string, T>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MOST) known = new Map();
    const value = make();
    known.set(key, value);
    return value;
  };
}
