/** Reads and writes one YAML document exactly as go-yaml v2 under sigs.k8s.io/yaml reads it: the way of kubectl and Argo CD. */
import { constructFromEvents, dump, EVENT_ID, parseEvents, YAMLException, type Event } from 'js-yaml';
import { printJson } from './json.ts';
import { findProblem, type TextProblem } from './refusals.ts';
import { READ_SCHEMA, WRITE_SCHEMA } from './schema.ts';
import { isTwoFaced } from './scalars.ts';
import { YamlProblem } from './yaml-problem.ts';

export { YamlProblem } from './yaml-problem.ts';

/** Collections within collections; what we make of a document is walked recursively. */
const MAX_DEPTH = 1000;

/** A line break for go-yaml, whatever it stands in. */
const NEXT_LINE = '\u0085';

/**
 * The first document of the text (go-yaml looks no further); undefined where there is none but comments. Throws
 * YamlProblem. Integers beyond 2^53 come as BigInt, all keys are strings, aliased parts are shared objects.
 */
export function parseYaml(text: string): unknown {
  try {
    const { source, events } = parse(text.replaceAll(NEXT_LINE, '\n'));
    const problem = findProblem(source, events);
    if (problem !== undefined) throw problemAt(source, problem);
    return settle(constructFromEvents(events, { source, schema: READ_SCHEMA, json: true })[0]);
  } catch (error) {
    throw error instanceof YAMLException ? withoutText(error) : error;
  }
}

/** Keys in the order given; reads back the same through kubectl and through any YAML 1.1 or 1.2 reader. */
export function printYaml(value: unknown): string {
  try {
    return dump(value, { schema: WRITE_SCHEMA, noRefs: true, lineWidth: -1, seqNoIndent: true });
  } catch (error) {
    if (error instanceof RangeError) return printFlow(value);
    throw error;
  }
}

/** js-yaml's patterns overflow the stack on texts from 2 MB on; JSON, where YAML's few invisible characters are escaped, is YAML too. */
function printFlow(value: unknown): string {
  return printJson(value).replaceAll(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** YAML 1.2 wants the later lines of quoted text and of [] and {} indented, go-yaml does not care. */
const TOO_FAR_LEFT = 'deficient indentation';
const TOO_MANY = 'too many lines of quoted text, [] or {} stand left of the block they belong to; indent them';
const MORE_INDENTATION = ' '.repeat(100);
/** Each such place costs a parse of its own: at most this many characters are parsed for them. */
const MAX_REPARSED = 64 * 1024 * 1024;

interface Parsed {
  source: string;
  events: Event[];
}

/** Indents the lines js-yaml wants indented, one place after the other where it finds them: space there means nothing. */
function parse(text: string): Parsed {
  let source = text;
  let repaired = -1;
  for (let reparsed = 0; ; reparsed += source.length) {
    try {
      return { source, events: firstDocument(parseEvents(source, { maxDepth: MAX_DEPTH })) };
    } catch (error) {
      const lineStart = error instanceof YAMLException && error.reason === TOO_FAR_LEFT ? startOfLine(error) : -1;
      if (lineStart <= repaired || reparsed > MAX_REPARSED || source.startsWith('...', lineStart)) throw error;
      source = indentFrom(source, lineStart);
      repaired = lineStart;
    }
  }
}

/** The line, and those after it that must belong to the same text or collection: nothing that could close it comes before. */
function indentFrom(source: string, lineStart: number): string {
  const closing = source.slice(lineStart).search(/["'[\]{}]/);
  const end = closing < 0 ? source.length : lineStart + closing;
  const lines = source.slice(lineStart, end).replaceAll(/\n(?!\.\.\.)/g, `\n${MORE_INDENTATION}`);
  return source.slice(0, lineStart) + MORE_INDENTATION + lines + source.slice(end);
}

function startOfLine({ mark }: YAMLException): number {
  return mark === undefined ? -1 : mark.position - mark.column;
}

function firstDocument(events: Event[]): Event[] {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT);
  return second < 0 ? events : events.slice(0, second);
}

function settle(value: unknown): unknown {
  return isTwoFaced(value) ? value.value : value;
}

/** js-yaml puts names from the text behind a colon, a quote or a tag's bracket. */
function withoutText(error: YAMLException): YamlProblem {
  const added =
    error.mark?.buffer.startsWith(MORE_INDENTATION, startOfLine(error)) === true ? MORE_INDENTATION.length : 0;
  const column = (error.mark?.column ?? 0) - added + 1;
  const reason = error.reason === TOO_FAR_LEFT ? TOO_MANY : error.reason.replace(/\s*(?::|"|!<).*$/s, '');
  return new YamlProblem(reason, (error.mark?.line ?? 0) + 1, column);
}

function problemAt(text: string, { reason, offset }: TextProblem): YamlProblem {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new YamlProblem(reason, lines.length, (lines.at(-1)?.length ?? 0) + 1);
}
