/** The budgets of the render half, each a ratio to something else that ran in the same rounds. */
import { interleave, peakMemoryOf, watchedPeakMemoryOf } from './measure.ts';
import type { Programs } from './programs.ts';
import { median, percentile } from './statistics.ts';

/** What is held against a budget: `value` may be at most `limit`. */
export interface Check {
  what: string;
  how: string;
  value: number;
  limit: number;
  unit: string;
}

export interface Measured {
  checks: Check[];
  /** Milliseconds of each round by program. */
  samples: Record<string, number[]>;
}

const MEGABYTE = 1e6;
const MEMORY_RUNS = 5;

/** p95 is held against p95: what slows the machine in the worst rounds slows what generate is compared to as well. */
export async function measureGenerate(programs: Programs, rounds: number): Promise<Measured> {
  const { empty, helm, generate, generateCold } = programs;
  const samples = await interleave({ empty, helm, generate, generateCold }, rounds);
  const p95 = (name: keyof typeof samples): number => percentile(samples[name], 95);
  return {
    checks: [
      {
        what: 'generate, against helm template of the same chart',
        how: 'p95 ≤ 1.2 × helm + 3 × node -e 0',
        value: p95('generate'),
        limit: 1.2 * p95('helm') + 3 * p95('empty'),
        unit: 'ms',
      },
    ],
    samples,
  };
}

/**
 * Our process alone: generate starts the same helm, so this is what comes on top of it, and more than that where the two do not
 * peak at the same moment. helm's own peak is shown beside it.
 */
export async function measureMemory({ generate, helm }: Programs, file: string): Promise<Measured> {
  const ours: number[] = [];
  const helms: number[] = [];
  for (let run = 0; run < MEMORY_RUNS; run += 1) {
    ours.push((await peakMemoryOf(generate, file)) / MEGABYTE);
    const peak = await watchedPeakMemoryOf(helm);
    if (peak !== undefined) helms.push(peak / MEGABYTE);
  }
  return {
    checks: [
      {
        what: 'memory of generate beyond helm’s',
        how: 'largest of all runs',
        value: Math.max(...ours),
        limit: 120,
        unit: 'MB',
      },
    ],
    samples: { 'generate, MB': ours, 'helm, MB': helms },
  };
}

export async function measureVersion({ empty, version }: Programs, rounds: number): Promise<Measured> {
  const samples = await interleave({ empty, version }, rounds);
  return {
    checks: [
      {
        what: 'prepuller --version, against node -e 0',
        how: 'ratio of the medians',
        value: median(samples.version) / median(samples.empty),
        limit: 1.6,
        unit: '×',
      },
    ],
    samples,
  };
}

/** An empty child is taken off both sides: what is compared is the work, not the start of Node. */
export async function measureTransform(programs: Programs, stream: string, rounds: number): Promise<Measured> {
  const samples = await interleave(
    { empty: programs.empty, jsYaml: programs.jsYaml(stream), transform: programs.transform(stream) },
    rounds,
  );
  const start = median(samples.empty);
  return {
    checks: [
      {
        what: 'transform of 10 MB with 300 images, against js-yaml reading it',
        how: 'ratio of the medians, an empty child taken off both',
        value: (median(samples.transform) - start) / (median(samples.jsYaml) - start),
        limit: 1.5,
        unit: '×',
      },
    ],
    samples,
  };
}
