/** What the cluster half comes to: budgets, the table of ours beside upstream's, plots, and the text of docs/benchmarks-cluster.md. */
import type { Check } from './budgets.ts';
import type { ClusterMeasured, Load } from './cluster.ts';
import { drawPlot } from './plot.ts';
import type { Line } from './plot.ts';
import { checkTable, machineLines } from './report.ts';
import type { Machine } from './report.ts';
import { median, percentile } from './statistics.ts';

const MEGABYTE = 1e6;

export interface ClusterReport {
  machine: Machine;
  load: [begin: number, end: number];
  checks: Check[];
  clusters: ClusterMeasured[];
  judge: Line;
}

/** Budgets are set for 5,000 and 15,000 nodes; smaller clusters are held to the nearest one above. */
export function checksOf(measured: ClusterMeasured): Check[] {
  const { nodes, ours, ready, storming, idling, memory, rounds } = measured;
  const large = nodes > 5_000;
  const check = (what: string, how: string, value: number, [limit, unit]: [number, string]): Check => ({
    what: `${what}, ${nodes} nodes`,
    how,
    value,
    limit,
    unit,
  });
  const checks = [
    check('last pod ready → condition', `p99 of ${rounds} rounds`, percentile(ours, 99), [large ? 250 : 100, 'ms']),
    check('patches in a storm', `all pods ready within ${storming.spread} ms`, storming.patches, [30, 'patches']),
    check('idle: writes but the Lease’s', `${measured.idle} s`, idling.writes, [0, 'writes']),
    check('idle: polls', `${measured.idle} s, requests but watches and the Lease’s`, idling.polls, [0, 'requests']),
  ];
  if (!large)
    checks.push(check('start → ready', 'slower of two, with one and two pullers', Math.max(...ready), [5_000, 'ms']));
  if (memory.length > 0) {
    checks.push(
      check('memory of the reconciler, two pullers', 'most ever resident', Math.max(...memory) / MEGABYTE, [250, 'MB']),
    );
  }
  return checks;
}

export function plotsOf({ clusters, judge }: ClusterReport): Record<string, string> {
  const line = (name: string, of: (one: ClusterMeasured) => number): Line => ({
    name,
    points: clusters.map((one) => ({ x: one.nodes, y: Math.max(1, of(one)) })),
  });
  const memory = line('reconciler', ({ memory: held }) => Math.max(1, ...held) / MEGABYTE);
  return {
    latency: drawPlot({
      title: 'From the last ready pod to the decision',
      x: 'nodes',
      y: 'ms',
      lines: [
        line('ours, median', ({ ours }) => median(ours)),
        line('ours, p99', ({ ours }) => percentile(ours, 99)),
        line('upstream, median', ({ upstreams }) => median(upstreams)),
        line('upstream, p99', ({ upstreams }) => percentile(upstreams, 99)),
      ],
    }),
    memory: drawPlot({ title: 'Memory of the reconciler, two pullers', x: 'nodes', y: 'MB', lines: [memory] }),
    judge: drawPlot({ title: 'The judge', x: 'nodes', y: 'ms', lines: [judge] }),
  };
}

/** The text of docs/benchmarks-cluster.md. */
export function printClusterReport(report: ClusterReport): string {
  return `# Benchmarks: the reconciler

\`npm run bench -- cluster\` measures all of this (\`--full\`: with 15,000 nodes), writes this page, and ends with 1 where a budget is
not met. Raw samples stay in \`bench/results/\`.

${machineLines(report)}

## Budgets

${checkTable(report.checks)}

The reconciler is the bundle in a process of its own. It talks HTTP to a simulated cluster in another process, on the same
machine: API server, DaemonSet controller, scheduler and kubelets share its time, as the load does. A moment counts when the API server
has the write: a pod's Ready, then the condition True. In a round one pod of a puller is made anew for a new generation, and all
others are done. In a storm every node pulls a new image and all end within ten seconds. Memory is \`VmHWM\`, over start, storm,
rounds and a restart with both pullers in place.

## Beside upstream

The chart's awaiter asks for the DaemonSet each second and compares ready pods to scheduled ones. Both watched the same pods in the same run.

${besideUpstream(report.clusters)}

![Time from the last ready pod to the decision](benchmarks-latency.svg)

![Memory of the reconciler](benchmarks-memory.svg)

![Time of the judge](benchmarks-judge.svg)

The dashed line is growth in step with the nodes. Upstream's awaiter reads one object a second and holds next to nothing: it sees three
numbers. The reconciler's bytes are the pods' changes, which name the node that is late and why; its requests do not grow with time.
`;
}

function besideUpstream(clusters: readonly ClusterMeasured[]): string {
  const rows = clusters.map(({ nodes, ours, upstreams, storming, idling }) => {
    const times = [median(ours), percentile(ours, 99), median(upstreams), percentile(upstreams, 99)];
    const storm = `${storming.ours} / ${storming.upstreams}`;
    const loads = [storming.load.ours, storming.load.upstreams, idling.load].map(printLoad);
    return `| ${[nodes, ...times.map((time) => time.toFixed(0)), storm, storming.patches, ...loads].join(' | ')} |`;
  });
  return [
    '| nodes | ours, median ms | ours, p99 | upstream, median | upstream, p99 | storm: ours / upstream | patches | a minute of pulling: ours | upstream | a minute idle: ours |',
    `|${' --- |'.repeat(10)}`,
    ...rows,
  ].join('\n');
}

function printLoad({ requests, bytes }: Load): string {
  return `${requests.toFixed(0)} requests, ${(bytes / MEGABYTE).toFixed(2)} MB`;
}
