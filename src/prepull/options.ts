/** What the plan depends on beside the manifests. Filled by config/, which cannot import this: generate.ts is where they meet. */
import type { Gate, ProfileImages, PullMethod } from '../api/choices.ts';
import type { Policy } from '../api/policy.ts';

export interface PrepullOptions {
  gate: Gate;
  /** Our own container image, needed by the `job` gate. */
  image?: string;
  /** More images to pull, as written by the user. */
  images: readonly string[];
  /** For pullers we write; a continuous puller that is not the gate keeps the chart's init chain. */
  pullMethod: PullMethod;
  profileImages: ProfileImages;
  /** Tags that may move: pulled with `Always`. No tag at all counts as `latest`. */
  mutableTags: readonly string[];
  /** Replaces the pause image of every puller. */
  pauseImage?: string;
  /** Build a continuous puller where the chart renders none. */
  continuous: boolean;
  /** `auto`, `placeholder`, `above-placeholder`, `chart`, or the name of a PriorityClass that exists. */
  continuousPriority: string;
  emitPriorityClass: boolean;
  emitNodeRole: boolean;
  policy: Policy;
  /** The Argo CD application: its name, and the namespace it deploys to, which outside Argo CD may not be known. */
  app: { name: string; namespace?: string };
  /** The revision Argo CD renders, for hook objects only. */
  revision?: string;
  /** The page of the repository it comes from, for hook objects only. */
  repository?: string;
  /** Short hash and subject of the last commit that touched the app's files, for hook objects only. */
  commit?: string;
}
