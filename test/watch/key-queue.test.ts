/** The work queue: collapsing, one run at a time for each key, waiting after failures, running again, forgetting. */
import { steppedClock } from '../../simulator/clock.ts';
import type { SteppedClock } from '../../simulator/clock.ts';
import { KeyQueue } from '../../src/watch/key-queue.ts';
import type { Work } from '../../src/watch/key-queue.ts';

function queueOf(clock: SteppedClock, work: Work) {
  const failures: string[] = [];
  const queue = new KeyQueue({ clock, random: () => 0.5, work, failed: (key) => void failures.push(key) });
  return { queue, failures };
}

test('equal keys collapse, different ones do not', async () => {
  const clock = steppedClock(0);
  const runs: string[] = [];
  const { queue } = queueOf(clock, (key) => {
    runs.push(key);
    return Promise.resolve(undefined);
  });
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  await clock.advance(1);
  expect(runs).toEqual(['a', 'b']);
});

test('a key runs once at a time; what happens meanwhile makes it run again', async () => {
  const clock = steppedClock(0);
  let running = 0;
  let most = 0;
  let runs = 0;
  const { queue } = queueOf(clock, async () => {
    runs += 1;
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => void clock.after(100, resolve));
    running -= 1;
    return undefined;
  });
  queue.add('a');
  await clock.advance(50);
  for (let index = 0; index < 10; index += 1) queue.add('a');
  await clock.advance(1_000);
  expect([runs, most]).toEqual([2, 1]);
});

test('a key that keeps changing rests for three times what its last run took, but not longer than 120 ms', async () => {
  const clock = steppedClock(0);
  const begun: number[] = [];
  let length = 20;
  const { queue } = queueOf(clock, async () => {
    begun.push(clock.now());
    await new Promise<void>((resolve) => void clock.after(length, resolve));
    return undefined;
  });
  for (let moment = 0; moment < 700; moment += 1) {
    if (moment === 200) length = 100;
    queue.add('a');
    await clock.advance(1);
  }
  expect(begun).toEqual([0, 80, 160, 240, 460, 680]);
  queue.stop();
});

test('failures are tried again, later each time, and an event does not shorten the wait', async () => {
  const clock = steppedClock(0);
  const begun: number[] = [];
  const { queue, failures } = queueOf(clock, () => {
    begun.push(clock.now());
    return begun.length < 5 ? Promise.reject(new Error('not now')) : Promise.resolve(undefined);
  });
  queue.add('a');
  for (let moment = 0; moment < 60; moment += 1) {
    await clock.advance(100);
    if (begun.length < 5) queue.add('a');
  }
  const waits = begun.slice(1).map((moment, index) => moment - (begun[index] ?? 0));
  expect(waits).toEqual([150, 300, 600, 1_200]);
  expect(failures).toHaveLength(4);
});

test('a run asks for the next one, an event comes before it, and a stop ends all', async () => {
  const clock = steppedClock(0);
  const begun: number[] = [];
  const { queue } = queueOf(clock, () => {
    begun.push(clock.now());
    return Promise.resolve(1_000);
  });
  queue.add('a');
  await clock.advance(2_500);
  queue.add('a');
  await clock.advance(1_000);
  expect(begun).toEqual([0, 1_000, 2_000, 2_500, 3_500]);
  queue.stop();
  queue.add('a');
  await clock.advance(10_000);
  expect(begun).toHaveLength(5);
  expect(clock.untilNext()).toBeUndefined();
});

test('idle keys are forgotten', async () => {
  const clock = steppedClock(0);
  const { queue } = queueOf(clock, () => Promise.resolve(undefined));
  for (let index = 0; index < 1_000; index += 1) queue.add(`key-${index}`);
  await clock.advance(1);
  expect(queue.size).toBe(0);
});

test('tells how long a run has been under way', async () => {
  const clock = steppedClock(5);
  const { queue } = queueOf(clock, () => new Promise(() => undefined));
  expect(queue.oldestRun).toBeUndefined();
  queue.add('a');
  await clock.advance(1_000);
  expect(queue.oldestRun).toBe(5);
});
