/**
 * A chart to a stream by `helm template`, from the app's folder as it is; only unvendored dependencies make a private copy.
 * Helm begins first: what it does not need is loaded while it works, and what few renders need only then.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Warning } from '../api/warning.ts';
import { UserError } from '../errors.ts';
import { run, type Ended } from './child.ts';
import { childEnvironment } from './environment.ts';
import { assertParameterName, templateArguments } from './helm-arguments.ts';
import { findFile, quote, type Place } from './place.ts';
import type { RenderRequest, Rendered } from './render.ts';
import type { HydrateContext, SourceOptions } from './source.ts';
import { expandPath, resolveValueFiles } from './value-files.ts';

/** Throws UserError in words of the chart's files when helm refuses them. */
export async function renderHelm(request: RenderRequest): Promise<Rendered> {
  const { source, place, scratch, context } = request;
  const valueFiles = await resolveValueFiles(source.helm, place, context.env);
  const inlineValues = await writeInlineValues(source.helm.values, scratch);
  const files = {
    valueFiles: valueFiles.map((file) => file.path),
    ...(inlineValues === undefined ? {} : { inlineValues }),
    fileParameters: await resolveFileParameters(source, place, context),
  };
  const args = templateArguments(source, files, context.env);
  const env = childEnvironment(context.env, scratch);
  // Helm waits for ever on a FIFO that the check refuses: what is found ends it.
  const refusal = new AbortController();
  const signal = AbortSignal.any([context.signal, refusal.signal]);
  const template = (folder: string): Promise<Ended> =>
    run({ program: context.helm ?? 'helm', args, folder, env, signal });
  const rendering = template(place.folder);
  context.began?.();
  const [first, checked] = await Promise.all([
    rendering,
    import('./helm-check.ts').then(({ checkChart }) => checkChart(request, valueFiles, refusal)),
  ]);
  refusal.signal.throwIfAborted();
  const built = missesDependencies(first)
    ? await (await import('./dependencies.ts')).buildDependencies(request)
    : undefined;
  const ended = built === undefined ? first : await template(built.folder);
  if (ended.exitCode !== 0) {
    const { explainFailure } = await import('./helm-failure.ts');
    throw explainFailure(ended, request, checked.values, inlineValues);
  }
  const warnings = [...checked.warnings, ...(built?.warnings ?? []), ...helmWarnings(ended.stderr)];
  return { stream: ended.stdout, warnings };
}

/** Values that helm dropped or replaced without failing; its own lines would show them. */
function helmWarnings(stderr: string): Warning[] {
  const lines = stderr.matchAll(/cannot overwrite table with non.table for (\S+)|destination for (\S+) is a table/g);
  const keys = new Set([...lines].map((match) => match[1] ?? match[2] ?? ''));
  return [...keys].map((key) => ({
    message: 'a value and a mapping stand under one key: one of them is ignored',
    fields: { key },
  }));
}

/** As Argo CD tells it: by what helm says. */
function missesDependencies(ended: Ended): boolean {
  return ended.exitCode === 1 && /found in (Chart|requirements)\.yaml, but missing in charts/.test(ended.stderr);
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
