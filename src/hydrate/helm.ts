/** A chart to a stream by `helm template`, from the app's folder as it is; only unvendored dependencies make a private copy. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Warning } from '../api/warning.ts';
import { UserError } from '../errors.ts';
import { run, type Ended } from './child.ts';
import { buildDependencies } from './dependencies.ts';
import { childEnvironment } from './environment.ts';
import { below, explainHelm, redactorFor } from './explain-helm.ts';
import { explainTool } from './explain-tool.ts';
import { assertParameterName, templateArguments } from './helm-arguments.ts';
import { assertOwnFiles } from './links.ts';
import { refuseNumberTags } from './number-tags.ts';
import { findFile, quote, type Place } from './place.ts';
import type { RenderRequest, Rendered } from './render.ts';
import type { HydrateContext, SourceOptions } from './source.ts';
import { checkUnreadKeys } from './unread-keys.ts';
import { expandPath, resolveValueFiles, type ValueFile } from './value-files.ts';
import { readValues, type ValuesTree } from './values-tree.ts';

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
  const [first, checked] = await Promise.all([rendering, check(request, valueFiles, refusal)]);
  refusal.signal.throwIfAborted();
  const built = missesDependencies(first) ? await buildDependencies(request) : undefined;
  const ended = built === undefined ? first : await template(built.folder);
  if (ended.exitCode !== 0) throw explain(ended, request, checked.values, inlineValues);
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

interface Checked {
  values: ValuesTree[];
  warnings: Warning[];
}

/** What helm would pass over in silence; looked for while helm works. Never rejects, so that helm is always awaited. */
async function check(
  { source, place }: RenderRequest,
  valueFiles: readonly ValueFile[],
  refusal: AbortController,
): Promise<Checked> {
  const checked: Checked = { values: [], warnings: [] };
  try {
    checked.values = await readAllValues(source, place, valueFiles);
    await assertOwnFiles(place.folder, place);
    refuseNumberTags(checked.values);
    checked.warnings = await checkUnreadKeys(place.folder, checked.values);
  } catch (error) {
    refusal.abort(error);
  }
  return checked;
}

async function readAllValues(
  { helm }: SourceOptions,
  place: Place,
  valueFiles: readonly ValueFile[],
): Promise<ValuesTree[]> {
  const own = await findFile('./values.yaml', place, 'values file');
  const local = valueFiles.filter((file) => !file.remote && file.path !== own);
  const files = own === undefined ? local : [{ shown: 'values.yaml', path: own }, ...local];
  const trees = await Promise.all(
    files.map(async ({ shown, path }) => readValues(shown, await readFile(path, 'utf8'))),
  );
  if (helm.values === undefined) return trees;
  const inline = typeof helm.values === 'string' ? helm.values : JSON.stringify(helm.values, null, 1);
  return [...trees, readValues('inline values', inline)];
}

/** A failed helm: the user's mistake unless the program itself could not do its work. */
function explain(ended: Ended, request: RenderRequest, values: ValuesTree[], inlineValues: string | undefined): Error {
  const { source, place, context } = request;
  const redact = redactorFor(source, values);
  const toolProblem = explainTool(context.helm ?? 'helm', ended, redact);
  if (toolProblem !== undefined) return toolProblem;
  const shown = (path: string): string =>
    path === inlineValues ? 'inline values' : below([place.folder, join(request.scratch, 'chart')], path);
  return explainHelm({ stderr: ended.stderr, source, values, redact, shown });
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
