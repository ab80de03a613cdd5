/** `generate` many times: at once, in a row, and ended at any moment. What is left is counted after each. */
import fc from 'fast-check';
import { report, seed, times } from '../long-mode.ts';
import {
  filesLeft,
  generate,
  makeGround,
  processesLeft,
  removeGround,
  temporaryLeft,
  type Ground,
  type Observed,
} from './observed.ts';

/** Minutes in the long mode, on a machine that does other things too. */
const PATIENCE = 15 * 60_000;

let ground: Ground;
beforeAll(() => {
  ground = makeGround();
});
afterAll(() => {
  removeGround(ground);
});
afterEach(() => {
  expect(temporaryLeft(ground)).toEqual([]);
  expect(processesLeft(ground)).toEqual([]);
});

function apps(index: number): 'hub' | 'umbrella' {
  return index % 2 === 0 ? 'hub' : 'umbrella';
}

const AT_ONCE = times(6, 50);
test(
  `${String(AT_ONCE)} at once, on a cache nobody filled yet: no failure, one answer`,
  async () => {
    const started = performance.now();
    const runs = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => generate(ground, { app: apps(index) })),
    );
    report(`generate: ${String(AT_ONCE)} at once in ${String(Math.round(performance.now() - started))} ms`);
    expect(runs.filter(({ exitCode }) => exitCode !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(new Set(runs.filter((_, index) => apps(index) === 'hub').map(({ stdout }) => stdout)).size).toBe(1);
    expect(new Set(runs.filter((_, index) => apps(index) === 'umbrella').map(({ stdout }) => stdout)).size).toBe(1);
    expect(filesLeft(ground).filter((path) => /dependencies\/[^/]+$/.test(path))).toHaveLength(1);
  },
  PATIENCE,
);

const IN_A_ROW = times(8, 500);
test(
  `${String(IN_A_ROW)} in a row: files, processes and memory stay as they were`,
  async () => {
    await generate(ground, { app: 'hub' });
    await generate(ground, { app: 'umbrella' });
    const files = filesLeft(ground);
    const runs: Observed[] = [];
    for (let index = 0; index < IN_A_ROW; index += 1) {
      runs.push(await generate(ground, { app: apps(index) }));
      expect(processesLeft(ground)).toEqual([]);
    }
    const middle = Math.floor(IN_A_ROW / 2);
    const [before, after] = [mean(runs.slice(0, middle)), mean(runs.slice(middle))];
    report(`generate: ${String(IN_A_ROW)} in a row, ${before.toFixed(0)} then ${after.toFixed(0)} MiB each`);
    expect(runs.filter(({ exitCode }) => exitCode !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(filesLeft(ground)).toEqual(files);
    expect(before).toBeGreaterThan(10);
    expect(after).toBeLessThan(before * 1.1 + 10);
  },
  PATIENCE,
);

function mean(runs: readonly Observed[]): number {
  return runs.reduce((sum, { maxRssMiB }) => sum + maxRssMiB, 0) / runs.length;
}

const STOPPED = times(10, 100);
test(
  `SIGTERM at ${String(STOPPED)} random moments: stdout is empty or complete, nothing is left`,
  async () => {
    const whole = {
      hub: await generate(ground, { app: 'hub' }),
      umbrella: await generate(ground, { app: 'umbrella' }),
    };
    const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 1100 })), { numRuns: STOPPED, seed: seed() });
    const ends = new Map<string, number>();
    for (const [index, moment] of moments.entries()) {
      const app = apps(index);
      const run = await generate(ground, { app, stopAfter: (moment / 1000) * whole[app].milliseconds });
      const end = endOf(run, whole[app].stdout);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      expect(temporaryLeft(ground)).toEqual([]);
      expect(processesLeft(ground)).toEqual([]);
    }
    report(`generate: SIGTERM of seed ${String(seed())}: ${JSON.stringify(Object.fromEntries(ends))}`);
    expect([...ends.keys()].filter((end) => end.startsWith('wrong'))).toEqual([]);
  },
  PATIENCE,
);

/** How a run ended; the only ways that are right. */
function endOf({ exitCode, signal, stdout, stderr }: Observed, whole: string): string {
  if (exitCode === 0 && stdout === whole) return 'complete';
  if (signal === 'SIGTERM' && stdout === '') return 'before it began';
  if (signal === 'SIGTERM' && stdout === whole) return 'after its answer';
  if (exitCode === 143 && stdout === '' && stderr.startsWith('prepuller: stopped by SIGTERM')) return 'stopped';
  return `wrong: exit code ${String(exitCode)}, ${String(stdout.length)} characters, ${stderr.slice(0, 200)}`;
}
