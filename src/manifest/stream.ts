/**
 * Reads a stream into manifests as kubectl's builder does, refuses what it refuses (and text that is not UTF-8), and joins
 * manifests again byte for byte.
 */
import { isUtf8 } from 'node:buffer';
import { UserError } from '../errors.ts';
import { parseJson } from './json.ts';
import type { KubeObject, Manifest, Position } from './manifest.ts';
import { toObject } from './object.ts';
import { splitStream, type Chunk } from './split.ts';
import { parseYaml, YamlProblem } from './yaml.ts';

/** The API server takes 3 MiB a request; a List of many may be larger, but memory is what it costs to read it. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Where Helm's comment stands, in bytes. */
const LONGEST_HEAD = 512;

/** Throws UserError, naming document and line, where kubectl would refuse the stream. */
export function readStream(bytes: Uint8Array): Manifest[] {
  const chunks = splitStream(bytes);
  const isJsonStream = chunks.length > 1 && chunks.every((chunk) => chunk.isJson);
  return chunks.map((chunk, index) => {
    const position = { document: index + 1, line: chunk.line };
    const object = readDocument(chunk, position);
    return { separator: chunk.separator, body: chunk.body, position, object, ...(isJsonStream && { json: true }) };
  });
}

/** The bytes of a stream that readStream read come back as they were. */
export function printStream(manifests: readonly Manifest[]): Uint8Array {
  return Buffer.concat(manifests.flatMap(({ separator, body }) => [separator, body]));
}

function readDocument(chunk: Chunk, position: Position): KubeObject | undefined {
  const size = chunk.body.length;
  if (size > MAX_DOCUMENT_BYTES) {
    const megabytes = (count: number): string => `${Math.round(count / 1024 / 1024)} MiB`;
    throw refusal(
      chunk,
      position,
      `the document has ${megabytes(size)}; at most ${megabytes(MAX_DOCUMENT_BYTES)} are read`,
    );
  }
  try {
    const text = decode(chunk.body);
    const value = chunk.isJson ? parseJson(text.text) : parseYaml(withFinalNewline(text.text));
    if (text.stranger !== undefined && holds(value, text.stranger)) {
      throw new YamlProblem('the text is not UTF-8; save the file as UTF-8', lineOf(text.text, text.stranger), 1);
    }
    return toObject(value, (problem) => refusal(chunk, position, problem));
  } catch (error) {
    if (error instanceof YamlProblem) {
      const place = { document: position.document, line: position.line + error.line - 1 };
      throw refusal(chunk, place, error.message);
    }
    throw error;
  }
}

/** As kubectl's line reader hands lines on. */
function withFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Nobody sees the stream that Argo CD's plugin renders: the template Helm names above a document is what can be opened. */
function refusal({ body }: Chunk, position: Position, problem: string): UserError {
  const head = Buffer.from(body.subarray(0, LONGEST_HEAD)).toString('latin1');
  const template = /^# Source: ([\w./+@-]+)\s*$/m.exec(head)?.[1];
  const from = template === undefined ? '' : ` (from ${template})`;
  return new UserError(`document ${position.document}, line ${position.line}${from}: ${problem}`);
}

/** Bytes that are not UTF-8 become a character the text does not hold, so that one in a comment can be told from one in a value. */
function decode(body: Uint8Array): { text: string; stranger?: string } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  const replaced = bytes.toString('utf8');
  const stranger = findUnused(replaced);
  return { text: replaced.replaceAll('\ufffd', stranger), stranger };
}

function findUnused(text: string): string {
  for (let code = 0xe000; code < 0xf8ff; code += 1) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) return character;
  }
  return '\ufffd';
}

function holds(value: unknown, character: string): boolean {
  if (typeof value === 'string') return value.includes(character);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, field]) => key.includes(character) || holds(field, character));
}

function lineOf(text: string, character: string): number {
  return text.slice(0, text.indexOf(character)).split('\n').length;
}
