/** The images a kubelet pulls for a workload's pods, and which of a puller's it pulls for users. */
import { PULL_LABEL, SOURCES_ANNOTATION } from '../api/names.ts';
import { annotationOf } from '../manifest/hooks.ts';
import { labelOf, roleOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asList, asMapping, asText, valueAt } from '../manifest/mapping.ts';
import { containersOf, podSpecOf, type FoundContainer } from '../manifest/pod-spec.ts';
import type { NamedImage } from './collect-images.ts';

/** Whether a workload carries our `pull` label, itself or on its pod template: many charts let users label pods only. */
export function asksForPull(object: KubeObject): boolean {
  const onPods = valueAt(podSpecOf(object)?.template, 'metadata', 'labels', PULL_LABEL);
  return labelOf(object, PULL_LABEL) === 'true' || onPods === 'true';
}

/** Every container image and image volume; none for what makes no pods. */
export function imagesOfWorkload(object: KubeObject): NamedImage[] {
  return imagesOf(object, () => true);
}

/** The chart pulls with init containers and rests in the main one; a puller of ours says which of its containers pull. */
export function imagesOfPuller(puller: KubeObject): NamedImage[] {
  const pulling = pullingContainers(puller);
  return imagesOf(puller, ({ field, container }) => field === 'initContainers' || pulling.has(container.name));
}

/** The names our annotation lists, but for containers that rest while they hold an image volume. */
function pullingContainers(puller: KubeObject): Set<string> {
  const pod = podSpecOf(puller);
  if (roleOf(puller) === undefined || pod === undefined) return new Set();
  const imageVolumes = asList(pod.spec.volumes).filter((volume) => valueAt(volume, 'image') !== undefined);
  const names = new Set(imageVolumes.map((volume) => valueAt(volume, 'name')));
  const listed = listedContainers(annotationOf(puller, SOURCES_ANNOTATION) ?? '{}');
  for (const { container } of containersOf(pod)) {
    if (asList(container.volumeMounts).some((mount) => names.has(valueAt(mount, 'name'))))
      listed.delete(container.name);
  }
  return listed;
}

function listedContainers(annotation: string): Set<string> {
  try {
    return new Set(Object.keys(asMapping(JSON.parse(annotation)) ?? {}));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Set();
  }
}

function imagesOf(object: KubeObject, pulls: (found: FoundContainer) => boolean): NamedImage[] {
  const pod = podSpecOf(object);
  if (pod === undefined) return [];
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

/** What a puller's pods do once all is pulled. */
export function pauseImageOf(puller: KubeObject | undefined): string | undefined {
  const pod = puller === undefined ? undefined : podSpecOf(puller);
  if (puller === undefined || pod === undefined) return undefined;
  const pulling = pullingContainers(puller);
  return containersOf(pod)
    .filter(({ field, container }) => field === 'containers' && !pulling.has(container.name))
    .map(({ container }) => asText(container.image))
    .find((image) => image !== undefined);
}
