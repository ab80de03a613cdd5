/**
 * One look at one puller: snapshot from the caches, verdict, what is missing asked for, verdict again, written. Everything is
 * derived anew each time (the daemon controller's syncDaemonSet); only facts are remembered.
 */
import { PULLED_CONDITION } from '../api/names.ts';
import { readPolicy } from '../api/policy.ts';
import { readAnnotation } from '../verdict/annotation.ts';
import { judge } from '../verdict/judge.ts';
import type { DaemonSet, Snapshot } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { announce, isTransition } from './announce.ts';
import type { Clock } from './clock.ts';
import type { About, EventLookup } from './event-lookup.ts';
import { createMemory } from './memory.ts';
import type { Memory } from './memory.ts';
import { keyOf } from './object-cache.ts';
import { lacksPods, missingPieces } from './missing-pieces.ts';
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
}

export interface Reconciler {
  /** Milliseconds until the next look though nothing happens; undefined when only an event can tell more. */
  reconcile(key: string): Promise<number | undefined>;
  /** Somebody else writes from now on. */
  forget(): void;
}

/** How old what was asked for may be while a puller is under way, in milliseconds. */
const FRESH = 30_000;
/** The same for refused pods: nothing else tells that they are made again, or why not. */
const FRESH_REFUSAL = 10_000;
/** The same while a verdict that is not final stands. */
const FRESH_STANDING = 300_000;

/** A verdict that ends the waiting needs the `Pulled` events: they may turn a failed image into one node's own trouble. Milliseconds. */
const EVENTS_RETRY = 500;

export function createReconciler(parts: ReconcileParts): Reconciler {
  const { clock, picture } = parts;
  const memory = createMemory((daemonSet) => readAnnotation(daemonSet, new Date(clock.now())));
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
      // When we lead, and when the picture is whole again, every key comes back.
      if (!parts.isLeader() || !picture.isLive(namespace)) return undefined;
      const daemonSet = picture.puller(key);
      if (known.get(key) !== daemonSet?.uid) drop(key);
      if (daemonSet !== undefined) known.set(key, daemonSet.uid);
      const next = daemonSet === undefined ? undefined : await look(daemonSet, memory, parts);
      letGo(namespace, memory, parts);
      return next;
    },
    forget() {
      for (const key of [...known.keys()]) drop(key);
      memory.clear();
    },
  };
}

async function look(daemonSet: DaemonSet, memory: Memory, parts: ReconcileParts): Promise<number | undefined> {
  const { picture, clock, events } = parts;
  const { namespace } = daemonSet;
  const settled = isSettled(daemonSet, memory, parts);
  if (!settled) events.follow(namespace, true);
  const { verdict, age } = isFinal(daemonSet)
    ? { verdict: judgeNow(daemonSet, memory, parts), age: Infinity }
    : await judgeWhole(daemonSet, settled, { memory, parts });
  // While we asked, the picture may have gone, or the object changed: then the next look counts.
  if (picture.puller(keyOf(daemonSet)) !== daemonSet || !picture.isLive(namespace) || !parts.isLeader()) return 0;
  const lacksEvents = !settled && !events.isFollowing(namespace);
  if (verdict.health !== 'Progressing' && lacksEvents) return EVENTS_RETRY;
  memory.keep(namespace, verdict.facts, clock.now());
  parts.judged(daemonSet, verdict);
  const wait = isFinal(daemonSet) ? undefined : await writeDown(daemonSet, verdict, parts);
  return earliest(wait, verdict.recheckAfterMs, nextAsk({ daemonSet, verdict, age }));
}

/** The verdict with everything it wants to know, and how old answers may be until the next look. */
async function judgeWhole(
  daemonSet: DaemonSet,
  settled: boolean,
  { memory, parts }: { memory: Memory; parts: ReconcileParts },
): Promise<{ verdict: Verdict; age: number }> {
  await parts.nodes.list(daemonSet);
  const verdict = judgeNow(daemonSet, memory, parts);
  const age = settled ? Infinity : verdict.health === 'Progressing' ? FRESH : FRESH_STANDING;
  const asked = await askFor({ daemonSet, verdict, parts, age });
  return { verdict: asked ? judgeNow(daemonSet, memory, parts) : verdict, age };
}

/** The verdict of a hook stands for good. */
function isFinal({ role, conditions }: DaemonSet): boolean {
  const pulled = conditions.find(({ type }) => type === PULLED_CONDITION);
  return role === 'hook' && (pulled?.status === 'True' || pulled?.status === 'False');
}

/** A hook had its verdict, a continuous puller its first completion of this generation: Progressing is over. */
function isSettled(daemonSet: DaemonSet, memory: Memory, { picture, clock }: ReconcileParts): boolean {
  const { namespace, uid, role, generation } = daemonSet;
  const facts = memory.recall(namespace, picture.pullersIn(namespace), clock.now()).pullers.get(uid);
  if (role === 'hook') return isFinal(daemonSet) || facts?.final !== undefined;
  return facts?.completed === true && facts.generation === generation;
}

/** What nobody in the namespace needs any more. */
function letGo(namespace: string, memory: Memory, parts: ReconcileParts): void {
  const { picture, events } = parts;
  const pullers = picture.pullersIn(namespace);
  if (pullers.every((daemonSet) => isSettled(daemonSet, memory, parts))) events.follow(namespace, false);
  const uids = new Set(picture.pullers().map(({ uid }) => uid));
  events.retain((uid) => picture.hasPod(uid) || uids.has(uid));
}

function judgeNow(daemonSet: DaemonSet, memory: Memory, parts: ReconcileParts): Verdict {
  const { picture, clock, nodes, events } = parts;
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

interface Asking {
  daemonSet: DaemonSet;
  verdict: Verdict;
  parts: ReconcileParts;
  /** How old answers may be, in milliseconds; Infinity: what was never asked for is. */
  age: number;
}

/** Whether anything was asked for, so that the verdict may be another one. */
async function askFor({ daemonSet, verdict, parts, age }: Asking): Promise<boolean> {
  const pieces = missingPieces(verdict, daemonSet, parts.picture.podsIn(daemonSet.namespace), parts.clock.now());
  const refused: About[] = pieces.refusals ? [daemonSet] : [];
  const asked = [
    await parts.nodes.ask(daemonSet, pieces.nodes, age),
    await parts.events.ask(pieces.pods, age),
    await parts.events.ask(refused, age === Infinity ? age : FRESH_REFUSAL),
  ];
  return asked.includes(true);
}

/** When what was asked for is to be asked for again. */
function nextAsk({ daemonSet, verdict, age }: Omit<Asking, 'parts'>): number | undefined {
  const isDone = verdict.health === 'Healthy' || (daemonSet.role === 'hook' && verdict.health === 'Degraded');
  if (age === Infinity || isDone) return undefined;
  return lacksPods(verdict, daemonSet) ? FRESH_REFUSAL : age;
}

async function writeDown(
  daemonSet: DaemonSet,
  verdict: Verdict,
  { writer, picture, announcing }: ReconcileParts,
): Promise<number | undefined> {
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
