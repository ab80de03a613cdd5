/** Every label, annotation and condition name the two halves of the product share. */

export const PREFIX = 'argocd-prepuller.github.io';

/** What an object is to us: on pullers (and their pod templates) `hook` or `continuous`, else `prerequisite`. */
export const ROLE_LABEL = `${PREFIX}/role`;
export const ROLES = ['hook', 'continuous', 'prerequisite'] as const;
export type Role = (typeof ROLES)[number];

/** Digest of the puller's image list, on the puller and its pod template. */
export const IMAGES_LABEL = `${PREFIX}/images`;

/** On any workload whose images are to be pulled too: `pull: "true"`. */
export const PULL_LABEL = `${PREFIX}/pull`;

/** On nodes, where that is asked for: digest of the images that every continuous puller has there. */
export const PULLED_LABEL = `${PREFIX}/pulled`;

/** Version of what annotations mean; a reconciler that reads a newer one says so. */
export const CONTRACT_ANNOTATION = `${PREFIX}/contract`;
export const CONTRACT_VERSION = '1';

/** Per-node summary and remembered facts, JSON of at most 4 KiB, written by the reconciler. */
export const VERDICT_ANNOTATION = `${PREFIX}/verdict`;

/** A person's word: `let-through` or `give-up`, for the generation in OVERRIDE_GENERATION_ANNOTATION. */
export const OVERRIDE_ANNOTATION = `${PREFIX}/override`;
export const OVERRIDE_GENERATION_ANNOTATION = `${PREFIX}/override-generation`;

/** RFC 3339: windows, deadlines and remembered errors older than it are forgotten. */
export const RETRY_AT_ANNOTATION = `${PREFIX}/retry-at`;

/** On hook objects only: the revision Argo CD renders and the last commit that touched the app. */
export const REVISION_ANNOTATION = `${PREFIX}/revision`;
export const COMMIT_ANNOTATION = `${PREFIX}/commit`;
/** On hook objects only: the repository's page, without credentials, so that a commit can be linked. */
export const REPOSITORY_ANNOTATION = `${PREFIX}/repository`;

/** On one ordinary object, so that a commit that changes only the hook makes the app OutOfSync. */
export const IMAGES_DIGEST_ANNOTATION = `${PREFIX}/images-digest`;

/** Container name → where its image comes from, JSON, on pullers we write. */
export const SOURCES_ANNOTATION = `${PREFIX}/sources`;

export const PULLED_CONDITION = `${PREFIX}/Pulled`;
export const OBSERVED_GENERATION_CONDITION = `${PREFIX}/ObservedGeneration`;
