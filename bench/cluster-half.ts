/** The cluster half of `npm run bench`: each size in turn, then the judge; writes samples, page, plots and the README's table. */
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import type { Check } from './budgets.ts';
import { checksOf, plotsOf, printClusterReport } from './cluster-report.ts';
import type { ClusterReport } from './cluster-report.ts';
import { measureCluster } from './cluster.ts';
import type { ClusterMeasured, Plan } from './cluster.ts';
import { measureJudge } from './judge.ts';
import { describeMachine } from './machine.ts';
import { updateReadme } from './report.ts';

const SIZES = [100, 1_000, 5_000];
const LARGEST = 15_000;
/** A p99 is the largest of so few rounds. */
const PLAN: Omit<Plan, 'nodes'> = { rounds: 20, storm: 10, idle: 10 };
const JUDGED = 50;

/** `full` adds the largest cluster, which takes two minutes more. Resolves to what was checked, when everything is written. */
export async function runClusterHalf(root: URL, scratch: string, full: boolean): Promise<Check[]> {
  const begin = loadavg()[0] ?? 0;
  const judged = measureJudge(JUDGED);
  const clusters: ClusterMeasured[] = [];
  for (const nodes of full ? [...SIZES, LARGEST] : SIZES) {
    clusters.push(await measureCluster({ ...PLAN, nodes }, scratch));
    console.error(`${nodes} nodes are measured`);
  }
  const report: ClusterReport = {
    machine: await describeMachine(),
    load: [begin, loadavg()[0] ?? 0],
    checks: [...clusters.flatMap(checksOf), ...judged.checks],
    clusters,
    judge: judged.line,
  };
  const results = new URL('bench/results/', root);
  await mkdir(results, { recursive: true });
  const time = new Date().toISOString().replaceAll(':', '-');
  const samples = { ...report, judged: judged.samples };
  await writeFile(new URL(`${time}-cluster.json`, results), JSON.stringify(samples, null, 1));
  for (const [name, plot] of Object.entries(plotsOf(report))) {
    await writeFile(new URL(`docs/benchmarks-${name}.svg`, root), plot);
  }
  await writeFile(new URL('docs/benchmarks-cluster.md', root), printClusterReport(report));
  const large = { ...report, checks: [...clusters.filter(isLarge).flatMap(checksOf), ...judged.checks] };
  await updateReadme(new URL('README.md', root), large, 'cluster');
  return report.checks;
}

/** The README shows what budgets are named for. */
function isLarge({ nodes }: ClusterMeasured): boolean {
  return nodes >= 5_000;
}
