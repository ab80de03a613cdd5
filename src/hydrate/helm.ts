/** A chart to a stream by `helm template`, from the app's folder as it is; only unvendored dependencies make a private copy. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError, UserError } from '../errors.ts';
import { run, type Ended } from './child.ts';
import { childEnvironment } from './environment.ts';
import { assertParameterName, templateArguments } from './helm-arguments.ts';
import { findFile, quote, type Place } from './place.ts';
import type { RenderRequest, Rendered } from './render.ts';
import type { HydrateContext, SourceOptions } from './source.ts';
import { expandPath, resolveValueFiles } from './value-files.ts';

/** Throws UserError in words of the chart's files when helm refuses them. */
export async function renderHelm({ source, place, scratch, context }: RenderRequest): Promise<Rendered> {
  const valueFiles = await resolveValueFiles(source.helm, place, context.env);
  const inlineValues = await writeInlineValues(source.helm.values, scratch);
  const args = templateArguments(
    source,
    {
      valueFiles: valueFiles.map((file) => file.path),
      ...(inlineValues === undefined ? {} : { inlineValues }),
      fileParameters: await resolveFileParameters(source, place, context),
    },
    context.env,
  );
  const program = context.helm ?? 'helm';
  const env = childEnvironment(context.env, scratch);
  const ended: Ended = await run({ program, args, folder: place.folder, env, signal: context.signal });
  if (ended.exitCode !== 0) {
    throw new ToolError('helm failed', { command: [program, 'template'], stderr: ended.stderr });
  }
  return { stream: ended.stdout, warnings: [] };
}

/** Inline values reach helm through a file of this call alone: a command line can be read by every process. */
async function writeInlineValues(
  values: SourceOptions['helm']['values'],
  scratch: string,
): Promise<string | undefined> {
  if (values === undefined || values === '') return undefined;
  const path = join(scratch, 'values.yaml');
  await writeFile(path, typeof values === 'string' ? values : JSON.stringify(values), { mode: 0o600 });
  return path;
}

async function resolveFileParameters(
  source: SourceOptions,
  place: Place,
  context: HydrateContext,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { name, path } of source.helm.fileParameters) {
    assertParameterName(name, 'file-parameters');
    const written = expandPath(path, context.env, 'file parameter');
    const real = await findFile(written, place, 'file parameter');
    if (real === undefined) throw new UserError(`file parameter ${quote(name)}: ${quote(written)} does not exist`);
    files.set(name, real);
  }
  return files;
}
