/**
 * Work by key, as client-go's workqueue: equal keys collapse, one run at a time for each key, failures wait longer each time,
 * a run may ask for another one later. What is idle is forgotten. A key that keeps changing rests for a few times what its last run took.
 */
import { createBackOff } from './back-off.ts';
import type { BackOff } from './back-off.ts';
import type { Clock } from './clock.ts';

/** Milliseconds until the key is to be run again though nothing happens; undefined when only an event can tell more. */
export type Work = (key: string) => Promise<number | undefined>;

export interface KeyQueueOptions {
  clock: Clock;
  random: () => number;
  work: Work;
  /** Told of each failed run; it is tried again. */
  failed: (key: string, error: unknown) => void;
}

interface Entry {
  /** When the run under way began. */
  running: number | undefined;
  /** Something happened while it ran. */
  again: boolean;
  /** No run begins before: a failure is waited out, and work that takes long leaves room for others. */
  notBefore: number;
  /** The timer that starts the next run, and when. */
  due: number;
  cancel: (() => void) | undefined;
  backOff: BackOff;
}

const BACK_OFF = { first: 200, most: 30_000 };

/** While a large cluster pulls, every moment changes something: most of the process' time stays free, and of what looks leave behind there is less. */
const REST = 3;
/** Longest rest after a run, in milliseconds: what happens meanwhile waits so much longer for its verdict. */
const LONGEST_REST = 120;

export class KeyQueue {
  readonly #options: KeyQueueOptions;
  readonly #entries = new Map<string, Entry>();
  #stopped = false;

  constructor(options: KeyQueueOptions) {
    this.#options = options;
  }

  /** Keys that run or wait. */
  get size(): number {
    return this.#entries.size;
  }

  /** When the run that is under way longest began, in milliseconds. */
  get oldestRun(): number | undefined {
    const began = [...this.#entries.values()].map(({ running }) => running).filter((one) => one !== undefined);
    return began.length === 0 ? undefined : Math.min(...began);
  }

  /** Something happened to this key. */
  add(key: string): void {
    if (this.#stopped) return;
    const entry = this.#entryOf(key);
    if (entry.running !== undefined) entry.again = true;
    else this.#runIn(key, entry, 0);
  }

  /** No run begins any more. Runs under way end on their own. */
  stop(): void {
    this.#stopped = true;
    for (const { cancel } of this.#entries.values()) cancel?.();
    this.#entries.clear();
  }

  #entryOf(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const backOff = createBackOff(BACK_OFF, this.#options.random);
    const entry: Entry = { running: undefined, again: false, notBefore: 0, due: Infinity, cancel: undefined, backOff };
    this.#entries.set(key, entry);
    return entry;
  }

  /** The earlier of two dates wins. */
  #runIn(key: string, entry: Entry, milliseconds: number): void {
    const now = this.#options.clock.now();
    const due = Math.max(now + milliseconds, entry.notBefore);
    if (entry.due <= due) return;
    this.#wait(entry, due, () => void this.#run(key, entry));
  }

  #wait(entry: Entry, due: number, task: () => void): void {
    const { clock } = this.#options;
    entry.cancel?.();
    entry.due = due;
    entry.cancel = clock.after(due - clock.now(), () => {
      entry.due = Infinity;
      entry.cancel = undefined;
      task();
    });
  }

  async #run(key: string, entry: Entry): Promise<void> {
    const { clock, work, failed } = this.#options;
    const began = clock.now();
    entry.running = began;
    let next: number | undefined;
    try {
      next = await work(key);
      entry.backOff.reset();
      entry.notBefore = clock.now() + Math.min(LONGEST_REST, REST * (clock.now() - began));
    } catch (error) {
      next = entry.backOff.next();
      entry.notBefore = clock.now() + next;
      failed(key, error);
    }
    entry.running = undefined;
    if (this.#stopped) return;
    if (entry.again) next = 0;
    entry.again = false;
    if (next !== undefined) this.#runIn(key, entry, next);
    else this.#forget(key, entry);
  }

  /** An event may bring it back before its rest is over. */
  #forget(key: string, entry: Entry): void {
    if (entry.notBefore <= this.#options.clock.now()) {
      this.#entries.delete(key);
      return;
    }
    this.#wait(entry, entry.notBefore, () => this.#entries.delete(key));
    entry.due = Infinity;
  }
}
