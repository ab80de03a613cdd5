/** All that is known of one node of a puller, image by image, before any rule speaks: which pod counts, what is proven on it. */
import { earliest, latest } from './fields.ts';
import {
  errorKey,
  type Facts,
  type NotStarted,
  type PullerFacts,
  type RememberedError,
  type TurnedAway,
} from './facts.ts';
import type { Group } from './pods-by-node.ts';
import type { classify } from './pull-errors.ts';
import { isPullReason, readFailure } from './pull-failure.ts';
import type { ContainerStatus, Event, Node, Pod, Snapshot, WantedImage } from './snapshot.ts';

export interface ImageView {
  container: string;
  /** As the template names it. */
  image: string;
  /** As this pod names it: admission may rewrite it. */
  reference: string;
  init: boolean;
  proof: 'here' | 'elsewhere' | undefined;
  /** When it was proven, as far as objects tell. */
  provenAt: number | undefined;
  /** Why the container could not run although the image is there. */
  warning: string | undefined;
  error: RememberedError | undefined;
  /** The init container before it that cannot start. */
  blockedBy: string | undefined;
}

export interface NodeView {
  name: string;
  node: Node | undefined;
  gone: boolean;
  /** The newest pod of the newest template that is not being deleted. */
  pod: Pod | undefined;
  /** A pod of an older template that nobody has deleted yet. */
  old: Pod | undefined;
  /** The newest pod that is being deleted. */
  deleting: Pod | undefined;
  events: readonly Event[];
  images: readonly ImageView[];
  /** The pod got as far as pulling. */
  begun: boolean;
  turnedAway: TurnedAway | undefined;
  notStarted: NotStarted | undefined;
  /** The newest progress of a node that is not done: pod bound, sandbox up, an image proven. */
  progressAt: number;
  proven: number;
}

/** What every node is looked at with. */
export interface Frame {
  snapshot: Snapshot;
  now: number;
  /** Nothing older counts: the time of `retry-at`, or -Infinity. */
  floor: number;
  /** Already without what is too old. */
  facts: Facts;
  puller: PullerFacts;
  /** This puller was looked at before, at this generation. */
  lookedBefore: boolean;
  classify: typeof classify;
}

const NO_EVENTS: readonly Event[] = [];

export interface NodeInfo {
  node: Node | undefined;
  gone: boolean;
}

/** Looks at one node after the other; what they have in common is made once. */
export function nodeViewer(frame: Frame): (name: string, group: Group, info: NodeInfo) => NodeView {
  const done = frame.snapshot.daemonSet.wanted.map((wanted) => ({ ...unproven(wanted), proof: 'here' as const }));
  return (name, group, { node, gone }) => {
    const { pod, old, deleting, events = NO_EVENTS } = group;
    const images = pod !== undefined && isPlainlyDone(pod, done) ? done : viewImages(frame, name, group);
    const proven = images === done ? done.length : countProven(images);
    return {
      name,
      node,
      gone,
      pod,
      old,
      deleting,
      events,
      images,
      begun: pod !== undefined && hasBegun(pod, events),
      turnedAway: frame.facts.turnedAway.get(name),
      notStarted: frame.facts.notStarted.get(name),
      progressAt: progressOf(frame, name, pod, images === done ? [] : images),
      proven,
    };
  };
}

/** Nothing to tell of any image: in a large cluster almost every node is so in the end. */
function isPlainlyDone({ containers }: Pod, images: readonly ImageView[]): boolean {
  const offset = containers.findIndex(({ name }) => name === images[0]?.container);
  return images.every(({ container, image }, index) => {
    const found = containers[offset + index];
    return found?.name === container && found.image === image && (found.running || found.endedWell);
  });
}

/**
 * The pod got as far as pulling. During a pod's first pulls kubelet shows nothing of it: SyncPod writes the condition and what
 * containers did when it returns, and it pulls before that. So the event counts whatever the condition says.
 */
function hasBegun(pod: Pod, events: readonly Event[]): boolean {
  if (pod.sandbox?.status === 'True') return true;
  const didSomething = ({ hasImageId, running, endedWell, waiting, failure }: ContainerStatus): boolean =>
    hasImageId || running || endedWell || waiting !== undefined || failure !== undefined;
  if (pod.containers.some(didSomething)) return true;
  return events.some(({ reason }) => reason === 'Pulling' || reason === 'Pulled');
}

function unproven({ container, image, init }: WantedImage): ImageView {
  return {
    container,
    image,
    init,
    reference: image,
    proof: undefined,
    provenAt: undefined,
    warning: undefined,
    error: undefined,
    blockedBy: undefined,
  };
}

