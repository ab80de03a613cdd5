/**
 * Node objects: listed by the puller's selector once a generation and before nodes are given up, asked for one by one where a pod is
 * not done. Nodes are never watched: they change too often. Without the right to read them verdicts go on, less well explained.
 */
import { readNode } from '../verdict/read-pod.ts';
import type { DaemonSet, Node, Placement } from '../verdict/snapshot.ts';
import { createCompactor } from './compact.ts';
import type { Compactor } from './compact.ts';
import { codeOf, isForbidden, pathOf } from './kube-api.ts';
import type { Permitted } from './permission.ts';
import { inTurns } from './turns.ts';

export interface NodeLookup {
  /** Everything known that a puller's nodes could be. */
  known(daemonSet: DaemonSet): { nodes: Node[]; gone: string[] };
  /** Lists the nodes of a generation that was not listed yet. Fails as the request does, unless that is forbidden. */
  list(daemonSet: DaemonSet): Promise<void>;
  /** The next `list` is one, whatever the generation. */
  listAgain(daemonSet: DaemonSet): void;
  /** Asks for those of these that were not asked for within `age` milliseconds, `most` at once; true when any was. Never fails. */
  ask(daemonSet: DaemonSet, names: readonly string[], age: number, most?: number): Promise<boolean>;
  /** The puller is gone. */
  forget(uid: string): void;
}

interface Known {
  generation: number;
  /** A node that is gone has none. */
  nodes: Map<string, { node: Node | undefined; askedAt: number }>;
}

const PAGE = 500;

/** At most so many single nodes for each look, the longest unasked first. */
const AT_ONCE = 50;

/** What pods show that nobody can tell the node of. */
const NODE_NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

export function createNodeLookup(permitted: Permitted): NodeLookup {
  const pullers = new Map<string, Known>();
  const compact = createCompactor();
  return {
    known({ uid }) {
      const entries = [...(pullers.get(uid)?.nodes ?? [])];
      return {
        nodes: entries.flatMap(([, { node }]) => node ?? []),
        gone: entries.filter(([, { node }]) => node === undefined).map(([name]) => name),
      };
    },
    async list(daemonSet) {
      const { uid, generation } = daemonSet;
      if (pullers.get(uid)?.generation === generation) return;
      const failed = await permitted.attempt(async () => {
        pullers.set(uid, { generation, nodes: await listAll(daemonSet, permitted, compact) });
      });
      if (failed !== undefined && !isForbidden(failed)) throw failed;
    },
    listAgain({ uid }) {
      const known = pullers.get(uid);
      if (known !== undefined) known.generation = -1;
    },
    async ask(daemonSet, names, age, most = AT_ONCE) {
      const known = pullers.get(daemonSet.uid) ?? { generation: -1, nodes: new Map() };
      pullers.set(daemonSet.uid, known);
      const due = dueOf(known, names, permitted.clock.now() - age).slice(0, most);
      if (due.length === 0 || permitted.isForbidden()) return false;
      await inTurns(due, async (name) => {
        await permitted.attempt(() => askOne(daemonSet, name, { known, permitted, compact }));
      });
      return true;
    },
    forget(uid) {
      pullers.delete(uid);
    },
  };
}

function dueOf({ nodes }: Known, names: readonly string[], before: number): string[] {
  const askedAt = (name: string): number => nodes.get(name)?.askedAt ?? -Infinity;
  const due = names.filter((name) => NODE_NAME.test(name) && askedAt(name) <= before);
  return due.sort((one, other) => askedAt(one) - askedAt(other));
}

async function listAll(
  { placement }: DaemonSet,
  { client, clock, signal }: Permitted,
  compact: Compactor,
): Promise<Known['nodes']> {
  const nodes: Known['nodes'] = new Map();
  const read = reader(placement, compact);
  for (let next: string | undefined; ;) {
    const query = { limit: PAGE, continue: next, labelSelector: selectorText(placement) };
    const page = await client.list(pathOf('nodes'), query, signal);
    const askedAt = clock.now();
    for (const node of page.items.map(read)) nodes.set(node.name, { node, askedAt });
    next = page.next;
    if (next === undefined) return nodes;
  }
}

async function askOne(
  { placement }: DaemonSet,
  name: string,
  { known, permitted, compact }: { known: Known; permitted: Permitted; compact: Compactor },
): Promise<void> {
  const askedAt = permitted.clock.now();
  try {
    const object = await permitted.client.get(`${pathOf('nodes')}/${name}`, permitted.signal);
    known.nodes.set(name, { node: reader(placement, compact)(object), askedAt });
  } catch (error) {
    if (codeOf(error) !== 404) throw error;
    known.nodes.set(name, { node: undefined, askedAt });
  }
}

/** The server selects by plain labels; the judge sees to affinity and taints. */
function selectorText({ selector }: Placement): string | undefined {
  return selector.size === 0 ? undefined : [...selector].map(([key, value]) => `${key}=${value}`).join(',');
}

/** Labels the judge looks at whatever the puller asks for. */
const LABELS = ['kubernetes.io/os', 'type', 'eks.amazonaws.com/compute-type'];

/** Nodes carry dozens of labels; only those that decide are kept. */
function reader({ selector, terms = [] }: Placement, compact: Compactor): (object: unknown) => Node {
  const keys = terms.flatMap(({ expressions }) => expressions.map(({ key }) => key));
  const needed = new Set([...LABELS, ...selector.keys(), ...keys]);
  return (object) => {
    const node = readNode(object);
    return compact.node({ ...node, labels: new Map([...node.labels].filter(([key]) => needed.has(key))) });
  };
}
