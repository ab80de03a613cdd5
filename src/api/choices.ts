/** The closed sets that parameters choose from, shared by config/ (which reads them) and prepull/ (which acts on them). */

/** What Argo CD waits for before it changes the hub. */
export const GATES = ['presync', 'wave', 'job', 'none'] as const;
export type Gate = (typeof GATES)[number];

/** How a pod makes the kubelet pull an image: a regular container each, the chart's init chain, or image volumes. */
export const PULL_METHODS = ['containers', 'init', 'volume'] as const;
export type PullMethod = (typeof PULL_METHODS)[number];

/** Images found only in profiles: as `prePuller.pullProfileListImages` says, all of them, or none. */
export const PROFILE_IMAGES = ['auto', 'all', 'none'] as const;
export type ProfileImages = (typeof PROFILE_IMAGES)[number];

/** Named settings of `continuous-priority`; any other value is the name of a PriorityClass that exists. */
export const CONTINUOUS_PRIORITIES = ['auto', 'placeholder', 'above-placeholder', 'chart'] as const;

/** What a source is rendered with. */
export const SOURCE_KINDS = ['auto', 'helm', 'kustomize', 'plain'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
