/** The web half of `npm run bench`: page and event stream at 5,000 nodes; writes samples, page and the README's table. */
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import type { Check } from './budgets.ts';
import { describeMachine } from './machine.ts';
import { checkTable, machineLines, updateReadme } from './report.ts';
import type { Report } from './report.ts';
import { median, percentile } from './statistics.ts';
import { measureWeb } from './web.ts';
import type { WebMeasured, WebPlan } from './web.ts';

const PLAN: WebPlan = { nodes: 5_000, clients: 200, rounds: 20, renders: 40 };
const MEGABYTE = 1e6;

/** What the reconciler may take from a pod's Ready to the condition, milliseconds: nothing the page does may hold it up longer. */
const BUDGET = 100;

/** `nodes` for a small try. Resolves to what was checked, when everything is written. */
export async function runWebHalf(root: URL, scratch: string, nodes: number = PLAN.nodes): Promise<Check[]> {
  const begin = loadavg()[0] ?? 0;
  const measured = await measureWeb({ ...PLAN, nodes }, scratch);
  const checks = checksOf(measured);
  const report = {
    machine: await describeMachine(),
    load: [begin, loadavg()[0] ?? 0] satisfies Report['load'],
    checks,
    measured,
  };
  const results = new URL('bench/results/', root);
  await mkdir(results, { recursive: true });
  const time = new Date().toISOString().replaceAll(':', '-');
  await writeFile(new URL(`${time}-web.json`, results), JSON.stringify(report, null, 1));
  // A small try is no figure to publish.
  if (nodes !== PLAN.nodes) return checks;
  await writeFile(new URL('docs/benchmarks-web.md', root), printWebReport(report));
  await updateReadme(new URL('README.md', root), report, 'web');
  return checks;
}

function checksOf({ nodes, clients, rounds, ...measured }: WebMeasured): Check[] {
  const { alone, listened, spreads, dropped, pages, memory } = measured;
  const size = `${nodes} nodes`;
  return [
    {
      what: `last pod ready → condition, ${clients} clients connected, ${size}`,
      how: `p99 of ${rounds} rounds; without clients ${percentile(alone, 99).toFixed(0)} ms`,
      value: percentile(listened, 99),
      limit: BUDGET,
      unit: 'ms',
    },
    {
      what: `an event at the last of ${clients} clients after the first, ${size}`,
      how: `p99 of ${spreads.length} events`,
      value: percentile(spreads, 99),
      limit: BUDGET,
      unit: 'ms',
    },
    { what: `clients dropped, ${size}`, how: 'all of them read', value: dropped, limit: 0, unit: 'clients' },
    {
      what: `page of one pull with ${size}`,
      how: `p95 of ${pages.length}, the way there and back included`,
      value: percentile(pages, 95),
      limit: BUDGET,
      unit: 'ms',
    },
    ...(memory === undefined
      ? []
      : [
          {
            what: `memory with all clients, ${size}`,
            how: 'most ever resident',
            value: memory / MEGABYTE,
            limit: 250,
            unit: 'MB',
          },
        ]),
  ];
}

function printWebReport({
  machine,
  load,
  checks,
  measured,
}: Omit<Report, 'growth' | 'samples'> & { measured: WebMeasured }): string {
  const { alone, listened, spreads, pages, probes, pageBytes, clients } = measured;
  const row = (name: string, values: readonly number[]): string =>
    `| ${[name, values.length, ...[median(values), percentile(values, 95), percentile(values, 99)].map((one) => one.toFixed(0))].join(' | ')} |`;
  return `# Benchmarks: the page

\`npm run bench -- web\` measures all of this, writes this page and the table in the README, and ends with 1 where a budget is not met. Raw
samples stay in \`bench/results/\`.

${machineLines({ machine, load })}

## Budgets

${checkTable(checks)}

The page stands in the reconciler's process, so that its budget is the reconciler's: nothing it does may hold a verdict up longer than
that. The reconciler is the bundle in a process of its own, open to all; simulated cluster and clients are on the same machine. In a round
one pod of a puller is made anew for a new generation; the rounds with clients follow those without in the same run. An event goes out
up to half a second after the verdict, on purpose: verdicts come first.

## Samples

| milliseconds | runs | median | p95 | p99 |
| --- | --- | --- | --- | --- |
${[row('condition, nobody listens', alone), row(`condition, ${clients} clients`, listened), row('event, last client after first', spreads), row('page', pages), row('probe, for comparison', probes)].join('\n')}

With ${clients} clients the median to the condition is ${ratio(median(listened), median(alone))} times that without. The page is ${(pageBytes / MEGABYTE).toFixed(1)} MB before compression.
`;
}

function ratio(one: number, other: number): string {
  return (one / Math.max(1, other)).toFixed(1);
}
