/** `prepuller explain`: the verdict of pullers, of a cluster or in a saved list, node by node. It exits 0 whatever it finds. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { readPolicy } from './api/policy.ts';
import type { Warning } from './api/warning.ts';
import { addVerboseFlag } from './command.ts';
import type { Call, Result } from './command.ts';
import { CLUSTER_PARAMETERS } from './config/controller-parameters.ts';
import { UsageError } from './errors.ts';
import type * as Cluster from './explain-cluster.ts';
import { addParameterFlags } from './parameter-flags.ts';
import { absences, readSavedObjects } from './saved-objects.ts';
import { explanationAsJson, explanationAsText, type Explained } from './verdict/explanation.ts';
import { judge } from './verdict/judge.ts';
import { readSavedList, snapshotFrom, type SavedList } from './verdict/saved-list.ts';
import { choosePullers } from './verdict/which-pullers.ts';
import type { DaemonSet } from './verdict/snapshot.ts';

export function configure(command: Command): void {
  addVerboseFlag(command);
  const collect = (file: string, earlier: readonly string[] | undefined): string[] => [...(earlier ?? []), file];
  command
    .argument('[names...]', 'DaemonSets to explain, NAME or NAMESPACE/NAME; without names all that carry our label')
    .addOption(
      new Option('--from <file>', 'a saved list, JSON or YAML; - is standard input; may be repeated').argParser(
        collect,
      ),
    )
    .option('--namespace <name>', 'without --from: only this namespace')
    .option('--watch', 'without --from: go on, and show each change, until a signal ends it')
    .option('--now <time>', 'judge as of this time, such as 2026-01-10T12:00:00Z, instead of the present')
    .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'));
  addParameterFlags(command, Object.values(CLUSTER_PARAMETERS));
  const example =
    '  kubectl get ds,pods,nodes,events -A -o json > list.json\n  prepuller explain --from list.json --now 2026-01-10T12:00:00Z\n';
  command.addHelpText('after', `\nReads the cluster without --from. Exits 0 whatever it finds. Example:\n${example}`);
}

export async function run(call: Call): Promise<Result> {
  const { args, options, log } = call;
  if (options.watch === true) {
    if (options.from !== undefined) throw new UsageError('--watch and --from exclude each other');
    return (await cluster()).watchCluster(call);
  }
  const now = readTime(options.now);
  log.doing('reading');
  const list = readSavedList(await readObjectsFor(call));
  log.doing('judging');
  const judged = choosePullers(list.daemonSets, args).map((daemonSet) => explain(list, daemonSet, now));
  const pullers = judged.map(({ puller }) => puller);
  const warnings = [...absences(list, args), ...judged.flatMap(({ warnings: own }) => own)];
  return { stdout: options.output === 'json' ? explanationAsJson(pullers) : explanationAsText(pullers), warnings };
}

async function readObjectsFor(call: Call): Promise<unknown[]> {
  const files = call.options.from as readonly string[] | undefined;
  return files === undefined ? (await cluster()).readCluster(call) : readSavedObjects(files, call);
}

/** The cluster's client takes long to load, and a saved list needs none. */
const cluster = (): Promise<typeof Cluster> => import('./explain-cluster.ts');

function explain(list: SavedList, daemonSet: DaemonSet, now: Date): { puller: Explained; warnings: Warning[] } {
  const { namespace, name, annotations } = daemonSet;
  const { policy, problems } = readPolicy(Object.fromEntries(annotations));
  const verdict = judge(snapshotFrom(list, daemonSet, now), policy, now);
  const message = 'a policy annotation is not understood; its default is used';
  const warnings = problems.map((problem) => ({ message, fields: { puller: `${namespace}/${name}`, problem } }));
  return { puller: { namespace, name, verdict }, warnings };
}

function readTime(text: unknown): Date {
  if (text === undefined) return new Date();
  const time =
    typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new UsageError('--now takes a time such as 2026-01-10T12:00:00Z');
  return new Date(time);
}
