/** The images of one node: which are there, and the pulls, one after another as kubelet does them (serializeImagePulls). */
import type { Clock } from './clock.ts';
import type { PullError } from './pull-errors.ts';
import { PULL_ERRORS } from './pull-errors.ts';

export interface PullRequest {
  image: string;
  node: string;
  /** From 1, of this image on this node. */
  attempt: number;
  now: number;
}

export interface PullOutcome {
  /** Milliseconds; Infinity when the registry never answers. */
  takes: number;
  /** By its name, or any text. */
  error?: PullError | { text: string };
  bytes?: number;
}

/** What the registries answer: a test's own rules. */
export type Registry = (request: PullRequest) => PullOutcome;

export interface Pulled {
  error: string | undefined;
  /** Milliseconds of the pull itself, and with the wait for others. */
  took: number;
  waited: number;
  bytes: number;
}

export interface NodeImages {
  has(image: string): boolean;
  /** Begins when every pull before it is through; goes on when whoever asked is gone. */
  pull(image: string): Promise<Pulled>;
  /** Gives up what is under way: its promises never settle. */
  stop(): void;
}

export interface NodeImagesParts {
  clock: Clock;
  node: string;
  present: Iterable<string>;
  registry: Registry;
  behaviour: { slow?: number; diskFull?: boolean };
}

interface Job {
  image: string;
  asked: number;
  done: (pulled: Pulled) => void;
}

const DEFAULT_BYTES = 2_000_000_000;
/** Asking the registry whether an image that is there is still the newest. */
const CHECK = 500;

export function createNodeImages({ clock, node, present, registry, behaviour }: NodeImagesParts): NodeImages {
  const images = new Set(present);
  const attempts = new Map<string, number>();
  const jobs: Job[] = [];
  let cancel = (): void => undefined;

  function next(): void {
    const job = jobs[0];
    if (job === undefined) return;
    const { image } = job;
    const began = clock.now();
    const attempt = (attempts.get(image) ?? 0) + 1;
    attempts.set(image, attempt);
    const outcome = registry({ image, node, attempt, now: began });
    const takes = (images.has(image) ? Math.min(CHECK, outcome.takes) : outcome.takes) * (behaviour.slow ?? 1);
    if (takes === Infinity) return;
    cancel = clock.after(takes, () => {
      jobs.shift();
      const error = behaviour.diskFull === true ? PULL_ERRORS.diskFull(image) : textOf(outcome.error, image);
      if (error === undefined) images.add(image);
      const now = clock.now();
      job.done({ error, took: now - began, waited: now - job.asked, bytes: outcome.bytes ?? DEFAULT_BYTES });
      next();
    });
  }

  return {
    has: (image) => images.has(image),
    pull: (image) =>
      new Promise((done) => {
        jobs.push({ image, asked: clock.now(), done });
        if (jobs.length === 1) next();
      }),
    stop() {
      cancel();
      jobs.length = 0;
    },
  };
}

function textOf(error: PullOutcome['error'], image: string): string | undefined {
  return typeof error === 'string' ? PULL_ERRORS[error](image) : error?.text;
}
