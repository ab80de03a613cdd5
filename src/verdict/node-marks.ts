/**
 * Which label each node has earned: the digest of the images that are on it, once every continuous puller that can run there is done.
 * Hook pullers leave no mark: they go when their sync is over, and the images they pull are not in use before that.
 */
import { combinedDigest } from '../api/digest.ts';
import type { NodeReason } from '../api/reasons.ts';
import type { DaemonSet } from './snapshot.ts';
import type { NodeState } from './verdict.ts';

/** What one puller says of its nodes. */
export interface Marking {
  /** Of its image list, as its pods carry it. */
  digest: string;
  nodes: readonly Pick<NodeState, 'node' | 'state' | 'reason'>[];
}

/** The images are not for such a node, so that nothing is missing on it. */
const NOTHING_TO_HAVE: ReadonlySet<NodeReason> = new Set(['VirtualNode', 'OtherSystem', 'NoBuildForNode']);

/** The digest a puller marks nodes with; undefined when it marks none: a hook, one that is going, or one without the label. */
export function markOf({ role, deletedAt, imagesLabel }: DaemonSet): string | undefined {
  if (role !== 'continuous' || deletedAt !== undefined || imagesLabel === '') return undefined;
  return imagesLabel;
}

/** Node name → value of its label. Two pullers with different lists on one node make one value together. */
export function marksOf(pullers: Iterable<Marking>): Map<string, string> {
  const had = new Map<string, readonly string[]>();
  const lacking = new Set<string>();
  for (const { digest, nodes } of pullers) {
    const alone = [digest];
    for (const { node, state, reason } of nodes) {
      const others = had.get(node);
      if (state === 'pulled') had.set(node, others === undefined ? alone : [...others, digest]);
      else if (!NOTHING_TO_HAVE.has(reason)) lacking.add(node);
    }
  }
  const marks = new Map<string, string>();
  for (const [node, digests] of had) {
    const mark = lacking.has(node) ? undefined : combinedDigest(digests);
    if (mark !== undefined) marks.set(node, mark);
  }
  return marks;
}
