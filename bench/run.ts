/**
 * `npm run bench`: measures, writes the samples and the pages, and ends with 1 where a budget is not met. `-- render`, `-- cluster` or `-- web`
 * is one part of it, `--full` adds the largest cluster, `-- web --nodes 100` is a try that publishes nothing.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  measureGenerate,
  measureMemory,
  measureTransform,
  measureVersion,
  type Check,
  type Measured,
} from './budgets.ts';
import { runClusterHalf } from './cluster-half.ts';
import { SERIES, SIZE } from './growth-streams.ts';
import { measureGrowth } from './growth.ts';
import { hubStream } from './hub-stream.ts';
import { describeMachine } from './machine.ts';
import { interleave } from './measure.ts';
import { drawPlot } from './plot.ts';
import { preparePrograms, writeStream, type Programs } from './programs.ts';
import { isMet, printCheck, printReport, updateReadme, type Report } from './report.ts';
import { runWebHalf } from './web-half.ts';

const ROOT = new URL('../', import.meta.url);
/** Enough for a p95 that is not the one worst round. */
const ROUNDS = { generate: 60, version: 100, transform: 20, growth: 7 };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false }, nodes: { type: 'string' } },
});
const isWanted = (part: string): boolean => positionals.length === 0 || positionals.includes(part);
const scratch = await mkdtemp(join(tmpdir(), 'prepuller-bench-'));
try {
  const render = isWanted('render') ? await runRenderHalf(scratch) : [];
  const cluster = isWanted('cluster') ? await runClusterHalf(ROOT, scratch, values.full) : [];
  const nodes = values.nodes === undefined ? undefined : Number(values.nodes);
  const web = isWanted('web') ? await runWebHalf(ROOT, scratch, nodes) : [];
  const all = [...render, ...cluster, ...web];
  console.log(all.map(printCheck).join('\n'));
  if (!all.every(isMet)) process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function runRenderHalf(scratch: string): Promise<Check[]> {
  const report = await measure(scratch);
  await write(report);
  return [...report.checks, ...report.growth];
}

async function measure(scratch: string): Promise<Report & { plots: Record<string, string> }> {
  const begin = loadavg()[0] ?? 0;
  const programs = await preparePrograms(scratch);
  const stream = await writeStream(scratch, 'hub', hubStream({ bytes: 10e6, images: 300 }));
  await warmUp(programs, stream);
  const measured: Record<string, Measured> = {
    generate: await measureGenerate(programs, ROUNDS.generate),
    memory: await measureMemory(programs, join(scratch, 'peak')),
    version: await measureVersion(programs, ROUNDS.version),
    transform: await measureTransform(programs, stream, ROUNDS.transform),
  };
  const place = { programs, scratch };
  const size = await measureGrowth(SIZE, place, ROUNDS.growth, true);
  const growth = [];
  for (const series of SERIES) growth.push(await measureGrowth(series, place, ROUNDS.growth));
  const all = [size, ...growth];
  const samples = Object.fromEntries(Object.entries(measured).map(([name, found]) => [name, found.samples]));
  return {
    machine: await describeMachine(),
    load: [begin, loadavg()[0] ?? 0],
    checks: Object.values(measured).flatMap(({ checks }) => checks),
    growth: all.map(({ check }) => check),
    samples: { ...samples, ...Object.fromEntries(all.map((one) => [one.check.what, one.samples])) },
    plots: {
      size: drawPlot({ title: 'Size of the stream', x: 'MB', y: 'ms', lines: size.lines }),
      growth: drawPlot({
        title: 'Growth: time of transform',
        x: 'times the smallest',
        y: 'ms',
        lines: growth.flatMap(({ lines }) =>
          lines.map((line) => ({ ...line, points: line.points.map(({ y }, index) => ({ x: 2 ** index, y })) })),
        ),
      }),
    },
  };
}

/** Fills compile caches and the machine's file cache. */
async function warmUp(programs: Programs, stream: string): Promise<void> {
  const { empty, helm, generate, version, transform, jsYaml } = programs;
  await interleave({ empty, helm, generate, version, transform: transform(stream), jsYaml: jsYaml(stream) }, 2);
}

async function write({ plots, ...report }: Report & { plots: Record<string, string> }): Promise<void> {
  const results = new URL('bench/results/', ROOT);
  await mkdir(results, { recursive: true });
  const time = new Date().toISOString().replaceAll(':', '-');
  await writeFile(new URL(`${time}.json`, results), JSON.stringify(report, null, 1));
  for (const [name, plot] of Object.entries(plots)) await writeFile(new URL(`docs/benchmarks-${name}.svg`, ROOT), plot);
  const { samples, ...rest } = report;
  const budgets = Object.entries(samples).filter(([name]) => !name.startsWith('doubling'));
  await writeFile(new URL('docs/benchmarks.md', ROOT), printReport({ ...rest, samples: Object.fromEntries(budgets) }));
  await updateReadme(new URL('README.md', ROOT), report);
}
