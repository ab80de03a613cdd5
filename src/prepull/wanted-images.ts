/** Decides which images are pulled: what the rendered pullers list, joined with what the hub's configuration lets a user start. */
import { PULL_LABEL, SOURCES_ANNOTATION } from '../api/names.ts';
import type { Warning } from '../api/warning.ts';
import { imagesOfConfiguration, type ConfiguredImages } from '../manifest/configured-images.ts';
import { annotationOf } from '../manifest/hooks.ts';
import type { Hub } from '../manifest/hubs.ts';
import type { ConfiguredImage } from '../manifest/image-values.ts';
import { labelOf, roleOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asList, asMapping, asText, valueAt } from '../manifest/mapping.ts';
import { containersOf, podSpecOf, type FoundContainer, type WorkloadPod } from '../manifest/pod-spec.ts';
import {
  collectImages,
  identityOf,
  type CollectedImages,
  type NamedImage,
  type SkippedImage,
} from './collect-images.ts';
import type { PrepullOptions } from './options.ts';
import { pullSecretWarnings } from './pull-secrets.ts';

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
    .filter(({ reference }) => !leftOut.has(reference))
    .map((image) => namedIn(configurationName, image));
  const fromPullers = pullersOf(hub)
    .flatMap((puller) => imagesOfPuller(puller))
    .filter(({ text }) => !(options.profileImages === 'none' && leftOut.has(text)))
    .map((image) => ({ ...image, fix: keyBehind(image.text, configured.images) ?? image.source.path }));
  const collected = collectImages(
    [...fromConfiguration, ...fromPullers, ...parameterImages(options)],
    options.mutableTags,
  );
  const reported = profilesLeftOut(leftOut, collected, options);
  const pauseImage = options.pauseImage ?? pauseImageOf(hub);
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
  const named = objects
    .filter((object) => labelOf(object, PULL_LABEL) === 'true')
    .flatMap((object) => {
      const pod = podSpecOf(object);
      return pod === undefined ? [] : imagesOfPod(object, pod, () => true);
    });
  return collectImages(named, options.mutableTags);
}

/** Texts whose image only profiles name, when profiles are not to be pulled. */
function profileImagesLeftOut(configured: ConfiguredImages, { profileImages }: ImageOptions): Set<string> {
  const keepsProfiles = profileImages === 'all' || (profileImages === 'auto' && configured.pullProfileListImages);
  if (keepsProfiles) return new Set();
  const named = (inProfile: boolean): string[] =>
    configured.images.filter(({ profile }) => profile === inProfile).map(({ reference }) => reference);
  const elsewhere = new Set(named(false).map(identityOf));
  return new Set(named(true).filter((text) => !elsewhere.has(identityOf(text))));
}

function profilesLeftOut(
  leftOut: ReadonlySet<string>,
  { images }: CollectedImages,
  { profileImages }: ImageOptions,
): { skipped: SkippedImage[]; warnings: Warning[] } {
  const pulled = new Set(images.map(({ reference }) => reference));
  const missing = [...leftOut].filter((text) => !pulled.has(identityOf(text)));
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

function namedIn(object: string, { reference, path, fix, always }: ConfiguredImage): NamedImage {
  return { text: reference, source: { object, path }, fix, always };
}

function parameterImages({ images }: ImageOptions): NamedImage[] {
  return images.map((text, index) => ({
    text,
    source: { object: 'parameter', path: `images[${index}]` },
    always: false,
  }));
}

function pullersOf(hub: Hub): KubeObject[] {
  return [hub.hookPuller, hub.continuousPuller].filter((puller) => puller !== undefined);
}

/** The chart pulls with init containers and rests in the main one; a puller of ours says which of its containers pull. */
function imagesOfPuller(puller: KubeObject): NamedImage[] {
  const pod = podSpecOf(puller);
  if (pod === undefined) return [];
  const pulling = roleOf(puller) === undefined ? undefined : pullingContainers(puller);
  return imagesOfPod(
    puller,
    pod,
    ({ field, container }) => field === 'initContainers' || pulling?.has(container.name) === true,
  );
}

function pullingContainers(puller: KubeObject): Set<string> {
  try {
    return new Set(Object.keys(asMapping(JSON.parse(annotationOf(puller, SOURCES_ANNOTATION) ?? '{}')) ?? {}));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Set();
  }
}

/** Container images and image volumes: what a kubelet pulls before it starts the pod. */
function imagesOfPod(object: KubeObject, pod: WorkloadPod, pulls: (found: FoundContainer) => boolean): NamedImage[] {
  const containers = containersOf(pod)
    .filter(pulls)
    .map(({ container, path }) => ({
      text: container.image,
      path: `${path}.image`,
      policy: container.imagePullPolicy,
    }));
  const volumes = asList(pod.spec.volumes).map((volume, index) => ({
    text: valueAt(volume, 'image', 'reference'),
    path: `${pod.path}.volumes[${index}].image.reference`,
    policy: valueAt(volume, 'image', 'pullPolicy'),
  }));
  return [...containers, ...volumes].flatMap(({ text, path, policy }) => {
    const image = asText(text);
    return image === undefined
      ? []
      : [{ text: image, source: { object: titleOf(object), path }, always: policy === 'Always' }];
  });
}

/** The values key whose tag Helm rewrote on the way into a puller: the same name, another tag. */
function keyBehind(text: string, configured: readonly ConfiguredImage[]): string | undefined {
  const nameOfImage = (reference: string): string => reference.slice(0, Math.max(reference.lastIndexOf(':'), 0));
  const name = nameOfImage(text);
  return configured.find(({ reference, path, fix }) => fix !== path && name !== '' && nameOfImage(reference) === name)
    ?.fix;
}

function pauseImageOf(hub: Hub): string | undefined {
  return pullersOf(hub)
    .flatMap((puller) => {
      const pod = podSpecOf(puller);
      const pulling = pullingContainers(puller);
      const main = pod === undefined ? [] : containersOf(pod).filter(({ field }) => field === 'containers');
      return main
        .filter(({ container }) => !pulling.has(container.name))
        .map(({ container }) => asText(container.image));
    })
    .find((image) => image !== undefined);
}
