/** Writes what was measured: docs/benchmarks.md with its plots, and the short table of the README between its markers. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Check } from './budgets.ts';
import { median, percentile } from './statistics.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memory: string;
  system: string;
  node: string;
  helm: string;
  'js-yaml': string;
  prepuller: string;
}

export interface Report {
  machine: Machine;
  /** The machine's load when the run began and ended. */
  load: [begin: number, end: number];
  checks: Check[];
  growth: Check[];
  samples: Record<string, Record<string, number[]>>;
}

/** Between two of a half's markers stands its table. */
const MARKERS = { render: '<!-- bench -->', cluster: '<!-- bench cluster -->', web: '<!-- bench web -->' };
const PAGES = { render: 'docs/benchmarks.md', cluster: 'docs/benchmarks-cluster.md', web: 'docs/benchmarks-web.md' };
export type Half = keyof typeof MARKERS;

export function isMet({ value, limit }: Check): boolean {
  return value <= limit;
}

export function printCheck(check: Check): string {
  return `${isMet(check) ? 'ok  ' : 'OVER'} ${check.what}: ${amount(check.value, check)} of at most ${amount(check.limit, check)}`;
}

/** Where and under what load a report was made. */
export function machineLines({ machine, load }: Pick<Report, 'machine' | 'load'>): string {
  const { cpu, cores, memory, system, node, helm, prepuller } = machine;
  const loads = load.map((one) => one.toFixed(1)).join(' at the beginning, ');
  return [
    `- ${cpu}, ${cores} cores, ${memory}, ${system}; load ${loads} at the end`,
    `- Node ${node}, helm ${helm}, js-yaml ${machine['js-yaml']}, argocd-prepuller ${prepuller}`,
  ].join('\n');
}

/** The text of docs/benchmarks.md. */
export function printReport(report: Report): string {
  const { machine, load, checks, growth, samples } = report;
  return `# Benchmarks

Of the render half; those of the reconciler stand in [benchmarks-cluster.md](benchmarks-cluster.md).

\`npm run bench -- render\` measures all of this, writes this page and the table in the README, and ends with 1 where a budget is not met. It
makes its own chart and streams. Raw samples stay in \`bench/results/\`.

${machineLines({ machine, load })}

## Budgets

${checkTable(checks)}

What is compared runs in the same rounds, one after the other and each round in another order, so the machine's mood falls on both;
on a machine with other work the samples below scatter, and only the same run's figures can be compared.
Times go from before the spawn to the end of the process. Memory is what our process held at most, told by itself at its end
(\`VmHWM\`); generate starts the same helm, so that is what it needs beyond helm's.

## Samples

${sampleTables(samples)}

\`empty\` is \`node -e 0\`, what any child of this kind costs before it does anything. \`generateCold\` is generate without Node's compile
cache: the first call on a machine.

## Growth

${checkTable(growth)}

![transform and js-yaml by size of the stream](benchmarks-size.svg)

![transform by what is doubled](benchmarks-growth.svg)

The dashed line is growth in step with the input. Below 20 ms a doubling counts as 1.
`;
}

/** The README with the table between its markers; undefined where it has none. */
export function withTable(
  readme: string,
  { machine, checks }: Pick<Report, 'machine' | 'checks'>,
  half: Half = 'render',
): string | undefined {
  const marker = MARKERS[half];
  const [before, , after] = readme.split(marker);
  if (before === undefined || after === undefined) return undefined;
  const versions = `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, helm ${machine.helm}`;
  const words = `On ${versions}; [${PAGES[half]}](${PAGES[half]}) has plots and samples, \`npm run bench\` measures them again.`;
  return `${before}${marker}\n\n${checkTable(checks)}\n\n${words}\n\n${marker}${after}`;
}

export async function updateReadme(
  path: URL,
  report: Pick<Report, 'machine' | 'checks'>,
  half: Half = 'render',
): Promise<boolean> {
  const text = withTable(await readFile(path, 'utf8'), report, half);
  if (text !== undefined) await writeFile(path, text);
  return text !== undefined;
}

export function checkTable(checks: readonly Check[]): string {
  const rows = checks.map((check) => {
    const { what, how } = check;
    return `| ${what} | ${how} | ${amount(check.value, check)} | ${amount(check.limit, check)} |`;
  });
  return ['| what | how | measured | at most |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function sampleTables(samples: Report['samples']): string {
  const rows = Object.entries(samples).flatMap(([group, programs]) =>
    Object.entries(programs)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => {
        const figures = [Math.min(...values), median(values), percentile(values, 95)].map((value) => value.toFixed(0));
        return `| ${group} | ${name} | ${values.length} | ${figures.join(' | ')} |`;
      }),
  );
  return [
    '| measurement | program | runs | least | median | p95 |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function amount(value: number, { unit }: Pick<Check, 'unit'>): string {
  return unit === '×' ? `${value.toFixed(2)} ×` : `${value.toFixed(0)} ${unit}`;
}
