/** `prepuller images`: what would be pulled, each image with the places it comes from, and what was left out and why. */
import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Warning } from './api/warning.ts';
import { addVerboseFlag } from './command.ts';
import type { Call, Result } from './command.ts';
import { parametersOf } from './config/parameters.ts';
import { PULL_PARAMETERS } from './config/pull-parameters.ts';
import { readSettings } from './config/settings.ts';
import type { Settings } from './config/settings.ts';
import { UsageError, UserError } from './errors.ts';
import { hydrate } from './hydrate/hydrate.ts';
import { reportOf } from './image-list.ts';
import { imagesSince } from './images-since.ts';
import { objectsIn } from './manifest/edit.ts';
import { readStream } from './manifest/stream.ts';
import { sourceOptions } from './options.ts';
import { reportAsText } from './prepull/images-report.ts';
import { NOTHING_TO_PULL } from './prepull/transform.ts';
import { addParameterFlags } from './parameter-flags.ts';

export function configure(command: Command): void {
  const { images, profileImages } = PULL_PARAMETERS;
  addVerboseFlag(command);
  command
    .option('--from <file>', 'a rendered stream instead of the app in the working directory; - is standard input')
    .option('--since <revision>', 'only what was added and removed from that commit to HEAD; nothing is checked out')
    .addOption(
      new Option('-o, --output <format>', 'form of the list; markdown goes with --since')
        .choices(['text', 'json', 'markdown'])
        .default('text'),
    );
  addParameterFlags(command, [images, profileImages, ...parametersOf(['source', 'helm', 'kustomize'])]);
  command.addHelpText(
    'after',
    '\nExample:\n  helm template hub jupyterhub/jupyterhub -f values.yaml | prepuller images --from - -o json\n',
  );
}

export async function run(call: Call): Promise<Result> {
  const { since, from, output } = call.options;
  if (since !== undefined && from !== undefined) throw new UsageError('--since and --from exclude each other');
  if (since === undefined && output === 'markdown') throw new UsageError('--output markdown goes with --since');
  const settings = readSettings(call.flags, call.env);
  if (typeof since === 'string') return imagesSince(since, settings, call);
  const { stream, warnings } = await readSource(settings, call);
  call.log.doing('looking for images');
  const objects = objectsIn(readStream(stream));
  if (objects.length === 0) throw new UserError('the stream holds no objects: nothing was rendered');
  const found = reportOf(objects, settings);
  const nothing = found.images.length + found.skipped.length === 0 ? [NOTHING_TO_PULL] : [];
  const report = { ...found, warnings: [...warnings, ...found.warnings, ...nothing] };
  if (output === 'json') return { stdout: `${JSON.stringify(report, undefined, 2)}\n` };
  return { stdout: reportAsText(report), warnings: report.warnings };
}

async function readSource(settings: Settings, call: Call): Promise<{ stream: Uint8Array; warnings: Warning[] }> {
  const { env, folder, signal, log, options } = call;
  if (typeof options.from !== 'string') {
    log.doing('rendering the app');
    return hydrate(sourceOptions(settings), folder, { env, signal, timeLimitMs: settings.operator.timeLimitMs });
  }
  log.doing('reading the stream');
  const stream = options.from === '-' ? await call.readStdin() : await readNamed(options.from, signal);
  return { stream, warnings: [] };
}

async function readNamed(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readFile(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(
      `--from: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
}
