/** Why the scheduler does not place a pod: its message made into a reason and into words about the pod's own node. */
import type { NodeReason } from '../api/reasons.ts';
import { clean } from './text.ts';

const SCHEDULING: readonly { words: RegExp; reason: NodeReason; means: string }[] = [
  { words: /too many pods|insufficient pods/i, reason: 'NodeFull', means: 'the node is full' },
  { words: /insufficient /i, reason: 'NoResources', means: 'the node has too little left for the pod' },
  { words: /taint/i, reason: 'Tainted', means: 'the node has a taint the puller does not tolerate' },
  { words: /affinity|selector/i, reason: 'NotAffine', means: 'the node does not match what the pod asks for' },
];
const UNKNOWN = { reason: 'Unschedulable', means: 'the scheduler does not place the pod' } as const;

/** The scheduler speaks of every node at once; a pod of a DaemonSet is pinned to one, so that the others only fail NodeAffinity. */
export function inSchedulersWords(text: string): { reason: NodeReason; message: string } {
  const [all = ''] = text.split(/\.? ?(?:no new claims to deallocate, )?preemption:/);
  const own = all
    .replace(/^\d+\/\d+ nodes are available: /, '')
    .replace(/(?:^|, )\d+ node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\]\.?/, '');
  const words = clean(own, 200).replace(/\.$/, '');
  const { reason, means } = SCHEDULING.find((row) => row.words.test(words === '' ? all : words)) ?? UNKNOWN;
  return { reason, message: words === '' ? means : `${means}: ${words}` };
}
