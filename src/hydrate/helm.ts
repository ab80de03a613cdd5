/** A chart to a stream by `helm template`, from the app's folder as it is; only unvendored dependencies make a private copy. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError, UserError } from '../errors.ts';
import { run, type Ended } from './child.ts';
import { childEnvironment } from './environment.ts';
import { below, explainHelm, redactorFor } from './explain-helm.ts';
import { assertParameterName, templateArguments } from './helm-arguments.ts';
import { assertLinksStayInside } from './links.ts';
import { findNumberTags } from './number-tags.ts';
import { findFile, quote, type Place } from './place.ts';
import type { RenderRequest, Rendered } from './render.ts';
import type { HydrateContext, SourceOptions, Warning } from './source.ts';
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
  const rendering = run({ program: context.helm ?? 'helm', args, folder: place.folder, env, signal: context.signal });
  const checking = check(request, valueFiles);
  const [ended, checked] = await Promise.all([rendering, checking]);
  if (checked.problem !== undefined) throw checked.problem;
  if (ended.exitCode !== 0) throw explain(ended, request, checked.values, inlineValues);
  return { stream: ended.stdout, warnings: checked.warnings };
}

interface Checked {
  values: ValuesTree[];
  warnings: Warning[];
  problem?: Error;
}

/** What helm would pass over in silence; looked for while helm works. Never rejects, so that helm is always awaited. */
async function check({ source, place }: RenderRequest, valueFiles: readonly ValueFile[]): Promise<Checked> {
  const checked: Checked = { values: [], warnings: [] };
  try {
    checked.values = await readAllValues(source, place, valueFiles);
    await assertLinksStayInside(place);
    refuseNumberTags(checked.values);
    checked.warnings = await checkUnreadKeys(place.folder, checked.values);
  } catch (error) {
    checked.problem = error as Error;
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

function refuseNumberTags(values: readonly ValuesTree[]): void {
  const [first, ...more] = values.flatMap(findNumberTags);
  if (first === undefined) return;
  const sentence = ({ shown, line, key, written, printed }: typeof first): string =>
    `${shown} line ${String(line)}: ${key} ${written} is a number to YAML and would be pulled as ${printed}: ` +
    `quote the tag ("${written}")`;
  throw new UserError([first, ...more].map(sentence).join('\n'));
}

/** A failed helm: the user's mistake unless the program itself could not do its work. */
function explain(ended: Ended, request: RenderRequest, values: ValuesTree[], inlineValues: string | undefined): Error {
  const { source, place, context } = request;
  const redact = redactorFor(source, values);
  const toolProblem = explainTool(context.helm ?? 'helm', ended, redact);
  if (toolProblem !== undefined) return toolProblem;
  const shown = (path: string): string => (path === inlineValues ? 'inline values' : below(place.folder, path));
  return explainHelm({ stderr: ended.stderr, source, values, redact, shown });
}

/** A program that was not found, was stopped for flooding, or died. Shared by everything that is spawned. */
export function explainTool(program: string, ended: Ended, redact: (text: string) => string): ToolError | undefined {
  const failure = {
    command: [program],
    stderr: redact(ended.stderr).slice(-4096),
    ...(ended.exitCode === undefined ? {} : { exitCode: ended.exitCode }),
    ...(ended.signal === undefined ? {} : { signal: ended.signal }),
  };
  if (ended.spawnError?.code === 'ENOENT') return new ToolError(`${program} was not found: put it on PATH`, failure);
  if (ended.spawnError !== undefined) {
    return new ToolError(`${program} could not be started (${ended.spawnError.code ?? 'unknown error'})`, failure);
  }
  if (ended.flood !== undefined) {
    return new ToolError(`${program} wrote without end to ${ended.flood} and was stopped`, failure);
  }
  if (ended.signal !== undefined) return new ToolError(`${program} was ended by ${ended.signal}`, failure);
  return undefined;
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
