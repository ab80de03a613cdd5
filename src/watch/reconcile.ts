/**
 * One look at one puller: snapshot from the caches, verdict, written by the replica that leads and told by each; what is missing is
 * asked for beside it, or before a verdict that ends the waiting. Everything is derived anew each time (the daemon controller's
 * syncDaemonSet); only facts are remembered.
 */
import { PULLED_CONDITION } from '../api/names.ts';
import { readPolicy } from '../api/policy.ts';
import { readAnnotation } from '../verdict/annotation.ts';
import { withoutDecisions } from '../verdict/facts.ts';
import { judge } from '../verdict/judge.ts';
import type { DaemonSet, Snapshot } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { announce, isTransition } from './announce.ts';
import { createAsking, FRESH, FRESH_STANDING, nextAsk } from './asking.ts';
import type { Asking } from './asking.ts';
import type { Clock } from './clock.ts';
import type { EventLookup } from './event-lookup.ts';
import { createMemory } from './memory.ts';
import type { Memory } from './memory.ts';
import { keyOf } from './object-cache.ts';
import type { NodeLookup } from './node-lookup.ts';
import type { Permitted } from './permission.ts';
import type { Picture } from './picture.ts';
import type { StatusWriter } from './status-writer.ts';

export interface ReconcileParts {
  clock: Clock;
  picture: Picture;
  nodes: NodeLookup;
  events: EventLookup;
  /** Absent: nothing is written, verdicts are only told. */
  writer: StatusWriter | undefined;
  announcing: Permitted;
  isLeader: () => boolean;
  /** Every verdict that stands, written or not. */
  judged: (daemonSet: DaemonSet, verdict: Verdict) => void;
  /** The puller is gone. */
  gone: (key: string) => void;
  /** This puller is to be looked at again. */
  touched: (key: string) => void;
}

/** The parts, and what lives as long as the reconciler. */
interface Working extends ReconcileParts {
  memory: Memory;
  asking: Asking;
  /** Grows when another replica begins to write, or this one does. */
  term: number;
}

export interface Reconciler {
  /** Milliseconds until the next look though nothing happens; undefined when only an event can tell more. */
  reconcile(key: string): Promise<number | undefined>;
  /** Somebody else writes from now on, or this replica does: what is remembered is what stands on the objects. */
  begin(): void;
}

/**
 * A verdict that ends the waiting needs the `Pulled` events, which may turn a failed image into one node's own trouble, and, where it
 * gives nodes up, lists that are new: a watch can be silent without a word. Until then it is looked again after so many milliseconds.
 */
const RETRY = 500;

/** How old such lists may be when the look begins, in milliseconds. */
const NEW_LISTS = 2_000;

export function createReconciler(parts: ReconcileParts): Reconciler {
  const { clock, picture } = parts;
  const memory = createMemory((daemonSet) => readAnnotation(daemonSet, new Date(clock.now())));
  const working: Working = { ...parts, memory, asking: createAsking(clock, parts.nodes, parts.events), term: 0 };
  /** Keys of pullers that were looked at, with the UID. */
  const known = new Map<string, string>();

  function drop(key: string): void {
    const uid = known.get(key);
    if (uid === undefined) return;
    known.delete(key);
    parts.nodes.forget(uid);
    parts.writer?.forget(uid);
    parts.gone(key);
  }

  return {
    async reconcile(key) {
      const namespace = key.slice(0, key.indexOf('/'));
      // When the picture is whole again, every key comes back.
      if (!picture.isLive(namespace)) return undefined;
      const daemonSet = picture.puller(key);
      if (known.get(key) !== daemonSet?.uid) drop(key);
      if (daemonSet !== undefined) known.set(key, daemonSet.uid);
      const next = daemonSet === undefined ? undefined : await look(daemonSet, working);
      letGo(namespace, working);
      return next;
    },
    begin() {
      working.term += 1;
      memory.clear();
      for (const uid of known.values()) parts.writer?.forget(uid);
    },
  };
}

async function look(daemonSet: DaemonSet, working: Working): Promise<number | undefined> {
  const { clock, events, memory, judged, picture } = working;
  const { namespace } = daemonSet;
  const turn = turnOf(working);
  const hasNewLists = picture.listAge(namespace) <= NEW_LISTS;
  const settled = isSettled(daemonSet, working);
  if (!settled) events.follow(namespace, true);
  const { verdict, age } = isFinal(daemonSet)
    ? { verdict: judgeNow(daemonSet, working), age: Infinity }
    : await judgeWhole(daemonSet, settled, working);
  // While we asked, another replica may have begun to write, or this one.
  if (turnOf(working) !== turn) return 0;
  const again = lookAgain(daemonSet, verdict, settled, working);
  if (again !== undefined) return again;
  const leads = working.isLeader();
  if (leads && !hasNewLists && givesNodesUp(daemonSet, verdict)) {
    listAgain(daemonSet, working);
    return RETRY;
  }
  memory.keep(namespace, leads ? verdict.facts : withoutDecisions(verdict.facts), clock.now());
  judged(daemonSet, verdict);
  const wait = leads ? await writeDown(daemonSet, verdict, working) : undefined;
  return earliest(wait, verdict.recheckAfterMs, nextAsk({ daemonSet, verdict, age }));
}

