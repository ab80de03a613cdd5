/**
 * What is asked for about a puller beyond the watches, and when: beside the looks while it is under way, so that the last pod never
 * waits for an answer; and before a verdict that ends the waiting, which the answers may change.
 */
import type { DaemonSet, Pod } from '../verdict/snapshot.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Clock } from './clock.ts';
import type { About, EventLookup } from './event-lookup.ts';
import { lacksPods, missingPieces } from './missing-pieces.ts';
import type { NodeLookup } from './node-lookup.ts';

/** One puller at one look. */
export interface Question {
  daemonSet: DaemonSet;
  verdict: Verdict;
  pods: readonly Pod[];
  /** How old answers may be, in milliseconds; Infinity: what was never asked for is. */
  age: number;
}

export interface Asking {
  /** Whether anything was asked for, so that the verdict may be another one. Never fails. */
  first(question: Question): Promise<boolean>;
  /** Asks without anybody waiting; `answered` is called when the verdict may be another one. */
  beside(question: Question, answered: () => void): void;
}

/** How old answers may be while a puller is under way, in milliseconds. */
export const FRESH = 30_000;
/** The same for refused pods: nothing else tells that they are made again, or why not. */
export const FRESH_REFUSAL = 10_000;
/** The same while a verdict that is not final stands. */
export const FRESH_STANDING = 300_000;

/** Changes come in crowds: between two times of asking beside the looks of a puller, at least so many milliseconds. */
const PAUSE = 1_000;

/** Of nodes that are simply at work so many at a time: none of them holds the pull before they are few. */
const FEW = 10;

export function createAsking(clock: Clock, nodes: NodeLookup, events: EventLookup): Asking {
  /** UID → when asking may begin again, milliseconds since 1970. */
  const resting = new Map<string, number>();

  async function first({ daemonSet, verdict, pods, age }: Question): Promise<boolean> {
    const pieces = missingPieces(verdict, daemonSet, pods, clock.now());
    const refused: About[] = pieces.refusals ? [daemonSet] : [];
    const asked = [
      await nodes.ask(daemonSet, pieces.nodes, age),
      await nodes.ask(daemonSet, pieces.atWork, age, FEW),
      await events.ask(pieces.pods, age),
      await events.ask(refused, age === Infinity ? age : FRESH_REFUSAL),
    ];
    return asked.includes(true);
  }

  return {
    first,
    beside(question, answered) {
      const { uid } = question.daemonSet;
      for (const [other, until] of resting) if (until <= clock.now()) resting.delete(other);
      if (resting.has(uid)) return;
      resting.set(uid, Infinity);
      void first(question).then((asked) => {
        resting.set(uid, clock.now() + PAUSE);
        if (asked) answered();
      });
    },
  };
}

/** Milliseconds until what was asked for is to be asked for again; undefined when only an event can tell more. */
export function nextAsk({ daemonSet, verdict, age }: Omit<Question, 'pods'>): number | undefined {
  const isDone = verdict.health === 'Healthy' || (daemonSet.role === 'hook' && verdict.health === 'Degraded');
  if (age === Infinity || isDone) return undefined;
  return lacksPods(verdict, daemonSet) ? FRESH_REFUSAL : age;
}