function viewImages(frame: Frame, node: string, group: Group): ImageView[] {
  const { pod, siblings } = group;
  const events: readonly Event[] = group.events ?? NO_EVENTS;
  let blockedBy: string | undefined;
  return frame.snapshot.daemonSet.wanted.map((wanted) => {
    const container = pod?.containers.find(({ name }) => name === wanted.container);
    const view = unproven(wanted);
    if (container !== undefined) view.reference = container.image;
    if (container !== undefined && isProven(container, events)) {
      view.proof = 'here';
      view.provenAt = provenAt(container, events);
      view.warning = warningOf(container);
    } else if (isProvenElsewhere(wanted, siblings)) view.proof = 'elsewhere';
    else if (pod !== undefined) view.error = failureOf(frame, { pod, container, events, node });
    view.blockedBy = blockedBy;
    if (wanted.init) blockedBy ??= blockOf(view, container);
    return view;
  });
}

/** A container's restarts are no progress: only its first run and the first `Pulled` of an image are. */
function provenAt({ firstRan, image }: ContainerStatus, events: readonly Event[]): number | undefined {
  return firstRan ?? earliest(...events.filter((event) => isPulledEvent(event, image)).map(({ first }) => first));
}

function isPulledEvent({ reason, message }: Event, image: string): boolean {
  return reason === 'Pulled' && message.includes(`image "${image}"`);
}

/** The container ran, or could not although its image is there; the event is all that a refused user id leaves. */
function isProven({ running, endedWell, hasImageId, image }: ContainerStatus, events: readonly Event[]): boolean {
  if (running || endedWell || hasImageId) return true;
  return events.some((event) => isPulledEvent(event, image));
}

/** Another puller of the namespace with an equal image list; what is pulled Always must be asked for by this one. */
function isProvenElsewhere({ image, always }: WantedImage, siblings: readonly Pod[] | undefined): boolean {
  if (always || siblings === undefined) return false;
  return siblings.some(({ containers }) =>
    containers.some((container) => container.image === image && isProven(container, NO_EVENTS)),
  );
}

function warningOf({ running, endedWell, failure, waiting }: ContainerStatus): string | undefined {
  if (running || endedWell) return undefined;
  return failure ?? waiting?.message ?? waiting?.reason;
}

/** Its name when it blocks: restarted twice without success, or refused for a reason that no restart changes. */
function blockOf({ error, proof }: ImageView, container: ContainerStatus | undefined): string | undefined {
  if (container === undefined || container.running || container.endedWell) return undefined;
  const isRefused = proof === 'here' && container.waiting?.reason === 'CreateContainerConfigError';
  return error?.kind === 'platform' || container.restarts >= 2 || isRefused ? container.name : undefined;
}

interface Place {
  pod: Pod;
  container: ContainerStatus | undefined;
  events: readonly Event[];
  node: string;
}

function failureOf(frame: Frame, { pod, container, events, node }: Place): RememberedError | undefined {
  if (container?.waiting === undefined || !isPullReason(container.waiting.reason)) return undefined;
  const { now, floor, facts, puller, lookedBefore, snapshot } = frame;
  const began =
    latest(pod.sandbox?.since ?? pod.createdAt ?? now, lookedBefore && !snapshot.once ? puller.seen : undefined) ?? now;
  return readFailure({
    image: container.image,
    waiting: container.waiting,
    events,
    remembered: facts.errors.get(errorKey(node, container.image)),
    fallback: began,
    classify: frame.classify,
    once: snapshot.once,
    floor,
    now,
  });
}

function countProven(images: readonly ImageView[]): number {
  let count = 0;
  for (const { proof } of images) if (proof !== undefined) count += 1;
  return count;
}

function progressOf(frame: Frame, name: string, pod: Pod | undefined, images: readonly ImageView[]): number {
  const { puller, floor } = frame;
  if (pod === undefined) return Math.max(puller.firstLook, floor);
  const made = pod.createdAt ?? puller.firstLook;
  const proven = images.filter(({ proof }) => proof !== undefined).map((image) => image.provenAt);
  const turns = [pod.scheduled, pod.sandbox].filter((condition) => condition?.status === 'True');
  return latest(made, floor, seenProgress(frame, name, proven), ...turns.map((turn) => turn?.since), ...proven) ?? made;
}

/** What was proven at a time that no object tells counts from the look that saw it first. */
function seenProgress(
  { puller, now, snapshot }: Frame,
  name: string,
  proven: readonly (number | undefined)[],
): number | undefined {
  const known = puller.progress.get(name);
  const isNew = proven.includes(undefined) && proven.length > (known?.proven ?? 0);
  return isNew && !snapshot.once ? now : known?.at;
}
