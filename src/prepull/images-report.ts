/** The answer of `images -o json`: what would be pulled over all hubs of an app, where each image comes from, and what was left out. */
import type { Warning } from '../api/warning.ts';
import type { CollectedImages, ImageSource, SkippedImage, WantedImage } from './collect-images.ts';

/** Stable: a field may be added, none is renamed or removed. */
export interface ImagesReport {
  /** `reference` as written; two ways of writing one image are one entry. */
  images: { reference: string; sources: ImageSource[] }[];
  skipped: SkippedImage[];
  warnings: Warning[];
}

/** Joins hubs in the order given; an image of several hubs is listed once, with the sources of all. */
export function imagesReport(parts: readonly CollectedImages[]): ImagesReport {
  const images = new Map<string, WantedImage>();
  for (const image of parts.flatMap((part) => part.images)) {
    const known = images.get(image.reference);
    images.set(
      image.reference,
      known === undefined ? image : { ...known, sources: [...known.sources, ...image.sources] },
    );
  }
  return {
    images: [...images.values()].map(({ written, sources }) => ({ reference: written, sources })),
    skipped: once(parts.flatMap((part) => part.skipped)),
    warnings: once(parts.flatMap((part) => part.warnings)),
  };
}

/** An image a line, the places it comes from indented below it, so that the list can be cut with grep and awk. */
export function reportAsText({ images, skipped }: ImagesReport): string {
  const pulled = images.flatMap(({ reference, sources }) => [oneLine(reference), ...sources.map(placeLine)]);
  const left = skipped.flatMap(({ reference, why }) => [`not pulled: ${oneLine(reference)}`, `  ${oneLine(why)}`]);
  return [...pulled, ...left, ''].join('\n');
}

function placeLine(source: ImageSource): string {
  return `  ${placeOf(source)}`;
}

/** Where an image is named, for people: object, path and, in a profile, its display name. */
export function placeOf({ object, path, profile }: ImageSource): string {
  return oneLine(`${object} ${path}${profile === undefined ? '' : ` (${profile})`}`);
}

/** Texts come from the chart: no line breaks, no terminal controls. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

function once<T>(values: readonly T[]): T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    return !seen.has(text) && seen.add(text);
  });
}
