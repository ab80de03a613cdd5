/**
 * Reads one image, or the images of containers, at one place of a chart's values: a remark instead of an error for what is none.
 */
import type { Warning } from '../api/warning.ts';
import { asMapping, asText, valueAt } from './mapping.ts';

/** One image the configuration names. */
export interface ConfiguredImage {
  reference: string;
  /** Values path, such as `singleuser.profileList[0].kubespawner_override.image`. */
  path: string;
  /** Values path of what to change when the reference is wrong: the tag, where name and tag are apart. */
  fix: string;
  /** User pods pull it each time (`pullPolicy: Always`). */
  always: boolean;
  /** Named inside `profileList`, so that `prePuller.pullProfileListImages` governs it. */
  profile: boolean;
  /** `display_name` of that profile. */
  profileName?: string;
}

/** What one place of the values gives: images, and remarks on what could not be read there. */
export interface ImagesFound {
  images: ConfiguredImage[];
  warnings: Warning[];
}

export const NOTHING: ImagesFound = { images: [], warnings: [] };

/** A list's or mapping's entries with their values paths: `path[0]`, `path.key`. */
export function entriesOf(value: unknown, path: string): [entry: unknown, path: string][] {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => [entry, `${path}[${index}]`]);
  return Object.entries(asMapping(value) ?? {}).map(([key, entry]) => [entry, `${path}.${key}`]);
}

/** Init or extra containers: a list as in the chart, or a mapping as kubespawner takes it too. */
export function imagesOfContainers(value: unknown, path: string): ImagesFound {
  const isReadable = value === undefined || value === null || Array.isArray(value) || asMapping(value) !== undefined;
  if (!isReadable) return warn('this is neither a list nor a mapping, its images are not known', path);
  return join(
    entriesOf(value, path).map(([container, at]) => {
      const image = valueAt(container, 'image');
      if (image === undefined || image === null || image === '')
        return warn('a container of user pods names no image', at);
      return imageOfText(image, `${at}.image`, valueAt(container, 'imagePullPolicy'));
    }),
  );
}

/** A whole reference in one text. */
export function imageOfText(reference: unknown, path: string, pullPolicy: unknown): ImagesFound {
  const text = asText(reference);
  if (text === undefined) return warn('an image is not text', path);
  return {
    images: [{ reference: text, path, fix: path, always: pullPolicy === 'Always', profile: false }],
    warnings: [],
  };
}

export function join(parts: readonly ImagesFound[]): ImagesFound {
  return { images: parts.flatMap(({ images }) => images), warnings: parts.flatMap(({ warnings }) => warnings) };
}

export function warn(message: string, path: string): ImagesFound {
  return { images: [], warnings: [{ message, fields: { path } }] };
}

/** `name`, `tag` and, in Bitnami's chart, `digest`. Without a tag the hub takes the name alone; an empty tag is a mistake. */
export function imageOfParts(value: unknown, path: string): ImagesFound {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'string') return imageOfText(value, path, undefined);
  const name = asText(valueAt(value, 'name'));
  if (name === undefined) return warn('an image has no name', path);
  const tag = suffix(':', valueAt(value, 'tag'));
  const digest = suffix('@', valueAt(value, 'digest') === '' ? null : valueAt(value, 'digest'));
  if (tag === undefined || digest === undefined) return warn('a tag or digest is not text', path);
  const always = valueAt(value, 'pullPolicy') === 'Always';
  return {
    images: [{ reference: `${name}${tag}${digest}`, path, fix: `${path}.tag`, always, profile: false }],
    warnings: isNumber(valueAt(value, 'tag'))
      ? warn('a tag is a number: quote it, Helm rewrites numbers', `${path}.tag`).warnings
      : [],
  };
}

/** Undefined for what is neither text nor number. */
function suffix(separator: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' || isNumber(value) ? `${separator}${value}` : undefined;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
