/** Digests that fit a label: of any texts, and of several image lists taken together. */
import { createHash } from 'node:crypto';

const LABEL_DIGITS = 32;

/** So many hexadecimal digits; the texts are kept apart, so that `a-b`, `c` and `a`, `b-c` differ. */
export function digestOf(texts: readonly string[], digits: number = LABEL_DIGITS): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, digits);
}

/** One digest over the image labels of several pullers; that of a single list is the list's own. Undefined for none. */
export function combinedDigest(digests: readonly string[]): string | undefined {
  const [first, ...rest] = [...new Set(digests)].sort();
  return first === undefined || rest.length === 0 ? first : digestOf([first, ...rest]);
}
