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

/** The same inputs every time: a test run proves the change at hand and nothing else. */
const FIXED_SEED = 20240101;

export interface Runs {
  short: number;
  long: number;
}

/** Runs a property and prints how often and from which seed. */
export function fuzz<T>(name: string, property: fc.IProperty<T>, { short, long }: Runs): void {
  const numRuns = times(short, long);
  report(`fuzz: ${name}: ${String(numRuns)} runs of seed ${String(seed())}`);
  fc.assert(property, { numRuns, seed: seed() });
}

/** PREPULLER_SEED=<number> draws other inputs or repeats a run; `new`, as `npm run nightly` sets it, draws ever new ones. */
export function seed(): number {
  const { PREPULLER_SEED: wanted } = process.env;
  if (wanted === undefined) return FIXED_SEED;
  return wanted === 'new' ? NEW_SEED : Number(wanted);
}

const NEW_SEED = Date.now() % 2 ** 31;
