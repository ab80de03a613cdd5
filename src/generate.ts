/** `prepuller generate`: what Argo CD calls. Settings, render, pullers, in this order. */
import type { Command } from 'commander';
import { addPlanFlags } from './command.ts';
import type { Call, Result } from './command.ts';
import { ALL_TOPICS, parametersOf } from './config/parameters.ts';
import { readSettings } from './config/settings.ts';
import { hydrate } from './hydrate/hydrate.ts';
import { prepullOptions, sourceOptions } from './options.ts';
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
  // Helm takes most of the time, so it begins first: what it does not need is loaded while it works.
  const { promise: began, resolve } = Promise.withResolvers<undefined>();
  const rendering = hydrate(source, folder, {
    env,
    signal,
    timeLimitMs,
    began: () => {
      resolve(undefined);
    },
  });
  await Promise.race([began, rendering]);
  const [{ stream, warnings }, commit, { transformStream }] = await Promise.all([
    rendering,
    import('./checkout/last-commit.ts').then(({ lastCommit }) =>
      lastCommit(folder, ['.', ...source.helm.valueFiles], signal),
    ),
    import('./transform-stream.ts'),
  ]);
  log.doing('adding the pullers');
  const result = transformStream(stream, { ...prepullOptions(settings), ...(commit !== undefined && { commit }) });
  return { ...result, warnings: [...warnings, ...(result.warnings ?? [])] };
}
