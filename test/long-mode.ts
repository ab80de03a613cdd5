/**
 * How often the slow tests repeat: a few times under `npm test`, many times where PREPULLER_LONG=1 is set, as .ci/run does.
 * Nothing is left out in the short mode; each test prints how often it ran, and the seeds it drew.
 */
import fc from 'fast-check';

export const LONG = process.env.PREPULLER_LONG === '1';

/** Repetitions of something slow. */
export function times(short: number, long: number): number {
  return LONG ? long : short;
}

/** A line in the test run's output, without the place that console.log adds. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The same inputs every time, and new ones; a failure prints the seed it came from. */
const FIXED_SEED = 20240101;

export interface Runs {
  short: number;
  long: number;
}

/** Two rounds, one of the fixed seed and one of a new one. */
export function fuzz<T>(name: string, property: fc.IProperty<T>, { short, long }: Runs): void {
  const numRuns = times(short, long);
  for (const seed of [FIXED_SEED, newSeed()]) {
    report(`fuzz: ${name}: ${String(numRuns)} runs of seed ${String(seed)}`);
    fc.assert(property, { numRuns, seed });
  }
}

/** PREPULLER_SEED repeats a run. */
export function newSeed(): number {
  return Number(process.env.PREPULLER_SEED ?? Date.now() % 2 ** 31);
}
