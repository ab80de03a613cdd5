/** The message of a verdict: counts first, then the worst, then how many more; one line, never empty, at most 1 KiB. */
import { clean, plural } from './text.ts';
import type { Counts, NodeState } from './verdict.ts';

const LIMIT = 1024;

/** How many nodes a message names. */
const NAMES = 5;

/** `3/5 nodes pulled, 1 pulling, 1 tolerated`. */
export function headline({ pulled, pulling, tolerated, failed }: Counts): string {
  const total = pulled + pulling + tolerated + failed;
  const others = [
    [failed, 'failed'],
    [pulling, 'pulling'],
    [tolerated, 'tolerated'],
  ] as const;
  const words = others.filter(([count]) => count > 0).map(([count, word]) => `, ${count} ${word}`);
  return `${pulled}/${plural(total, 'node')} pulled${words.join('')}`;
}

/** Headline and details in one text that a condition can hold. */
export function compose(counts: Counts, ...details: readonly (string | undefined)[]): string {
  const told = details.filter((detail) => detail !== undefined && detail !== '');
  return clean([headline(counts), ...told].join('; ').replace('; ', ': '), LIMIT);
}

interface Group {
  image: string | undefined;
  message: string;
  row: number;
  nodes: string[];
}

/** Nodes of equal fate in one clause each: lowest row first, then the most nodes; five names in all, then a number. */
export function describe(states: readonly NodeState[]): string {
  const groups = [...groupEqual(states).values()].sort(byWeight);
  const clauses: string[] = [];
  let names = NAMES;
  let told = 0;
  for (const group of groups) {
    if (names === 0) break;
    const named = group.nodes.slice(0, names);
    names -= named.length;
    told += group.nodes.length;
    clauses.push(clauseOf(group, named));
  }
  const rest = states.length - told;
  return [...clauses, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

function groupEqual(states: readonly NodeState[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { image, message, row, node } of states) {
    const key = `${row} ${image ?? ''}\n${message}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { image, message, row, nodes: [node] });
    else group.nodes.push(node);
  }
  return groups;
}

function byWeight(one: Group, other: Group): number {
  const weight = one.row - other.row || other.nodes.length - one.nodes.length;
  return weight === 0
    ? `${one.nodes[0] ?? ''} ${one.message}` < `${other.nodes[0] ?? ''} ${other.message}`
      ? -1
      : 1
    : weight;
}

function clauseOf({ image, message, nodes }: Group, named: readonly string[]): string {
  const subject = image === undefined ? '' : `image ${image}: `;
  const unnamed = nodes.length - named.length;
  const rest = unnamed > 0 ? ` and ${unnamed} more` : '';
  const place = nodes.length === 1 ? named.join() : `${nodes.length} nodes: ${named.join(', ')}${rest}`;
  return `${subject}${message} (on ${place})`;
}
