/** What a plan is: the pullers and all that happens around them, in a form that `--summary` prints and tests compare. */
import type { Gate, PullMethod } from '../api/choices.ts';
import type { WantedImages } from './wanted-images.ts';

export interface Plan {
  gate: Gate;
  /** One entry a hub, then one a namespace whose labelled workloads or `images` are pulled. */
  apps: AppPlan[];
  /** The ordinary object that shows Argo CD a change of the image list; absent where nothing is pulled. */
  digest?: { object: string; value: string };
}

export interface AppPlan {
  /** `hub` with its labels, or `workloads`. */
  title: string;
  namespace: string | undefined;
  pullers: PullerPlan[];
  images: WantedImages['images'];
  skipped: WantedImages['skipped'];
  /** Objects as `Kind/name`. */
  dropped: string[];
  copied: { from: string; to: string }[];
  added: string[];
  /** Objects changed beside the pullers, with what was changed. */
  changed: { object: string; what: string }[];
  /** What the pullers name but the render does not hold: it must exist in the cluster. */
  preconditions: string[];
}

export interface PullerPlan {
  /** `DaemonSet/name`. */
  object: string;
  role: 'hook' | 'continuous';
  /** Whether the chart rendered it; else what it was built from. */
  from:
    | 'the chart'
    | 'the continuous puller'
    | 'the hook puller'
    | 'the hub configuration'
    | 'the workloads'
    | 'an earlier run';
  /** When Argo CD applies it: `PreSync` hook or `Sync`. */
  phase: 'PreSync' | 'Sync';
  wave: number;
  /** Absent where an earlier run made the puller. */
  pullMethod?: PullMethod;
  priorityClassName?: string;
}

export function emptyAppPlan(title: string, namespace: string | undefined): AppPlan {
  return {
    title,
    namespace,
    pullers: [],
    images: [],
    skipped: [],
    dropped: [],
    copied: [],
    added: [],
    changed: [],
    preconditions: [],
  };
}
