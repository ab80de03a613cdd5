/** Decides which images are pulled: what the rendered pullers list, joined with what the hub's configuration lets a user start. */
import type { Warning } from '../api/warning.ts';
import { imagesOfConfiguration, type ConfiguredImages } from '../manifest/configured-images.ts';
import type { Hub } from '../manifest/hubs.ts';
import type { ConfiguredImage } from '../manifest/image-values.ts';
import { titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import {
  collectImages,
  identityOf,
  type CollectedImages,
  type NamedImage,
  type SkippedImage,
} from './collect-images.ts';
import type { PrepullOptions } from './options.ts';
import { pullSecretWarnings } from './pull-secrets.ts';
import { asksForPull, imagesOfPuller, imagesOfWorkload, pauseImageOf } from './workload-images.ts';

export type { ImageSource, SkippedImage, WantedImage } from './collect-images.ts';

export interface WantedImages extends CollectedImages {
  /** The parameter, else what the pullers' main container runs; never among `images` for that alone. */
  pauseImage?: string;
}

export type ImageOptions = Pick<PrepullOptions, 'images' | 'profileImages' | 'mutableTags' | 'pauseImage'>;

/**
 * The images of one hub in pull order: the configuration's (default image first), what only the pullers list, the user's own.
 * Throws UserError where a reference is a mistake.
 */
export function wantedImages(hub: Hub, options: ImageOptions): WantedImages {
  const configured = imagesOfConfiguration(hub.configuration?.values ?? {});
  const leftOut = profileImagesLeftOut(configured, options);
  const configurationName = hub.configuration === undefined ? '' : titleOf(hub.configuration.object);
  const fromConfiguration = configured.images
    .filter(({ reference }) => !leftOut.has(identityOf(reference)))
    .map((image) => namedIn(configurationName, image));
  const rewritten = keysByName(configured.images);
  const fromPullers = [hub.hookPuller, hub.continuousPuller]
    .flatMap((puller) => (puller === undefined ? [] : imagesOfPuller(puller)))
    .filter(({ text }) => !(options.profileImages === 'none' && leftOut.has(identityOf(text))))
    .map((image) => ({ ...image, fix: rewritten.get(nameIn(image.text)) ?? image.source.path }));
  const collected = collectImages(
    [...fromConfiguration, ...fromPullers, ...parameterImages(options)],
    options.mutableTags,
  );
  const reported = profilesLeftOut(leftOut, collected, options);
  const pauseImage = options.pauseImage ?? pauseImageOf(hub.hookPuller) ?? pauseImageOf(hub.continuousPuller);
  return {
    images: collected.images,
    skipped: [...collected.skipped, ...reported.skipped],
    warnings: [
      ...(hub.configuration?.warnings ?? []),
      ...configured.warnings.map((warning) => ({
        ...warning,
        fields: { object: configurationName, ...warning.fields },
      })),
      ...collected.warnings,
      ...reported.warnings,
      ...pullSecretWarnings(hub),
    ],
    ...(pauseImage !== undefined && { pauseImage }),
  };
}

/** The images of every workload that carries the `pull` label, whatever chart it comes from. */
export function labelledImages(
  objects: readonly KubeObject[],
  options: Pick<ImageOptions, 'mutableTags'>,
): CollectedImages {
  const named = objects.filter(asksForPull).flatMap(imagesOfWorkload);
  return collectImages(named, options.mutableTags);
}

/** Images only profiles name, when profiles are not to be pulled: by identity, the text of their first mention. */
function profileImagesLeftOut(configured: ConfiguredImages, { profileImages }: ImageOptions): Map<string, string> {
  const keepsProfiles = profileImages === 'all' || (profileImages === 'auto' && configured.pullProfileListImages);
  if (keepsProfiles) return new Map();
  const named = (inProfile: boolean): string[] =>
    configured.images.filter(({ profile }) => profile === inProfile).map(({ reference }) => reference);
  const leftOut = new Map<string, string>();
  for (const text of named(true)) if (!leftOut.has(identityOf(text))) leftOut.set(identityOf(text), text);
  for (const text of named(false)) leftOut.delete(identityOf(text));
  return leftOut;
}

function profilesLeftOut(
  leftOut: ReadonlyMap<string, string>,
  { images }: CollectedImages,
  { profileImages }: ImageOptions,
): { skipped: SkippedImage[]; warnings: Warning[] } {
  const pulled = new Set(images.map(({ reference }) => reference));
  const missing = [...leftOut].flatMap(([identity, text]) => (pulled.has(identity) ? [] : [text]));
  const why =
    profileImages === 'none'
      ? 'only profiles name it, and the parameter profile-images is none'
      : 'only profiles name it, and prePuller.pullProfileListImages is false';
  return {
    skipped: missing.map((reference) => ({ reference, why })),
    // Who sets the parameter knows; who inherits the chart's value may not.
    warnings:
      profileImages === 'none'
        ? []
        : missing.map((image) => ({
            message: 'an image is selectable but not pre-pulled: prePuller.pullProfileListImages is false',
            fields: { image },
          })),
  };
}

function namedIn(object: string, { reference, path, fix, always, profileName }: ConfiguredImage): NamedImage {
  const source = { object, path, ...(profileName !== undefined && { profile: profileName }) };
  return { text: reference, source, fix, always };
}

function parameterImages({ images }: ImageOptions): NamedImage[] {
  return images.map((text, index) => ({
    text,
    source: { object: 'parameter', path: `images[${index}]` },
    always: false,
  }));
}

/** By image name, the values key whose tag Helm rewrote on the way into a puller: the same name has another tag there. */
function keysByName(configured: readonly ConfiguredImage[]): Map<string, string> {
  const keys = configured
    .filter(({ reference, path, fix }) => fix !== path && nameIn(reference) !== '')
    .map(({ reference, fix }): [string, string] => [nameIn(reference), fix]);
  return new Map(keys.toReversed()); // of several the first speaks
}

function nameIn(reference: string): string {
  return reference.slice(0, Math.max(reference.lastIndexOf(':'), 0));
}
