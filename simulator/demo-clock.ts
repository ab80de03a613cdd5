/** Hurried time that keeps its order: where the machine cannot keep up, simulated time slows down, so that no grace runs out for want of CPU. */
import type { Clock } from './clock.ts';
import { steppedClock } from './clock.ts';

export interface PacedClock extends Clock {
  /** As fast as the machine can, before `run`. */
  skip(milliseconds: number): Promise<void>;
  /** From now on time passes by itself, until `stop`. */
  run(): void;
  /** Resolves when no task runs any more; what waits on the clock is never called. */
  stop(): Promise<void>;
}

/** Milliseconds of real time between two steps, and the most that one step makes up for. */
const TICK = 10;
const LONGEST_STEP = 25;

/** Simulated time passes `speed` times as fast as real time, or slower. */
export function pacedClock(speed: number, start: number): PacedClock {
  const clock = steppedClock(start);
  let timer: NodeJS.Timeout | undefined;
  let step = Promise.resolve();
  let last = 0;
  let stopped = false;

  async function tick(): Promise<void> {
    const now = performance.now();
    const passed = Math.min(now - last, LONGEST_STEP);
    last = now;
    await clock.advance(passed * speed);
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      step = tick();
    }, TICK);
  }

  return {
    now: () => clock.now(),
    after: (milliseconds, task) => clock.after(milliseconds, task),
    skip: (milliseconds) => clock.advance(milliseconds),
    run() {
      last = performance.now();
      schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await step;
    },
  };
}
