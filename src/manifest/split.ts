/**
 * Cuts a stream into documents as apimachinery's NewYAMLOrJSONDecoder does: a stream that starts with `{` is tried as JSON
 * values that follow each other; after at most one of them it may go on as YAML, cut at lines that start with `---`.
 */
import { UserError } from '../errors.ts';
import { findJsonValue } from './json.ts';

export interface Chunk {
  separator: Uint8Array;
  body: Uint8Array;
  /** First line of the body, counted from 1. */
  line: number;
  isJson: boolean;
}

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array(0);
/** What may follow the dashes. */
const BARE = /^[ \t\r\n]*(?:#|$)/;
/** How far the decoder looks for the brace. */
const GUESS_BYTES = 4096;
/** The decoder that takes over from JSON reads ahead four bytes and gives up at the end of the stream. */
const READ_AHEAD = 4;

/** Nothing but bytes is looked at: whether the documents are YAML shows later. Throws UserError. */
export function splitStream(bytes: Uint8Array): Chunk[] {
  const stream = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const json = splitJson(stream);
  const yamlStart = json.at(-1)?.end ?? 0;
  const spans = [...json, ...splitYaml(stream, yamlStart, json.length)];
  let line = 1;
  return spans.map(({ start, bodyStart, end, isJson }) => {
    line += countLines(stream, start, bodyStart);
    const separator = bodyStart === start ? NOTHING : stream.subarray(start, bodyStart);
    const chunk = { separator, body: stream.subarray(bodyStart, end), line, isJson };
    line += countLines(stream, bodyStart, end);
    return chunk;
  });
}

interface Span {
  start: number;
  bodyStart: number;
  end: number;
  isJson: boolean;
}

function splitJson(stream: Buffer): Span[] {
  const spans: Span[] = [];
  if (!stream.toString('latin1', 0, GUESS_BYTES).trimStart().startsWith('{')) return spans;
  let start = 0;
  for (;;) {
    const value = findJsonValue(stream, start);
    if (value === 'none') break;
    if (value === 'broken') return endJson(stream, spans);
    spans.push({ start, bodyStart: start, end: value, isJson: true });
    start = value;
  }
  const last = spans.at(-1);
  if (last !== undefined) last.end = stream.length;
  return spans;
}

/** Where JSON ends early: after one value at most the rest is YAML, from the end of the value's line on. */
function endJson(stream: Buffer, spans: Span[]): Span[] {
  const last = spans.at(-1);
  if (last === undefined) return spans;
  if (spans.length > 1) {
    const line = 1 + countLines(stream, 0, last.end);
    throw new UserError(
      `document ${spans.length + 1}, line ${line}: the stream begins as JSON values and does not go on as such`,
    );
  }
  while (last.end < stream.length && isSpace(stream[last.end])) {
    last.end += 1;
    if (stream[last.end - 1] === NEWLINE) break;
  }
  if (stream.length - last.end < READ_AHEAD && stream[last.end - 1] !== NEWLINE) {
    throw new UserError(
      `document 2, line ${1 + countLines(stream, 0, last.end)}: neither JSON nor YAML follows the first value`,
    );
  }
  return spans;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

function splitYaml(stream: Buffer, from: number, documentsBefore: number): Span[] {
  const spans: Span[] = [];
  let start = from;
  let bodyStart = from;
  let separator = startsWithDashes(stream, from) ? from : nextSeparator(stream, from);
  while (separator >= 0) {
    if (separator > start) spans.push({ start, bodyStart, end: separator, isJson: false });
    const lineEnd = stream.indexOf(NEWLINE, separator);
    start = separator;
    bodyStart = lineEnd < 0 ? stream.length : lineEnd + 1;
    if (!BARE.test(stream.toString('latin1', separator + 3, bodyStart))) {
      const place = `document ${documentsBefore + spans.length + 1}, line ${1 + countLines(stream, 0, separator)}`;
      throw new UserError(`${place}: text follows the separator ---; only a comment may`);
    }
    separator = nextSeparator(stream, bodyStart - 1);
  }
  if (start < stream.length) spans.push({ start, bodyStart, end: stream.length, isJson: false });
  return spans;
}

function startsWithDashes(stream: Buffer, at: number): boolean {
  return stream.toString('latin1', at, at + 3) === '---';
}

/** The next line after `from` that starts with `---`, or −1. */
function nextSeparator(stream: Buffer, from: number): number {
  const found = stream.indexOf('\n---', from, 'latin1');
  return found < 0 ? -1 : found + 1;
}

function countLines(stream: Buffer, start: number, end: number): number {
  let lines = 0;
  for (let at = start; at < end; at += 1) if (stream[at] === NEWLINE) lines += 1;
  return lines;
}
