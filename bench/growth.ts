/** Doubles one thing of a stream at a time and takes the time of `transform`: twice the input may take no more than about twice as long. */
import type { Check } from './budgets.ts';
import type { Series } from './growth-streams.ts';
import { interleave } from './measure.ts';
import type { Line } from './plot.ts';
import { writeStream, type Programs } from './programs.ts';
import { median } from './statistics.ts';

export interface Growth {
  check: Check;
  lines: Line[];
  /** Milliseconds by program and count. */
  samples: Record<string, number[]>;
}

const DOUBLINGS = 4;
/** Twice, and room for what the machine does besides. */
const MAX_FACTOR = 2.4;
/** Below, start-up and the compiler say more than the input. */
const LEAST_MS = 20;

/** `withJsYaml` adds the line of js-yaml reading the same streams. */
export async function measureGrowth(
  series: Series,
  place: { programs: Programs; scratch: string },
  rounds: number,
  withJsYaml = false,
): Promise<Growth> {
  const { empty, transform, jsYaml } = place.programs;
  const counts = Array.from({ length: DOUBLINGS + 1 }, (_, doubling) => series.smallest * 2 ** doubling);
  const runs = { empty } as Record<string, Programs['empty']>;
  for (const count of counts) {
    const stream = await writeStream(place.scratch, `${series.name} ${count}`, series.stream(count));
    runs[`transform ${count}`] = transform(stream);
    if (withJsYaml) runs[`js-yaml ${count}`] = jsYaml(stream);
  }
  const samples = await interleave(runs, rounds);
  const start = median(samples.empty ?? []);
  const lineOf = (name: string): Line => ({
    name,
    points: counts.map((x) => ({ x, y: Math.max(1, median(samples[`${name} ${x}`] ?? []) - start) })),
  });
  const ours = lineOf('transform');
  return {
    check: {
      what: `doubling ${series.name}, up to ${counts.at(-1)}`,
      how: `median of ${rounds} rounds, an empty child taken off; the last doubling`,
      value: lastFactor(ours),
      limit: MAX_FACTOR,
      unit: '×',
    },
    lines: withJsYaml ? [ours, lineOf('js-yaml')] : [{ ...ours, name: series.name }],
    samples,
  };
}

/** 1 where even the largest input is done at once. */
function lastFactor({ points }: Line): number {
  const [before, last] = points.slice(-2);
  return before === undefined || last === undefined || last.y < LEAST_MS ? 1 : last.y / before.y;
}