/** Changes whenever who writes does. */
function turnOf({ term, isLeader }: Working): string {
  return `${term} ${isLeader()}`;
}

/** Milliseconds until another look, when what this one saw is not enough to tell the verdict. */
function lookAgain(
  daemonSet: DaemonSet,
  verdict: Verdict,
  settled: boolean,
  { picture, events }: Working,
): number | undefined {
  const { namespace } = daemonSet;
  // While we asked, the picture may have gone, or the object changed.
  if (picture.puller(keyOf(daemonSet)) !== daemonSet || !picture.isLive(namespace)) return 0;
  if (verdict.health === 'Progressing') return undefined;
  return settled || events.isFollowing(namespace) ? undefined : RETRY;
}

/** Every key comes back when that is done. */
function listAgain(daemonSet: DaemonSet, { picture, events, nodes }: Working): void {
  picture.listAgain(daemonSet.namespace);
  events.listAgain(daemonSet.namespace);
  nodes.listAgain(daemonSet);
}

/** The wait ends now, and for another reason than that every node has the images. */
function givesNodesUp(daemonSet: DaemonSet, verdict: Verdict): boolean {
  const { pulled, pulling, tolerated, failed } = verdict.counts;
  const isComplete = pulled > 0 && pulling + tolerated + failed === 0;
  if (verdict.health === 'Progressing' || isComplete) return false;
  return !isFinal(daemonSet) && isTransition(daemonSet, verdict);
}

/** The verdict with everything it depends on, and how old answers may be until the next look. */
async function judgeWhole(
  daemonSet: DaemonSet,
  settled: boolean,
  working: Working,
): Promise<{ verdict: Verdict; age: number }> {
  const { nodes, picture, asking, touched } = working;
  await nodes.list(daemonSet);
  const verdict = judgeNow(daemonSet, working);
  const isUnderWay = !settled && verdict.health === 'Progressing';
  const age = settled ? Infinity : isUnderWay ? FRESH : FRESH_STANDING;
  const question = { daemonSet, verdict, pods: picture.podsIn(daemonSet.namespace), age };
  if (isUnderWay) {
    asking.beside(question, () => {
      touched(keyOf(daemonSet));
    });
    return { verdict, age };
  }
  return { verdict: (await asking.first(question)) ? judgeNow(daemonSet, working) : verdict, age };
}

/** The verdict of a hook stands for good. */
function isFinal({ role, conditions }: DaemonSet): boolean {
  const pulled = conditions.find(({ type }) => type === PULLED_CONDITION);
  return role === 'hook' && (pulled?.status === 'True' || pulled?.status === 'False');
}

/** A hook had its verdict, a continuous puller its first completion of this generation: Progressing is over. */
function isSettled(daemonSet: DaemonSet, { memory, picture, clock }: Working): boolean {
  const { namespace, uid, role, generation } = daemonSet;
  const facts = memory.recall(namespace, picture.pullersIn(namespace), clock.now()).pullers.get(uid);
  if (role === 'hook') return isFinal(daemonSet) || facts?.final !== undefined;
  return facts?.completed === true && facts.generation === generation;
}

/** What nobody in the namespace needs any more. */
function letGo(namespace: string, working: Working): void {
  const { picture, events } = working;
  const pullers = picture.pullersIn(namespace);
  if (pullers.every((daemonSet) => isSettled(daemonSet, working))) events.follow(namespace, false);
  const uids = new Set(picture.pullers().map(({ uid }) => uid));
  events.retain((uid) => picture.hasPod(uid) || uids.has(uid));
}

function judgeNow(daemonSet: DaemonSet, { memory, picture, clock, nodes, events }: Working): Verdict {
  const now = clock.now();
  const { namespace } = daemonSet;
  const pods = picture.podsIn(namespace);
  const { nodes: known, gone } = nodes.known(daemonSet);
  const snapshot: Snapshot = {
    daemonSet,
    pods,
    nodes: known,
    goneNodes: gone,
    events: events.knownIn(namespace),
    eventsComplete: events.isComplete(namespace),
    facts: memory.recall(namespace, picture.pullersIn(namespace), now),
    once: false,
  };
  const { policy } = readPolicy(Object.fromEntries(daemonSet.annotations));
  return judge(snapshot, policy, new Date(now));
}

async function writeDown(
  daemonSet: DaemonSet,
  verdict: Verdict,
  { writer, picture, announcing }: ReconcileParts,
): Promise<number | undefined> {
  if (isFinal(daemonSet)) return undefined;
  const written = await writer?.write(daemonSet, verdict);
  if (written === undefined || written.wrote === 'gone' || written.wrote === 'nothing') return undefined;
  if (written.wrote === 'later') return written.milliseconds;
  picture.absorb(written.answer, daemonSet.namespace);
  if (isTransition(daemonSet, verdict)) await announce(daemonSet, verdict, announcing);
  return undefined;
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
