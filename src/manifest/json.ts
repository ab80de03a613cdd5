/** JSON as Go's encoding/json reads it into Kubernetes objects: integers of 64 bits exact, other numbers as floats in range. */
import { YamlProblem } from './yaml-problem.ts';

const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const LITERAL = /^(?:null|true|false|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/;
/** As for YAML, which is tried next and refuses it by name. */
const MAX_DEPTH = 1000;
/** More than any literal that could be followed by another value and still be refused later. */
const LITERAL_BYTES = 4096;

/** Offset behind the next JSON value; `none` where only space is left, `broken` where no whole value stands there. */
export function findJsonValue(stream: Buffer, from: number): number | 'none' | 'broken' {
  let start = from;
  while (start < stream.length && SPACES.has(stream[start] ?? 0)) start += 1;
  if (start === stream.length) return 'none';
  const end = OPENING.has(stream[start] ?? 0) ? findClose(stream, start) : findLiteralEnd(stream, start);
  if (end < 0 || !isJson(stream.toString('utf8', start, end))) return 'broken';
  return end;
}

function findClose(stream: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < stream.length; at += 1) {
    const byte = stream[at] ?? 0;
    if (byte === QUOTE) at = findStringEnd(stream, at);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte) && --depth === 0) return at + 1;
    if (depth > MAX_DEPTH) return -1;
  }
  return -1;
}

/** Offset of the closing quote; far beyond the stream where there is none. */
function findStringEnd(stream: Buffer, open: number): number {
  let at = open + 1;
  while (at < stream.length && stream[at] !== QUOTE) at += stream[at] === BACKSLASH ? 2 : 1;
  return at;
}

function findLiteralEnd(stream: Buffer, start: number): number {
  const found = LITERAL.exec(stream.toString('latin1', start, start + LITERAL_BYTES));
  return found === null ? -1 : start + found[0].length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A number JSON.parse would round or Go would refuse. */
const HARD_NUMBER = /[0-9]{16}|[0-9][eE]/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Throws YamlProblem for a number beyond a 64-bit float. Integers beyond 2^53 come as BigInt; of equal keys the last wins. */
export function parseJson(text: string): unknown {
  if (!HARD_NUMBER.test(text)) return JSON.parse(text);
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
    typeof value === 'number' ? exact(value, source) : value,
  );
}

/** ES2025, not yet in TypeScript's library for ES2024. */
type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { source: string }) => unknown,
) => unknown;

function exact(value: number, source: string): number | bigint {
  if (!Number.isFinite(value)) throw new YamlProblem('a number is out of range', 1, 1);
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(source)) return value;
  const integer = BigInt(source);
  return integer >= MIN_INT64 && integer <= MAX_INT64 ? integer : value;
}

/** Indented by two spaces, with a line break at the end. */
export function printJson(value: unknown): string {
  const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;
  return `${JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? rawJson(String(field)) : field), 2)}\n`;
}
