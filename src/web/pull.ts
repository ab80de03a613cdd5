/** One pull as page and API tell it: a puller of one generation, made of the DaemonSet and its verdict. Texts of others are cleaned here. */
import { COMMIT_ANNOTATION, PULLED_CONDITION, REPOSITORY_ANNOTATION, REVISION_ANNOTATION } from '../api/names.ts';
import type { Health, Reason, State } from '../api/reasons.ts';
import { errorKey } from '../verdict/facts.ts';
import type { DaemonSet } from '../verdict/snapshot.ts';
import { clean, timeText } from '../verdict/text.ts';
import type { Counts, ImageProgress, NodeState, Verdict } from '../verdict/verdict.ts';
import { applicationOf, commitLink } from './application.ts';
import type { Expected } from './remaining.ts';

/** Times are RFC 3339. */
export interface Pull {
  namespace: string;
  name: string;
  /** Of the DaemonSet: with the generation it tells this pull from the next one of the same name. */
  uid: string;
  generation: number;
  role: 'hook' | 'continuous' | 'other';
  /** Of Argo CD; empty where nothing names one. */
  application: string;
  revision?: string;
  commit?: { hash: string; subject: string; url?: string };
  health: Health;
  reason: Reason;
  message: string;
  counts: Counts;
  images: ImageProgress[];
  startedAt: string;
  /** When the verdict was final, or the puller went. */
  endedAt?: string;
  /** Absent where nothing tells. */
  expected?: Expected;
  /** Nodes of equal fate together, the worst first; nodes with everything are left out. */
  open: Fate[];
  /** Nodes in fates that are too many to list. */
  openMore: number;
}

/** What is so on several nodes. */
export interface Fate extends Omit<PullNode, 'node' | 'error'> {
  /** The first ones. */
  nodes: string[];
  count: number;
}

export interface PullNode {
  node: string;
  state: State;
  reason: Reason;
  /** Absent where it is about the node. */
  image?: string;
  message: string;
  /** What to do. */
  fix?: string;
  since?: string;
  /** The kubelet's last error in full. */
  error?: string;
}

export interface Judged {
  daemonSet: DaemonSet;
  verdict: Verdict;
}

const NAMES = 5;
const FATES = 20;
const IMAGE = 400;

/** Worst first: failed, in trouble, at work, tolerated, pulled. */
export function rankOf({ state, reason }: Pick<NodeState, 'state' | 'reason'>): number {
  if (state === 'failed') return 0;
  if (state === 'pulling') return reason === 'InProgress' ? 2 : 1;
  return state === 'tolerated' ? 3 : 4;
}

export function pullOf({ daemonSet, verdict }: Judged, now: number, expected: Expected | undefined): Pull {
  const { namespace, name, uid, generation, role, annotations } = daemonSet;
  const { health, reason, message, counts, images } = verdict;
  const revision = annotations.get(REVISION_ANNOTATION);
  const commit = commitOf(daemonSet);
  const endedAt = endOf({ daemonSet, verdict }, now);
  return {
    namespace: clean(namespace, 253),
    name: clean(name, 253),
    uid: clean(uid, 253),
    generation,
    role: role === 'hook' || role === 'continuous' ? role : 'other',
    application: applicationOf(daemonSet),
    ...(revision !== undefined && { revision: clean(revision, 80) }),
    ...(commit !== undefined && { commit }),
    health,
    reason,
    message: clean(message, 1024),
    counts,
    images: images.map(({ image, nodes }) => ({ image: clean(image, IMAGE), nodes })),
    startedAt: timeText(verdict.facts.pullers.get(uid)?.firstLook ?? now),
    ...(endedAt !== undefined && { endedAt: timeText(endedAt) }),
    ...(expected !== undefined && { expected }),
    ...fatesOf(verdict.nodes),
  };
}

/** As the object's own condition has it, which outlives this process. */
function endOf({ daemonSet, verdict }: Judged, now: number): number | undefined {
  if (verdict.health === 'Progressing') return undefined;
  const condition = daemonSet.conditions.find(({ type }) => type === PULLED_CONDITION);
  const status = verdict.health === 'Healthy' ? 'True' : 'False';
  return condition?.status === status ? (condition.since ?? now) : now;
}

function commitOf({ annotations }: DaemonSet): Pull['commit'] {
  const [, hash, subject = ''] = /^([0-9a-f]{7,40})(?: (.*))?$/su.exec(annotations.get(COMMIT_ANNOTATION) ?? '') ?? [];
  if (hash === undefined) return undefined;
  const url = commitLink(annotations.get(REPOSITORY_ANNOTATION), hash);
  return { hash, subject: clean(subject, 200), ...(url !== undefined && { url }) };
}

function fatesOf(nodes: readonly NodeState[]): Pick<Pull, 'open' | 'openMore'> {
  const open = nodes.filter(({ state }) => state !== 'pulled');
  const same = Map.groupBy(open, ({ state, reason, image, message }) =>
    JSON.stringify([state, reason, image, message]),
  );
  const fates = ([...same.values()] as [NodeState, ...NodeState[]][]).sort(([one], [other]) => bySeverity(one, other));
  const shown = fates.slice(0, FATES).map(fateOf);
  return { open: shown, openMore: open.length - shown.reduce((sum, { count }) => sum + count, 0) };
}

/** The worst first, of equals the one that has taken longest. */
export function bySeverity(one: NodeState, other: NodeState): number {
  const rank = rankOf(one) - rankOf(other);
  const age = (one.since ?? Infinity) - (other.since ?? Infinity);
  if (rank !== 0) return rank;
  return Number.isNaN(age) || age === 0 ? (one.node < other.node ? -1 : 1) : age;
}

function fateOf(states: readonly [NodeState, ...NodeState[]]): Fate {
  const since = states.reduce((earliest, state) => Math.min(earliest, state.since ?? Infinity), Infinity);
  return {
    ...aboutOf(states[0]),
    ...(Number.isFinite(since) && { since: timeText(since) }),
    nodes: states.slice(0, NAMES).map(({ node }) => clean(node, 253)),
    count: states.length,
  };
}

/** `facts` hold the kubelet's own words. */
export function nodeOf(state: NodeState, { errors }: Verdict['facts']): PullNode {
  const { node, image, since } = state;
  const error = image === undefined || state.state === 'pulled' ? undefined : errors.get(errorKey(node, image))?.text;
  return {
    node: clean(node, 253),
    ...aboutOf(state),
    ...(since !== undefined && { since: timeText(since) }),
    ...(error !== undefined && { error: clean(error, 4096) }),
  };
}

function aboutOf({ state, reason, image, message, fix }: NodeState): Omit<PullNode, 'node' | 'since' | 'error'> {
  return {
    state,
    reason,
    ...(image !== undefined && { image: clean(image, IMAGE) }),
    message: clean(message, 1024),
    ...(fix !== undefined && { fix: clean(fix, 400) }),
  };
}
