/** What is new in a list of node states, both lists by name as the judge hands them out: one walk along both. */
import type { NodeState } from '../verdict/verdict.ts';

export interface Differences {
  changed: NodeState[];
  removed: string[];
}

export function differences(before: readonly NodeState[], after: readonly NodeState[]): Differences {
  const changed: NodeState[] = [];
  const removed: string[] = [];
  let index = 0;
  for (const state of after) {
    let old = before[index];
    while (old !== undefined && old.node < state.node) {
      removed.push(old.node);
      index += 1;
      old = before[index];
    }
    const isKnown = old?.node === state.node;
    if (isKnown) index += 1;
    if (old === undefined || !isKnown || !isSame(old, state)) changed.push(state);
  }
  for (const { node } of before.slice(index)) removed.push(node);
  return { changed, removed };
}

function isSame(one: NodeState, other: NodeState): boolean {
  return (
    one.state === other.state &&
    one.reason === other.reason &&
    one.since === other.since &&
    one.message === other.message &&
    one.image === other.image
  );
}
