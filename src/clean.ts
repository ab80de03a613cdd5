/** `prepuller clean`: lists what hooks left behind and removes it, after asking; what a running sync may need is kept. */
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import { CLUSTER_PARAMETERS } from './config/controller-parameters.ts';
import { readClusterSettings } from './config/controller-settings.ts';
import { printable } from './log.ts';
import { addParameterFlags } from './parameter-flags.ts';
import { connect } from './watch/kube-client.ts';
import { findLeftovers, removeLeftover } from './watch/leftovers.ts';
import type { Leftover } from './watch/leftovers.ts';

export function configure(command: Command): void {
  command
    .option('--namespace <name>', 'only this namespace, and nothing cluster-scoped; without it everywhere')
    .option('--yes', 'remove without asking');
  addParameterFlags(command, Object.values(CLUSTER_PARAMETERS));
  command.addHelpText('after', '\nExample:\n  prepuller clean --namespace hub\n');
}

export async function run({ flags, env, options, signal, terminal, log }: Call): Promise<Result> {
  const { client } = connect(readClusterSettings(flags, env));
  log.doing('looking for what hooks left behind');
  const namespace = typeof options.namespace === 'string' ? options.namespace : undefined;
  const { leftovers, unread } = await findLeftovers(client, namespace, signal);
  const warnings = unread.map((collection) => ({
    message: 'may not be read, so nothing of it is removed',
    fields: { collection },
  }));
  const kept = leftovers.filter((leftover) => leftover.kept !== undefined);
  const doomed = leftovers.filter((leftover) => leftover.kept === undefined);
  const keptLines = kept.map((leftover) => `kept ${titleOf(leftover)}: ${leftover.kept ?? ''}`);
  if (doomed.length === 0) return { stdout: lines([...keptLines, 'nothing to remove']), warnings };
  for (const leftover of doomed) terminal.say(`left behind: ${titleOf(leftover)}`);
  if (options.yes !== true && !/^y(es)?$/i.test((await terminal.ask(`Remove ${doomed.length}? [y/N]`)).trim()))
    return { stdout: lines([...keptLines, 'nothing was removed']), warnings };
  const removed: string[] = [];
  for (const leftover of doomed) {
    log.doing(`removing ${titleOf(leftover)}`);
    const wasThere = await removeLeftover(client, leftover, signal);
    removed.push(`${wasThere ? 'removed' : 'gone already:'} ${titleOf(leftover)}`);
  }
  return { stdout: lines([...keptLines, ...removed]), warnings };
}

function titleOf({ collection, namespace, name, app }: Leftover): string {
  const owner = app === '' ? '' : ` (application ${app})`;
  return printable(`${collection} ${namespace === '' ? '' : `${namespace}/`}${name}${owner}`);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
