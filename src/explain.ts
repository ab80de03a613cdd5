/** `prepuller explain`: the verdict of pullers in a saved list, node by node. It exits 0 whatever it finds. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { readPolicy } from './api/policy.ts';
import type { Warning } from './api/warning.ts';
import { addVerboseFlag } from './command.ts';
import type { Call, Result } from './command.ts';
import { UsageError } from './errors.ts';
import { readSavedObjects } from './saved-objects.ts';
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
    .option('--now <time>', 'judge as of this time, such as 2026-01-10T12:00:00Z, instead of the present')
    .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'));
  const example =
    '  kubectl get ds,pods,nodes,events -A -o json > list.json\n  prepuller explain --from list.json --now 2026-01-10T12:00:00Z\n';
  command.addHelpText('after', `\nExample:\n${example}`);
}

export async function run(call: Call): Promise<Result> {
  const { args, options, log } = call;
  const files = options.from as readonly string[] | undefined;
  if (files === undefined)
    throw new UsageError('--from is missing: the file with a saved list, or - for standard input');
  const now = readTime(options.now);
  log.doing('reading the list');
  const list = readSavedList(await readSavedObjects(files, call));
  log.doing('judging');
  const judged = choosePullers(list.daemonSets, args).map((daemonSet) => explain(list, daemonSet, now));
  const pullers = judged.map(({ puller }) => puller);
  const warnings = [...absences(list), ...judged.flatMap(({ warnings: own }) => own)];
  return { stdout: options.output === 'json' ? explanationAsJson(pullers) : explanationAsText(pullers), warnings };
}

function explain(list: SavedList, daemonSet: DaemonSet, now: Date): { puller: Explained; warnings: Warning[] } {
  const { namespace, name, annotations } = daemonSet;
  const { policy, problems } = readPolicy(Object.fromEntries(annotations));
  const verdict = judge(snapshotFrom(list, daemonSet, now), policy, now);
  const message = 'a policy annotation is not understood; its default is used';
  const warnings = problems.map((problem) => ({ message, fields: { puller: `${namespace}/${name}`, problem } }));
  return { puller: { namespace, name, verdict }, warnings };
}

function absences({ nodes, events }: SavedList): Warning[] {
  const absent = (kind: string, unknown: string): Warning => ({
    message: 'the list lacks objects',
    fields: { kind, unknown },
  });
  return [
    ...(nodes.length === 0
      ? [absent('Node', 'which nodes are not ready, leaving, late or unable to run the images')]
      : []),
    ...(events.length === 0
      ? [absent('Event', 'causes that stand nowhere else: hidden pull errors, refused pods')]
      : []),
  ];
}

function readTime(text: unknown): Date {
  if (text === undefined) return new Date();
  const time =
    typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new UsageError('--now takes a time such as 2026-01-10T12:00:00Z');
  return new Date(time);
}
