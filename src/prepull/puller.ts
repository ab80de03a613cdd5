/**
 * Writes a puller: the DaemonSet with our labels, its policy, an update strategy that one full node cannot stop, and pods that no
 * sidecar joins. `spec.selector` is never touched, it is immutable (Kubernetes apps/v1 validation).
 */
import {
  COMMIT_ANNOTATION,
  CONTRACT_ANNOTATION,
  CONTRACT_VERSION,
  IMAGES_LABEL,
  REPOSITORY_ANNOTATION,
  REVISION_ANNOTATION,
  ROLE_LABEL,
  SOURCES_ANNOTATION,
} from '../api/names.ts';
import { printPolicy, type Policy } from '../api/policy.ts';
import { annotationOf } from '../manifest/hooks.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { phaseAnnotations, type Phase } from './argo-phase.ts';
import { imagesDigest } from './digest.ts';
import { annotated, changedMap } from './draft.ts';
import { containerName } from './names.ts';
import type { PrepullOptions } from './options.ts';
import type { DaemonSet, PullerRole } from './puller-base.ts';
import { pullerPod, type PodDesign } from './puller-pod.ts';
import type { WantedImage } from './wanted-images.ts';

export interface PullerDesign extends PodDesign {
  role: PullerRole;
  policy: Policy;
  /** A Job waits for it, and Argo CD itself must not. */
  isAwaited: boolean;
  /** Undefined leaves an ordinary object in the wave it has. */
  phase: Phase | undefined;
  revision: Pick<PrepullOptions, 'revision' | 'repository' | 'commit'>;
}

/** Istio reads label and annotation, Linkerd the annotation. */
export const NO_SIDECAR_LABELS = { 'sidecar.istio.io/inject': 'false' };
export const NO_SIDECAR_ANNOTATIONS = { 'sidecar.istio.io/inject': 'false', 'linkerd.io/inject': 'disabled' };

/** Annotations of an object share 256 KiB with the copy of the whole object that kubectl keeps there. */
const MAX_SOURCES_LENGTH = 16_384;

/** Whether an object went through `transform` before: then it is left as it is. */
export function isPlanned(object: KubeObject): boolean {
  return annotationOf(object, CONTRACT_ANNOTATION) !== undefined;
}

/** The puller to emit. Everything of `base` that is not named here stays. */
export function writePuller(base: DaemonSet, design: PullerDesign): DaemonSet {
  const labels = { [ROLE_LABEL]: design.role, [IMAGES_LABEL]: imagesDigest(design.images) };
  const { template } = base.spec;
  const templateMetadata = {
    ...template.metadata,
    labels: changedMap(template.metadata?.labels, { ...labels, ...NO_SIDECAR_LABELS }),
    annotations: changedMap(template.metadata?.annotations, NO_SIDECAR_ANNOTATIONS),
  };
  const written = annotated(base, pullerAnnotations(design));
  return {
    ...written,
    metadata: { ...written.metadata, labels: changedMap(written.metadata.labels, labels) },
    spec: {
      ...written.spec,
      updateStrategy: updateStrategy(design),
      template: { ...template, metadata: templateMetadata, spec: pullerPod(template.spec, design) },
    },
  };
}

function pullerAnnotations(design: PullerDesign): Record<string, string | undefined> {
  const { phase, revision } = design;
  return {
    ...(phase && phaseAnnotations(phase)),
    ...(phase?.hook !== undefined && revisionAnnotations(revision)),
    [CONTRACT_ANNOTATION]: CONTRACT_VERSION,
    ...printPolicy(design.policy),
    [SOURCES_ANNOTATION]: sourcesText(design.images),
  };
}

/** Which commit a hook belongs to; never on objects that Argo CD compares, or each commit would make them OutOfSync. */
export function revisionAnnotations({
  revision,
  repository,
  commit,
}: PullerDesign['revision']): Record<string, string> {
  return {
    ...(revision !== undefined && { [REVISION_ANNOTATION]: revision }),
    ...(repository !== undefined && { [REPOSITORY_ANNOTATION]: repository }),
    ...(commit !== undefined && { [COMMIT_ANNOTATION]: commit }),
  };
}

/** Container name → where its image is named first; the names alone when that would be too long for an annotation. */
function sourcesText(images: readonly WantedImage[]): string {
  const entries = images.map(({ reference, sources: [first] }, index): [string, string] => [
    containerName(index, reference),
    first === undefined ? '' : `${first.object} ${first.path}`.trim(),
  ]);
  const text = JSON.stringify(Object.fromEntries(entries));
  if (text.length <= MAX_SOURCES_LENGTH) return text;
  return JSON.stringify(Object.fromEntries(entries.map(([name]) => [name, ''])));
}

/**
 * With a Job after it a hook must be OnDelete: Argo CD's built-in rule then calls it Healthy once observed, and looks at the Job. All
 * others replace the pods of all nodes at once, or one full node stops the update on the rest; and without the Job the built-in rule
 * must wait for the pods.
 */
function updateStrategy({ isAwaited }: PullerDesign): unknown {
  if (isAwaited) return { type: 'OnDelete' };
  return { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } };
}
