/** Verdicts for people and programs: a table of nodes with why and what to do, and the JSON that `explain -o json` promises. */
import type { State } from '../api/reasons.ts';
import { clean, plural, timeText } from './text.ts';
import type { NodeState, Verdict } from './verdict.ts';

export interface Explained {
  namespace: string;
  name: string;
  verdict: Verdict;
}

const ORDER: Readonly<Record<State, number>> = { failed: 0, pulling: 1, tolerated: 2, pulled: 3 };

/** The list of `explain -o json`; `image` is empty where a state is not about one image. */
export function explanationAsJson(pullers: readonly Explained[]): string {
  const list = pullers.map(({ namespace, name, verdict }) => {
    const { health, reason, message, counts, nodes } = verdict;
    return { namespace, name, health, reason, message, counts, nodes: inOrder(nodes).map(nodeAsJson) };
  });
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

function nodeAsJson({ node, state, reason, image = '', message, fix }: NodeState): Record<string, string> {
  return {
    node: clean(node, 253),
    state,
    reason,
    image: clean(image, 400),
    message: fix === undefined ? message : `${message}. ${fix}`,
  };
}

/** Failed nodes first, pulled ones last, by name within. */
function inOrder(nodes: readonly NodeState[]): NodeState[] {
  return [...nodes].sort((one, other) => ORDER[one.state] - ORDER[other.state]);
}

const NONE =
  'No puller found. A puller is a DaemonSet with the label argocd-prepuller.github.io/role; is this the cluster of the hub?\n';

/** One block a puller: its health and message, a row a node, then what to do. */
export function explanationAsText(pullers: readonly Explained[]): string {
  if (pullers.length === 0) return NONE;
  return pullers.map(block).join('\n');
}

function block({ namespace, name, verdict }: Explained): string {
  const { health, reason, message, nodes } = verdict;
  const title = `${clean(`${namespace}/${name}`, 400)}  ${health} (${reason})`;
  const table = nodes.length === 0 ? [] : ['', ...tableOf(inOrder(nodes))];
  return [title, `  ${message}`, ...table, ...fixesOf(nodes), ''].join('\n');
}

function tableOf(nodes: readonly NodeState[]): string[] {
  const rows = [['NODE', 'STATE', 'SINCE', 'IMAGE', 'WHY'], ...nodes.map(rowOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

function rowOf({ node, state, since, image = '-', message }: NodeState): string[] {
  return [clean(node, 253), state, since === undefined ? '-' : timeText(since), clean(image, 400), message];
}

/** Each advice once, with the nodes it is for. */
function fixesOf(nodes: readonly NodeState[]): string[] {
  const byFix = Map.groupBy(
    inOrder(nodes).filter(({ fix }) => fix !== undefined),
    ({ fix }) => fix ?? '',
  );
  if (byFix.size === 0) return [];
  const lines = [...byFix].map(([fix, states]) => `  - ${fix} (${namesOf(states)})`);
  return ['', '  What to do:', ...lines];
}

function namesOf(states: readonly NodeState[]): string {
  const names = states.slice(0, 3).map(({ node }) => clean(node, 253));
  const rest = states.length - names.length;
  return rest === 0 ? names.join(', ') : `${names.join(', ')} and ${plural(rest, 'other')}`;
}
