/** Digests that fit a label: of an image list, and of what tells a name apart. */
import { digestOf } from '../api/digest.ts';
import type { WantedImage } from './wanted-images.ts';

const NAME_DIGITS = 8;

/** Equal for equal sets of images with equal pull policies, whatever their order. 32 hexadecimal digits. */
export function imagesDigest(images: readonly WantedImage[]): string {
  const lines = images.map(({ reference, always }) => `${reference} ${always ? 'Always' : 'IfNotPresent'}`);
  return digestOf(lines.sort());
}

/** 8 hexadecimal digits; the texts are kept apart, so that `a-b`, `c` and `a`, `b-c` differ. */
export function shortHash(texts: readonly string[]): string {
  return digestOf(texts, NAME_DIGITS);
}
