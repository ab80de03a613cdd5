/** Keeps values and credentials out of what helm and kustomize say: their messages quote the text they stumble over. */
import { leaves, type ValuesTree } from './values-tree.ts';

/** Shorter values are words such as `true`, `ClusterIP` parts or ports: hiding them would hide the message. */
const SHORTEST_SECRET = 6;
const MAX_LINES = 20;
const MAX_LINE = 300;

/** A function that replaces every user value in a text, and what URLs and flags carry. */
export function redactor(values: readonly ValuesTree[], more: readonly string[] = []): (text: string) => string {
  const secrets = new Set<string>();
  for (const tree of values) {
    for (const { scalar } of leaves(tree.root)) addLines(secrets, scalar.text);
  }
  for (const text of more) addLines(secrets, text);
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), withoutCredentials(text));
}

function addLines(secrets: Set<string>, text: string): void {
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.length >= SHORTEST_SECRET) secrets.add(trimmed);
  }
}

/** User, password and query of URLs, what follows password flags, and the name of an alias: a value that starts with `*` is read as one. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/:\/\/[^\s/@"']*@/g, '://***@')
    .replace(/(:\/\/[^\s?"']*\?)[^\s"']+/g, '$1***')
    .replace(/(--(?:username|password))[ =]\S+/g, '$1 ***')
    .replace(/(unknown anchor ')[^']*'/g, "$1***'");
}

/** The lines worth showing: no blank ones, each and all of bounded length. */
export function detail(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-MAX_LINES).map((line) => shorten(line.trimEnd()));
}

/** At most 300 characters, on one line. */
export function shorten(text: string): string {
  const line = text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
