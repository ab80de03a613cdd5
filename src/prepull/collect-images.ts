/**
 * Turns named images into the pull list: parsed, normalised, each once, in the order of their first mention. References that are
 * mistakes stop everything, in one error that names all of them; what cannot be pulled for another reason is left out with a remark.
 */
import type { Warning } from '../api/warning.ts';
import { UserError } from '../errors.ts';
import { isMutable, isProblem, normaliseReference, parseReference, type ReferenceProblem } from '../image/reference.ts';

export interface ImageSource {
  /** `Kind/name`, or `parameter` for the user's own list. */
  object: string;
  /** Values path in a hub's configuration, JSON path in an object, `images[0]` in the parameter. */
  path: string;
  /** `display_name` of the profile the path is in. */
  profile?: string;
}

/** An image as some place names it. */
export interface NamedImage {
  text: string;
  source: ImageSource;
  /** What to change when the text is a mistake, where that is not the source. */
  fix?: string;
  always: boolean;
}

export interface WantedImage {
  /** Normalised: the identity of the image. */
  reference: string;
  /** As written where it is named first. */
  written: string;
  sources: ImageSource[];
  /** Pulled with `imagePullPolicy: Always`. */
  always: boolean;
}

/** Named, but not pulled. */
export interface SkippedImage {
  reference: string;
  why: string;
}

export interface CollectedImages {
  images: WantedImage[];
  skipped: SkippedImage[];
  warnings: Warning[];
}

/** Throws UserError for references nobody can pull as written: a line for each, the first carrying the whole story. */
export function collectImages(named: readonly NamedImage[], mutableTags: readonly string[]): CollectedImages {
  const images = new Map<string, WantedImage>();
  const skipped = new Map<string, SkippedImage>();
  const mistakes: { image: NamedImage; problem: ReferenceProblem }[] = [];
  const warnings: Warning[] = [];
  for (const image of named) {
    const parsed = parseReference(image.text);
    if (!isProblem(parsed)) {
      const mutable = isMutable(parsed, mutableTags);
      const isNew = addImage(images, normaliseReference(parsed), { ...image, always: image.always || mutable });
      if (isNew && mutable) warnings.push(warning('a tag that may move is pulled anew each time', image));
    } else if (parsed.kind === 'invalid') {
      mistakes.push({ image, problem: parsed });
    } else if (!skipped.has(image.text)) {
      skipped.set(image.text, { reference: shown(image.text), why: parsed.problem });
      warnings.push(warning(SKIPPED[parsed.kind], image));
    }
  }
  if (mistakes.length > 0) throw new UserError([...new Set(mistakes.map(describe))].join('\n'));
  return { images: [...images.values()].map(withDistinctSources), skipped: [...skipped.values()], warnings };
}

/** What two ways of writing one image have in common; the text itself where it is no reference. */
export function identityOf(text: string): string {
  const parsed = parseReference(text);
  return isProblem(parsed) ? text : normaliseReference(parsed);
}

const MAX_SHOWN = 160;

const SKIPPED = {
  template: 'an image holds a template, it cannot be pulled ahead',
  unpullable: 'an image has a placeholder tag that no registry holds, it is left out: package the chart or set the tag',
};

function addImage(images: Map<string, WantedImage>, reference: string, image: NamedImage): boolean {
  const { text, source, always } = image;
  const known = images.get(reference);
  if (known === undefined) {
    images.set(reference, { reference, written: text, sources: [source], always });
    return true;
  }
  known.always ||= always;
  known.sources.push(source);
  return false;
}

/** A place that names the image twice counts once. */
function withDistinctSources(image: WantedImage): WantedImage {
  const sources = new Map(image.sources.map((source) => [JSON.stringify([source.object, source.path]), source]));
  return { ...image, sources: [...sources.values()] };
}

function warning(message: string, { text, source }: NamedImage): Warning {
  return { message, fields: { image: shown(text), object: source.object, path: source.path } };
}

function describe({ image, problem }: { image: NamedImage; problem: ReferenceProblem }): string {
  const { object, path } = image.source;
  const fix = image.fix === undefined || image.fix === path ? '' : `, set by ${image.fix}`;
  return `cannot pull ${JSON.stringify(shown(image.text))} (${object} ${path}${fix}): ${problem.problem}`;
}

/** A text that is no reference may be a URL with a password in it, or anything at all. */
function shown(text: string): string {
  const masked = text.replace(/^.*@(?!sha\d+:)/s, '***@');
  return masked.length <= MAX_SHOWN ? masked : `${masked.slice(0, MAX_SHOWN)}…`;
}
