/** What go-yaml v2 refuses and js-yaml takes. Everything here is linear in the text. */
import { EVENT_ID, SCALAR_STYLE, type Event } from 'js-yaml';
import { findAliasProblem } from './aliases.ts';

export interface TextProblem {
  reason: string;
  /** Where in the text. */
  offset: number;
}

const ANYWHERE: readonly [RegExp, string][] = [
  [/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/, 'control characters are not allowed'],
  [/^\ufeff?[ \t]+---(?=\s|$)/, 'the document marker --- is indented'],
];

const END_MARKER = /^\ufeff?\.\.\.(?=\s|$)/m;
const CONTENT = /^[ \t]*[^\s#\ufeff]/m;

/** JSON's escapes that YAML 1.1 does not have: `\/` and the halves of a surrogate pair. */
const JSON_ESCAPE = /\\(?:\/|u[dD][89a-fA-F]|U0000[dD][89a-fA-F])/;
const ESCAPED = /^(?:[^\\]|\\[^/uU]|\\u(?![dD][89a-fA-F])|\\U(?!0000[dD][89a-fA-F]))*/;

const LINE_SEPARATOR = /[\u2028\u2029]/g;
const BESIDE_SPACE = /[ \t\r\n\\]|[\u2028\u2029]{2}/;

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

/** undefined where go-yaml reads the text, as far as its rules differ from those of YAML 1.2. */
export function findProblem(text: string, events: readonly Event[]): TextProblem | undefined {
  for (const [pattern, reason] of ANYWHERE) {
    const found = pattern.exec(text);
    if (found !== null) return { reason, offset: found.index + found[0].length - 1 };
  }
  return (
    findEndProblem(text) ??
    findEscapeProblem(text, events) ??
    findSeparatorProblem(text, events) ??
    findAliasProblem(text, events)
  );
}

function findEndProblem(text: string): TextProblem | undefined {
  if (!text.includes('...')) return undefined;
  const offset = text.search(END_MARKER);
  const isFirst = offset >= 0 && !CONTENT.test(text.slice(0, offset));
  return isFirst ? { reason: 'the end marker ... stands before any document', offset } : undefined;
}

function findEscapeProblem(text: string, events: readonly Event[]): TextProblem | undefined {
  if (!JSON_ESCAPE.test(text)) return undefined;
  for (const event of events) {
    if (!isQuoted(event) || event.style !== SCALAR_STYLE.DOUBLE_QUOTED || event.fast) continue;
    const quoted = text.slice(event.valueStart, event.valueEnd);
    const good = ESCAPED.exec(quoted)?.[0].length ?? 0;
    if (good < quoted.length)
      return { reason: 'a quoted text holds an escape that only JSON knows', offset: event.valueStart + good };
  }
  return undefined;
}

/** A line separator ends lines, comments too, for go-yaml: within quotes, and not beside space, it means the same to both. */
function findSeparatorProblem(text: string, events: readonly Event[]): TextProblem | undefined {
  const separators = [...text.matchAll(LINE_SEPARATOR)].map((found) => found.index);
  if (separators.length === 0) return undefined;
  const quoted = events.filter(isQuoted);
  let next = 0;
  const lost = separators.find((offset) => {
    while ((quoted[next]?.valueEnd ?? Infinity) <= offset) next += 1;
    return (quoted[next]?.valueStart ?? Infinity) > offset || BESIDE_SPACE.test(text.slice(offset - 1, offset + 2));
  });
  return lost === undefined
    ? undefined
    : { reason: 'a line separator (U+2028, U+2029) stands in plain text; write it as an escape', offset: lost };
}

function isQuoted(event: Event): event is ScalarEvent {
  return (
    event.type === EVENT_ID.SCALAR &&
    (event.style === SCALAR_STYLE.DOUBLE_QUOTED || event.style === SCALAR_STYLE.SINGLE_QUOTED)
  );
}
