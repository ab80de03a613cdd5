/** What the judge hands out: one health with its reason, one line a node, what to remember and when to look again. */
import type { Health, NodeReason, Reason, State } from '../api/reasons.ts';
import type { Facts } from './facts.ts';

/** What a rule says about a node. */
export interface Finding {
  state: State;
  reason: NodeReason;
  /** The image it is about; undefined when it is about the node. */
  image?: string;
  /** Why, free of control characters. */
  message: string;
  /** What to do. */
  fix?: string;
  /** Since when, in milliseconds. */
  since?: number;
  /** A grace of its own ends it, so that the deadline need not. */
  bounded?: true;
}

export interface NodeState extends Finding {
  node: string;
  /** The row of the rule table that spoke. */
  row: number;
  /** Being tolerated counts against the puller in strict. */
  counts: boolean;
  /** One of the nodes that percentages are of. */
  inBase: boolean;
}

export interface Counts {
  /** Nodes the DaemonSet controller wants a pod on. */
  eligible: number;
  pulled: number;
  /** Includes nodes whose pod has not been made yet. */
  pulling: number;
  tolerated: number;
  failed: number;
}

export interface Decision {
  health: Health;
  reason: Reason;
  /** Never empty, at most 1 KiB of UTF-8, no control characters. */
  message: string;
}

/** How far one image is. */
export interface ImageProgress {
  /** As the template names it. */
  image: string;
  /** Nodes that have it. */
  nodes: number;
}

export interface Verdict extends Decision {
  counts: Counts;
  /** In the order of the pod template, one entry a container. */
  images: ImageProgress[];
  /** By name. Nodes without a pod have no name yet and are only counted. */
  nodes: NodeState[];
  facts: Facts;
  /** The next moment at which time alone can change the verdict; undefined when only an event can. */
  recheckAfterMs?: number;
}
