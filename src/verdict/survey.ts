/** Every node of a puller with its state, and how many pods are missing: who counts, and what only all nodes together can say. */
import type { Policy } from '../api/policy.ts';
import type { Clock } from './clock.ts';
import type { TurnedAway } from './facts.ts';
import { nodeViewer, type Frame, type ImageView, type NodeView } from './node-view.ts';
import { isGoing, isImpossible, isLate, notReady, type Surroundings } from './node-rules.ts';
import { isSelected } from './placement.ts';
import type { Group, Grouped } from './pods-by-node.ts';
import { settled, stateBefore, stateOf } from './rules.ts';
import type { Node } from './snapshot.ts';
import type { NodeState } from './verdict.ts';

export interface Survey {
  views: readonly NodeView[];
  /** By node name, those without a pod that can be named included. */
  states: NodeState[];
  /** Pods the controller has yet to make, on nodes that cannot be named. */
  missing: number;
  /** Images that some node was seen to pull from the registry. */
  fromRegistry: ReadonlySet<string>;
  /** On how many nodes each wanted image is proven, in the order of the template. */
  provenOn: readonly number[];
  /** Nodes the percentages of min-pulled are of. */
  base: number;
}

const NOTHING: Group = { pod: undefined, old: undefined, deleting: undefined, siblings: undefined, events: undefined };

export function survey(frame: Frame, grouped: Grouped, clock: Clock, policy: Policy): Survey {
  const nodes = new Map(frame.snapshot.nodes.map((node) => [node.name, node]));
  const gone = new Set(frame.snapshot.goneNodes);
  const look = nodeViewer(frame);
  const view = (name: string, group: Group): NodeView =>
    look(name, group, { node: nodes.get(name), gone: gone.has(name) });
  const named = namedWithoutPod(frame, grouped);
  const names = [...grouped.groups.keys(), ...named.missing].sort();
  const views = names.map((name) => view(name, grouped.groups.get(name) ?? NOTHING));
  const around = surroundings(frame, views, clock, policy);
  const leftOut = named.leftOut.map((node) => leaveOut(node, view(node.name, NOTHING), around));
  const states = [...views.map((each) => stateOf(each, around)), ...leftOut];
  if (leftOut.length > 0) states.sort((one, other) => (one.node < other.node ? -1 : 1));
  const outside = states.filter(({ inBase }) => !inBase).length;
  return {
    views,
    states,
    missing: named.unnamed,
    fromRegistry: around.fromRegistry,
    provenOn: countProven(frame, views),
    base: Math.max(0, frame.snapshot.daemonSet.status.desired + leftOut.length - outside),
  };
}

interface WithoutPod {
  /** Nodes that stand for one of the missing pods each. */
  missing: string[];
  /** Nodes the controller leaves out because they are not ready. */
  leftOut: Node[];
  /** How many missing pods have no name. */
  unnamed: number;
}

/**
 * The larger of two counts, since the controller's numbers lag behind its pods and the other way round. A node that joined late, is
 * not ready, or turned a pod of this puller away has a name even while no pod of it exists.
 */
function namedWithoutPod(frame: Frame, { groups }: Grouped): WithoutPod {
  const { status, placement } = frame.snapshot.daemonSet;
  const missing = Math.max(0, status.desired - status.current, status.desired + status.misscheduled - groups.size);
  const absent = frame.snapshot.nodes
    .filter((node) => !groups.has(node.name) && isSelected(node, placement))
    .sort(byName);
  const leftOut = absent.filter((node) => !isReady(node) && isKeptOut(node));
  const expected = absent.filter((node) =>
    isReady(node) ? (node.createdAt ?? 0) > frame.puller.firstLook : !isKeptOut(node),
  );
  const names = new Set([...expected.map(({ name }) => name), ...turningAway(frame, groups)]);
  const named = [...names].slice(0, missing);
  return { missing: named, leftOut, unnamed: missing - named.length };
}

