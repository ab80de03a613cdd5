/** Digests that fit a label: of an image list, of what tells a name apart, of all pullers of an app. */
import { createHash } from 'node:crypto';
import type { WantedImage } from './wanted-images.ts';

const LABEL_DIGITS = 32;
const NAME_DIGITS = 8;

/** Equal for equal sets of images with equal pull policies, whatever their order. 32 hexadecimal digits. */
export function imagesDigest(images: readonly WantedImage[]): string {
  const lines = images.map(({ reference, always }) => `${reference} ${always ? 'Always' : 'IfNotPresent'}`);
  return digestOf(lines.sort(), LABEL_DIGITS);
}

/** One digest over the image labels of all pullers of an app; that of a single list is the list's own. */
export function combinedDigest(digests: readonly string[]): string | undefined {
  const [first, ...rest] = [...new Set(digests)].sort();
  return first === undefined || rest.length === 0 ? first : digestOf([first, ...rest], LABEL_DIGITS);
}

/** 8 hexadecimal digits; the texts are kept apart, so that `a-b`, `c` and `a`, `b-c` differ. */
export function shortHash(texts: readonly string[]): string {
  return digestOf(texts, NAME_DIGITS);
}

function digestOf(texts: readonly string[], digits: number): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, digits);
}
