/** The closed sets of the verdict: health names as Argo CD spells them, node states, and every reason with one sentence. */

/** From best to worst, in Argo CD's words. */
export const HEALTHS = ['Healthy', 'Progressing', 'Degraded'] as const;
export type Health = (typeof HEALTHS)[number];

export const NODE_STATES = ['pulled', 'pulling', 'tolerated', 'failed'] as const;
export type State = (typeof NODE_STATES)[number];

/** Why a puller has its health. */
export const PULLER_REASONS = {
  Pulled: 'Every node that counts has every image.',
  NoEligibleNodes: 'The DaemonSet selects no node, so there is nothing to pull on.',
  PulledBefore: 'This generation was pulled once; nodes that joined or filled up since do not turn it back.',
  Pulling: 'At least one node is still pulling, within its deadline.',
  Confirming: 'An image failed; a second look confirms it before the sync is failed.',
  NotObserved: 'The DaemonSet controller has not looked at this generation yet.',
  NeverObserved: 'The DaemonSet controller did not look at this generation before the deadline.',
  PodsRefused: 'The API server refuses to create pods of this puller.',
  PullerDeleted: 'The hook was deleted before it had a verdict.',
  ToleratedInStrict: 'A node is tolerated, and strict makes that a failure.',
  TooFewPulled: 'Fewer nodes have the images than min-pulled demands.',
  LetThrough: 'A person let this generation through.',
  GivenUp: 'A person gave this generation up.',
} as const;

/** Why a node has its state; those of a failed node are also the puller's. */
export const NODE_REASONS = {
  EveryImagePulled: 'Every image is on the node.',
  PulledNotStarted: 'Every image is on the node, but a container of the puller could not run.',
  PulledElsewhere: 'Another puller of the namespace has the same images on this node.',
  Late: 'The node joined after the pull began and is left to the continuous puller.',
  Leaving: 'The node is being removed.',
  NodeGone: 'The Node object is gone.',
  VirtualNode: 'A virtual node cannot run pods of a DaemonSet.',
  OtherSystem: 'The node runs another operating system than the images.',
  OldPodStuck: 'An old pod does not go away, so no new one can be made.',
  NodeFull: 'The node holds as many pods as it may.',
  NoResources: 'The node has too little CPU, memory or other resources left for the puller.',
  Tainted: 'The node has a taint that the puller does not tolerate.',
  NotAffine: 'The node does not match what the pod asks of it.',
  Unschedulable: 'The scheduler does not place the pod, for another reason.',
  Rejecting: 'The node turns the pod away again and again.',
  DiskFull: 'The node has no disk space left for the image.',
  NodeNotReady: 'The node is not ready.',
  CannotStartPods: 'The node does not get as far as starting the pod.',
  NoBuildForNode: 'The image has no build for the platform of this node.',
  NoBuild: 'The image has no build for the platform of any node.',
  Blocked: 'The image stands behind an init container that cannot start.',
  ImageMissing: 'The registry does not have the image.',
  ImageInvalid: 'The image reference is not valid.',
  ImageNeverPulled: 'The pull policy is Never and the image is not on the node.',
  CredentialsRefused: 'The registry refuses the credentials, or wants some.',
  RegistrySetup: 'The node cannot talk to the registry as it is set up: certificate, plain HTTP or host name.',
  OwnWayBroken: 'Other nodes pulled the image from the registry; only this node fails to.',
  RegistryUnreachable: 'This node cannot reach the registry while other nodes have the image.',
  Retrying: 'The pull failed for a reason that may pass; the kubelet tries again.',
  InProgress: 'The node is at work on it.',
  Waiting: 'Something stands in the way that may pass; the node is tolerated when its grace is over.',
  DeadlineExceeded: 'The node made no progress for as long as the deadline allows.',
} as const;

export type PullerReason = keyof typeof PULLER_REASONS;
export type NodeReason = keyof typeof NODE_REASONS;
export type Reason = PullerReason | NodeReason;

/** Every reason that can stand on a condition or a node, with its sentence. */
export const REASONS: Readonly<Record<Reason, string>> = { ...PULLER_REASONS, ...NODE_REASONS };

export function isReason(text: string): text is Reason {
  return Object.hasOwn(REASONS, text);
}
