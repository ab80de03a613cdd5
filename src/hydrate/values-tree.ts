/**
 * Values as text with positions: which key stands where, and how its scalar is written. Only for looking and for
 * messages; what values mean is decided by helm alone. Aliases are not followed, so that no bomb can grow.
 */
import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException, type Event } from 'js-yaml';

export type ValuesNode =
  | { kind: 'map'; entries: { key: string; line: number; value: ValuesNode }[] }
  | { kind: 'list'; items: ValuesNode[] }
  /** `plain`: neither quoted nor tagged, so that YAML decides its type. */
  | { kind: 'scalar'; text: string; plain: boolean; line: number }
  | { kind: 'alias' };

/** One values file, or the inline values. `problem` instead of a tree when it is no YAML: reason and line, no text. */
export interface ValuesTree {
  shown: string;
  root?: ValuesNode;
  problem?: { reason: string; line: number };
}

const MAX_DEPTH = 1000;

/** Reads the first document; never throws. `shown` is what messages call the text. */
export function readValues(shown: string, text: string): ValuesTree {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
    const root = build(second < 0 ? events : events.slice(0, second), text);
    return root === undefined ? { shown } : { shown, root };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const reason = error.reason.replace(/\s*(?::|"|!<).*$/s, '');
    return { shown, problem: { reason, line: (error.mark?.line ?? 0) + 1 } };
  }
}

/** Every scalar with its path and what it stands in, in the order of the text. */
export function* leaves(node: ValuesNode | undefined, path: readonly string[] = [], parent = node): Generator<Leaf> {
  if (node?.kind === 'scalar') yield { path, parent, scalar: node };
  for (const [key, value] of childrenOf(node)) yield* leaves(value, [...path, key], node);
}

function childrenOf(node: ValuesNode | undefined): [key: string, value: ValuesNode][] {
  if (node?.kind === 'list') return node.items.map((item, index) => [String(index), item]);
  return node?.kind === 'map' ? node.entries.map(({ key, value }) => [key, value]) : [];
}

export interface Leaf {
  path: readonly string[];
  parent: ValuesNode | undefined;
  scalar: Extract<ValuesNode, { kind: 'scalar' }>;
}

/** Where a path stands in a tree: the line of its last key and what it holds. */
export function findKey(
  root: ValuesNode | undefined,
  path: readonly string[],
): { line: number; value: ValuesNode } | undefined {
  let node = root;
  let line = 1;
  for (const key of path) {
    if (node?.kind === 'list') {
      node = node.items[Number(key)];
    } else {
      const entry = node?.kind === 'map' ? node.entries.findLast((one) => one.key === key) : undefined;
      if (entry === undefined) return undefined;
      line = entry.line;
      node = entry.value;
    }
  }
  return node === undefined ? undefined : { line, value: node };
}

interface Open {
  node: Extract<ValuesNode, { kind: 'map' | 'list' }>;
  key?: { text: string; line: number } | undefined;
}

/** Without recursion while reading: depth is the text's to choose. */
function build(events: Event[], text: string): ValuesNode | undefined {
  const lineAt = lineCounter(text);
  const open: Open[] = [];
  let root: ValuesNode | undefined;
  const place = (node: ValuesNode, line: number): void => {
    const parent = open.at(-1);
    if (parent === undefined) root ??= node;
    else if (parent.node.kind === 'list') parent.node.items.push(node);
    else if (parent.key === undefined) parent.key = { text: node.kind === 'scalar' ? node.text : '', line };
    else {
      parent.node.entries.push({ key: parent.key.text, line: parent.key.line, value: node });
      parent.key = undefined;
    }
  };
  for (const event of events) {
    if (event.type === EVENT_ID.POP) open.pop();
    const node = nodeOf(event, text, lineAt);
    if (node === undefined) continue;
    place(node, node.kind === 'scalar' ? node.line : lineAt(0));
    if (node.kind === 'map' || node.kind === 'list') open.push({ node });
  }
  return root;
}

function nodeOf(event: Event, text: string, lineAt: (offset: number) => number): ValuesNode | undefined {
  switch (event.type) {
    case EVENT_ID.MAPPING:
      return { kind: 'map', entries: [] };
    case EVENT_ID.SEQUENCE:
      return { kind: 'list', items: [] };
    case EVENT_ID.ALIAS:
      return { kind: 'alias' };
    case EVENT_ID.SCALAR:
      return {
        kind: 'scalar',
        text: getScalarValue(text, event),
        plain: event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0,
        line: lineAt(event.valueStart),
      };
    default:
      return undefined;
  }
}

/** Lines from 1. Offsets come in rising order, so the text is counted once; an absent value keeps the last line. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', counted); next >= 0 && next < offset; next = text.indexOf('\n', counted)) {
      line += 1;
      counted = next + 1;
    }
    return line;
  };
}
