/** Where the latency suite puts its figures: docs/benchmarks-testbed.md, and one row of the README between its markers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, percentile } from '../../bench/statistics.ts';
import { ranOn } from '../../scripts/ran-on.mjs';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/benchmarks-testbed.md';
const MARKER = '<!-- bench testbed -->';

export interface Latency {
  nodes: number;
  /** Milliseconds, round by round. */
  took: readonly number[];
  /** The machine's load when the rounds began and ended. */
  load: [begin: number, end: number];
}

function table({ nodes, took }: Latency): string {
  const what = `last pod ready → condition, ${nodes} nodes, real control plane`;
  const row = [what, `${took.length} rounds`, `${median(took)} ms`, `${percentile(took, 99)} ms`];
  return `| what | how | median | p99 |\n| --- | --- | --- | --- |\n| ${row.join(' | ')} |`;
}

/** The text of docs/benchmarks-testbed.md. */
export function printLatency(latency: Latency): string {
  const [begin, end] = latency.load.map((one) => one.toFixed(1));
  return `# Benchmarks: a real control plane

\`PREPULLER_NIGHTLY=1 npm run e2e -- latency\` measures this and writes the page. No budget is held to it: etcd, API server, controllers,
scheduler and ${latency.nodes} scripted nodes share the machine with the reconciler.

- ${ranOn()}
- Load ${begin} at the beginning, ${end} at the end.

${table(latency)}

In a round every node pulls an image that none has. A moment counts when the API server has answered the write, by its own audit log:
the last node's word on its pod before the verdict, then the verdict.

Round by round, ms: ${latency.took.join(' ')}.
`;
}

export function publish(latency: Latency): void {
  writeFileSync(join(ROOT, PAGE), printLatency(latency));
  const path = join(ROOT, 'README.md');
  const [before, , after] = readFileSync(path, 'utf8').split(MARKER);
  if (before === undefined || after === undefined) throw new Error(`the README has no pair of ${MARKER}`);
  const words = `How: [${PAGE}](${PAGE}).`;
  writeFileSync(path, `${before}${MARKER}\n\n${table(latency)}\n\n${words}\n\n${MARKER}${after}`);
}
