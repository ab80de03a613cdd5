/** `prepuller generate`: what Argo CD calls. Settings, render, pullers, in this order. */
import type { Command } from 'commander';
import { lastCommit } from './checkout/last-commit.ts';
import { addPlanFlags } from './command.ts';
import type { Call, Result } from './command.ts';
import { ALL_TOPICS, parametersOf } from './config/parameters.ts';
import { readSettings } from './config/settings.ts';
import { hydrate } from './hydrate/hydrate.ts';
import { prepullOptions, sourceOptions } from './options.ts';
import { transformStream } from './transform-stream.ts';
import { addParameterFlags } from './parameter-flags.ts';

export function configure(command: Command): void {
  addPlanFlags(command);
  addParameterFlags(command, parametersOf(ALL_TOPICS));
  command.addHelpText(
    'after',
    '\nExample, in the folder of the app:\n  prepuller generate --value-files values.yaml --release-name hub --summary\n',
  );
}

export async function run({ flags, env, folder, signal, log }: Call): Promise<Result> {
  const settings = readSettings(flags, env);
  log.doing('rendering the app');
  const { timeLimitMs } = settings.operator;
  const source = sourceOptions(settings);
  const [{ stream, warnings }, commit] = await Promise.all([
    hydrate(source, folder, { env, signal, timeLimitMs }),
    lastCommit(folder, ['.', ...source.helm.valueFiles], signal),
  ]);
  log.doing('adding the pullers');
  const result = transformStream(stream, { ...prepullOptions(settings), ...(commit !== undefined && { commit }) });
  return { ...result, warnings: [...warnings, ...(result.warnings ?? [])] };
}
