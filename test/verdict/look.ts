/** Raw objects made into a snapshot and judged, so that the readers are under test too. */
import { DEFAULT_POLICY, type Policy } from '../../src/api/policy.ts';
import { NO_FACTS, type Facts } from '../../src/verdict/facts.ts';
import { judge } from '../../src/verdict/judge.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { readEvent, readNode, readPod } from '../../src/verdict/read-pod.ts';
import type { Snapshot } from '../../src/verdict/snapshot.ts';
import type { NodeState, Verdict } from '../../src/verdict/verdict.ts';
import { after, type Raw } from './cluster.ts';

export interface Look {
  now: number;
  policy?: Partial<Policy>;
  facts?: Facts;
  once?: boolean;
  eventsComplete?: boolean;
  goneNodes?: string[];
}

/** A list of raw objects, the DaemonSet first, as a snapshot. */
export function snapshotOf(objects: readonly Raw[], look: Omit<Look, 'now'> = {}): Snapshot {
  const kind = (wanted: string): Raw[] => objects.filter((object) => object.kind === wanted);
  return {
    daemonSet: readDaemonSet(kind('DaemonSet')[0]),
    pods: kind('Pod').map(readPod),
    nodes: kind('Node').map(readNode),
    events: kind('Event').map(readEvent),
    goneNodes: look.goneNodes ?? [],
    eventsComplete: look.eventsComplete ?? true,
    facts: look.facts ?? NO_FACTS,
    once: look.once ?? false,
  };
}

export function lookAt(objects: readonly Raw[], look: Look): Verdict {
  return judge(snapshotOf(objects, look), { ...DEFAULT_POLICY, ...look.policy }, after(look.now));
}

/** Looks at the same objects again and again, facts carried; the verdict of the last look. */
export function lookOften(objects: readonly Raw[], seconds: readonly number[], look: Omit<Look, 'now'> = {}): Verdict {
  let verdict: Verdict | undefined;
  for (const now of seconds)
    verdict = lookAt(objects, { ...look, now, facts: verdict?.facts ?? look.facts ?? NO_FACTS });
  if (verdict === undefined) throw new Error('no look');
  return verdict;
}

export function nodeState(verdict: Verdict, name: string): NodeState {
  const found = verdict.nodes.find((state) => state.node === name);
  if (found === undefined) throw new Error(`no node ${name} in ${JSON.stringify(verdict.nodes)}`);
  return found;
}