/** Nodes whose rejected pod is gone and not made again yet. */
function turningAway({ snapshot, facts }: Frame, groups: Grouped['groups']): string[] {
  const isOurs = ([name, { rejected, uid }]: [string, TurnedAway]): boolean =>
    rejected && uid === snapshot.daemonSet.uid && !groups.has(name);
  return [...facts.turnedAway]
    .filter(isOurs)
    .map(([name]) => name)
    .sort();
}

function byName(one: Node, other: Node): number {
  return one.name < other.name ? -1 : 1;
}

function isReady({ ready }: Node): boolean {
  return ready === undefined || ready.status === 'True';
}

/** The node lifecycle controller's taint for nodes that are not ready; DaemonSet pods tolerate only its NoExecute form. */
function isKeptOut({ taints }: Node): boolean {
  return taints.some(
    ({ key, effect }) => effect === 'NoSchedule' && /^node\.kubernetes\.io\/(?:not-ready|unreachable)$/.test(key),
  );
}

/** A node that gets no pod while it is not ready: tolerated at once, unless it is late, leaving or impossible anyway. */
function leaveOut(node: Node, view: NodeView, around: Surroundings): NodeState {
  const message = node.ready === undefined ? 'the node is not ready' : notReady(node.ready);
  return stateBefore(view, around) ?? settled(view, 8, { state: 'tolerated', reason: 'NodeNotReady', message });
}

function surroundings(frame: Frame, views: readonly NodeView[], clock: Clock, policy: Policy): Surroundings {
  const { snapshot, puller, floor } = frame;
  const around: Surroundings = {
    clock,
    policy,
    daemonSet: snapshot.daemonSet,
    puller,
    once: snapshot.once,
    eventsComplete: snapshot.eventsComplete,
    floor,
    ...imagesOf(frame, views),
    rejectedByAll: new Set(),
  };
  return { ...around, rejectedByAll: rejectedByAll(views, around) };
}

function imagesOf(
  { snapshot, puller }: Frame,
  views: readonly NodeView[],
): Pick<Surroundings, 'proven' | 'fromRegistry'> {
  const proven = new Set<string>();
  const fromRegistry = new Set(puller.fromRegistry);
  const always = new Set(snapshot.daemonSet.wanted.filter((wanted) => wanted.always).map(({ image }) => image));
  for (const view of views) {
    for (const image of view.images) {
      if (image.proof === undefined) continue;
      proven.add(image.image);
      if (fromRegistry.has(image.image) || image.proof !== 'here') continue;
      if (always.has(image.image) || wasPulled(view, image)) fromRegistry.add(image.image);
    }
  }
  return { proven, fromRegistry };
}

function countProven({ snapshot }: Frame, views: readonly NodeView[]): number[] {
  const counts = snapshot.daemonSet.wanted.map(() => 0);
  for (const { images } of views) {
    for (let index = 0; index < counts.length; index += 1) {
      if (images[index]?.proof !== undefined) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return counts;
}

/** `already present on machine` is the other text of this event: no word of the registry. */
function wasPulled({ events }: NodeView, { reference }: ImageView): boolean {
  return events.some(
    ({ reason, message }) => reason === 'Pulled' && message.startsWith(`Successfully pulled image "${reference}"`),
  );
}

function isOut(view: NodeView, around: Surroundings): boolean {
  return [isLate, isGoing, isImpossible].some((rule) => rule(view, around) !== undefined);
}

/** Images for which no node that counts has a build. */
function rejectedByAll(views: readonly NodeView[], around: Surroundings): Set<string> {
  const counting = views.filter((view) => !isOut(view, around));
  const [first, ...others] = counting;
  const rejects = (view: NodeView): string[] =>
    view.images.filter(({ error }) => error?.kind === 'platform').map(({ image }) => image);
  const left = new Set(first === undefined ? [] : rejects(first));
  for (const view of others) {
    if (left.size === 0) break;
    const rejected = new Set(rejects(view));
    for (const image of left) if (!rejected.has(image)) left.delete(image);
  }
  return left;
}
