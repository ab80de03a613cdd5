/** `prepuller transform`: a rendered stream on stdin, the same with pullers on stdout. */
import type { Command } from 'commander';
import { addPlanFlags } from './command.ts';
import type { Call, Result } from './command.ts';
import { parametersOf } from './config/parameters.ts';
import { readSettings } from './config/settings.ts';
import { SOURCE_PARAMETERS } from './config/source-parameters.ts';
import { prepullOptions } from './options.ts';
import { transformStream } from './transform-stream.ts';
import { addParameterFlags } from './parameter-flags.ts';

export function configure(command: Command): void {
  const { releaseName, namespace } = SOURCE_PARAMETERS;
  addPlanFlags(command);
  addParameterFlags(command, [...parametersOf(['pull', 'policy']), releaseName, namespace]);
  command.addHelpText(
    'after',
    '\nExample:\n  helm template hub jupyterhub/jupyterhub | prepuller transform --gate wave\n',
  );
}

export async function run(call: Call): Promise<Result> {
  const settings = readSettings(call.flags, call.env);
  call.log.doing('reading standard input');
  const stream = await call.readStdin();
  call.log.doing('adding the pullers');
  return transformStream(stream, prepullOptions(settings));
}
