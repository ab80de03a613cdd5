/** Reads and writes one YAML document exactly as go-yaml v2 under sigs.k8s.io/yaml reads it: the way of kubectl and Argo CD. */
import { constructFromEvents, dump, EVENT_ID, parseEvents, YAMLException, type Event } from 'js-yaml';
import { findAliasProblem } from './aliases.ts';
import { READ_SCHEMA, WRITE_SCHEMA } from './schema.ts';
import { isTwoFaced } from './scalars.ts';

/** Collections within collections; what we make of a document is walked recursively. */
const MAX_DEPTH = 1000;

/** go-yaml refuses these anywhere, comments included. */
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Why a text cannot be read: the parser's reason and where, both counted from 1; never the text, it may hold a password. */
export class YamlProblem extends Error {
  override name = 'YamlProblem';
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(reason);
    this.line = line;
    this.column = column;
  }
}

/**
 * The first document of the text (go-yaml looks no further); undefined where there is none but comments. Throws
 * YamlProblem. Integers beyond 2^53 come as BigInt, all keys are strings, aliased parts are shared objects.
 */
export function parseYaml(text: string): unknown {
  const control = CONTROL_CHARACTER.exec(text);
  if (control !== null) throw problemAt(text, control.index, 'control characters are not allowed');
  try {
    const events = firstDocument(parseEvents(text, { maxDepth: MAX_DEPTH }));
    const problem = findAliasProblem(text, events);
    if (problem !== undefined) throw problemAt(text, problem.offset, problem.reason);
    return settle(constructFromEvents(events, { source: text, schema: READ_SCHEMA, json: true })[0]);
  } catch (error) {
    throw error instanceof YAMLException ? withoutText(error) : error;
  }
}

/** Keys in the order given; reads back the same through kubectl and through any YAML 1.1 or 1.2 reader. */
export function printYaml(value: unknown): string {
  return dump(value, { schema: WRITE_SCHEMA, noRefs: true, lineWidth: -1, seqNoIndent: true });
}

function firstDocument(events: Event[]): Event[] {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
  return second < 0 ? events : events.slice(0, second);
}

function settle(value: unknown): unknown {
  return isTwoFaced(value) ? value.value : value;
}

/** js-yaml puts names from the text behind a colon, a quote or a tag's bracket. */
function withoutText({ reason, mark }: YAMLException): YamlProblem {
  const words = reason.replace(/\s*(?::|"|!<).*$/s, '');
  return new YamlProblem(words, (mark?.line ?? 0) + 1, (mark?.column ?? 0) + 1);
}

function problemAt(text: string, offset: number, reason: string): YamlProblem {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return new YamlProblem(reason, lines.length, (lines.at(-1)?.length ?? 0) + 1);
}
