/** Texts from outside made fit for a condition: one line, no control characters, no secrets of URLs, bounded in bytes. */

/** C0, C1, line separators, and marks that turn the direction of text. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const USER_INFO = /(\w:\/\/)[^/\s"@]+@/g;
const QUERY = /(\w:\/\/[^\s"?]+)\?[^\s"]*/g;

/** One line of at most `limit` bytes; signed URLs lose their query, URLs their user and password. */
export function clean(text: string, limit: number): string {
  const line = text.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
  return cut(line.replace(USER_INFO, '$1').replace(QUERY, '$1'), limit);
}

/** At most `limit` bytes of UTF-8, whole characters, an ellipsis where something was cut. */
export function cut(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let kept = '';
  let bytes = Buffer.byteLength('…');
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** What a runtime says before it comes to the point. */
const PREAMBLES = [
  /^rpc error: code = \w+ desc = /,
  /^failed to pull and unpack image "[^"]*": /,
  /^failed to resolve reference "[^"]*": /,
  /^failed to do request: /,
  /^Failed to apply default image tag "[^"]*": /,
  /^(?:initializing source|choosing an image from manifest list) \S+: /,
  /^reading manifest \S+ in \S+: /,
];

/** The point of a pull error, for a message of few words. */
export function pointOf(text: string): string {
  let rest = text;
  for (const preamble of PREAMBLES) rest = rest.replace(preamble, '');
  return clean(rest, 240);
}

/** RFC 3339 without fractions, as the API server prints times. */
export function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** `1 node`, `3 nodes`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
