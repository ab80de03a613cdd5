/**
 * Reads image references by the OCI grammar (distribution/reference), and says in plain words what is wrong with the others.
 */

export interface Reference {
  /** As written in the chart. */
  readonly text: string;
  /** Host with optional port; undefined where the text names none (Docker Hub). */
  readonly registry?: string;
  /** Path below the registry, as written. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:…`. */
  readonly digest?: string;
}

/** `template`: text not yet expanded; `unpullable`: a placeholder tag that no registry holds; `invalid`: a mistake to fix. */
export type ProblemKind = 'template' | 'unpullable' | 'invalid';

export interface ReferenceProblem {
  /** As written in the chart. */
  readonly text: string;
  readonly kind: ProblemKind;
  /** What is wrong and what to do, without the text itself: `the tag is empty; set it`. */
  readonly problem: string;
}

export function parseReference(text: string): Reference | ReferenceProblem {
  throw new Error(`not written: ${text}`);
}

export function isProblem(parsed: Reference | ReferenceProblem): parsed is ReferenceProblem {
  return 'problem' in parsed;
}

/** The reference put together from its parts. */
export function printReference(reference: Reference): string {
  return reference.text;
}

/** Identity: two references with the same answer are one image. Registry and tag filled in; a digest leaves the tag out. */
export function normaliseReference(reference: Reference): string {
  return reference.text;
}

/** Whether the tag may move to another image: no tag is `latest`; a digest never moves. */
export function isMutable(reference: Reference, mutableTags: readonly string[]): boolean {
  return mutableTags.includes(reference.tag ?? 'latest');
}
