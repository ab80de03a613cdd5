/** The text of one server-sent event. JSON holds no line break, so that no text from a cluster can begin a field of its own. */
import type { NodeState } from '../verdict/verdict.ts';
import { clean, timeText } from '../verdict/text.ts';
import { rankOf } from './pull.ts';
import type { Pull } from './pull.ts';
import type { Change } from './pulls.ts';

/** Just what a cell shows: the rest is asked for, by those who look at that node. */
export interface ChangedNode {
  node: string;
  state: NodeState['state'];
  reason: NodeState['reason'];
  /** The place among the groups of a page, 0 the worst. */
  rank: number;
  since?: string;
}

/** `event: pull`. */
export interface PullEvent {
  /** The server's time, so that ages are told by one clock. */
  at: string;
  pull: Pull;
  nodes: ChangedNode[];
  removed: string[];
}

/** `event: gone`. */
export interface GoneEvent {
  namespace: string;
  name: string;
}

/** Bytes past which an event says only that something changed: `event: stale`, with the same fields as `gone`. */
const LIMIT = 1024 * 1024;

export function eventOf({ key, known, nodes, removed }: Change, id: string, now: number): string {
  const slash = key.indexOf('/');
  const named: GoneEvent = { namespace: clean(key.slice(0, slash), 253), name: clean(key.slice(slash + 1), 253) };
  if (known === undefined) return frame(id, 'gone', JSON.stringify(named));
  const event: PullEvent = {
    at: timeText(now),
    pull: known.pull,
    nodes: nodes.map(changedNode),
    removed: removed.map((node) => clean(node, 253)),
  };
  const data = JSON.stringify(event);
  return data.length > LIMIT ? frame(id, 'stale', JSON.stringify(named)) : frame(id, 'pull', data);
}

export function changedNode(state: NodeState): ChangedNode {
  return {
    node: clean(state.node, 253),
    state: state.state,
    reason: state.reason,
    rank: rankOf(state),
    ...(state.since !== undefined && { since: timeText(state.since) }),
  };
}

function frame(id: string, name: string, data: string): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
