/**
 * A kustomization to a stream by `kustomize build`, load restrictions kept. In place when nothing is to be changed;
 * Argo CD's options, and charts that kustomize would unpack beside the sources, make a private copy of what is read.
 */
import { cp, lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { run } from './child.ts';
import { childEnvironment } from './environment.ts';
import { explainKustomize } from './explain-kustomize.ts';
import { explainTool } from './explain-tool.ts';
import { apiVersions, plainKubeVersion } from './helm-arguments.ts';
import { chartHome, helmChartsOf, isFields, reachKustomizations, texts, type Kustomization } from './kustomization.ts';
import { appendPatches, componentEdits, editsBeforePatches } from './kustomize-edits.ts';
import { assertOwnFiles } from './links.ts';
import { refuseNumberTags } from './number-tags.ts';
import { isInside, quote, readRegularFile, type Place } from './place.ts';
import type { RenderRequest, Rendered } from './render.ts';
import type { KustomizeOptions } from './source.ts';
import { readValues, type ValuesTree } from './values-tree.ts';

/** Throws UserError in words of the user's files when kustomize, or helm below it, refuses them. */
export async function renderKustomize(request: RenderRequest): Promise<Rendered> {
  const { source, place, context } = request;
  const options = { ...source.kustomize, components: await presentComponents(source.kustomize, place) };
  await assertOwnFiles(place.folder, place);
  const reached = await reachKustomizations(place, options.components);
  if (reached[0]?.folder !== place.folder) throw new UserError("the application's path has no kustomization.yaml");
  for (const { folder } of reached.slice(1)) await assertOwnFiles(folder, place);
  const charts = helmChartsOf(reached);
  refuseNumberTags(await chartValues(reached));
  const edits = editsBeforePatches(options, context.env);
  const last = componentEdits(options.components);
  const untouched = edits.length + last.length + options.patches.length + charts.length === 0;
  const built: Place = untouched ? place : await copyReached(reached, request);
  for (const args of edits) await kustomize(args, built, request, reached);
  await appendPatches(built, options.patches);
  for (const args of last) await kustomize(args, built, request, reached);
  const helm = charts.length === 0 ? [] : helmFlags(request);
  return { stream: await kustomize(['build', '.', ...helm], built, request, reached), warnings: [] };
}

async function kustomize(
  args: readonly string[],
  built: Place,
  { source, place, scratch, context }: RenderRequest,
  reached: readonly Kustomization[],
): Promise<Buffer> {
  const program = context.kustomize ?? 'kustomize';
  const env = childEnvironment(context.env, scratch);
  const rendering = run({ program, args, folder: built.folder, env, signal: context.signal });
  context.began?.();
  const ended = await rendering;
  const toolProblem = explainTool(program, ended);
  if (toolProblem !== undefined) throw toolProblem;
  if (ended.exitCode === 0) return ended.stdout;
  const stderr = ended.stderr.replaceAll(built.root, place.root);
  throw explainKustomize({ stderr, source, place, reached, values: await chartValues(reached) });
}

/** `--enable-helm` with our helm; versions as Argo CD passes them to kustomize. */
function helmFlags({ source, context }: RenderRequest): string[] {
  const kubeVersion = plainKubeVersion(source.kubeVersion ?? '');
  return [
    ...['--enable-helm', '--helm-command', context.helm ?? 'helm'],
    ...(kubeVersion === undefined ? [] : ['--helm-kube-version', kubeVersion]),
    ...apiVersions(source).flatMap((version) => ['--helm-api-versions', version]),
  ];
}

/** All components, or those that are there when missing ones are ignored. */
async function presentComponents(options: KustomizeOptions, place: Place): Promise<string[]> {
  const present: string[] = [];
  for (const component of options.components) {
    const path = resolve(place.folder, component);
    if (!isInside(place.root, path)) throw new UserError(`component ${quote(component)} leaves the repository`);
    const exists = await stat(path).then(Boolean, () => false);
    if (exists || !options.ignoreMissingComponents) present.push(component);
  }
  return present;
}

/** The folders a build reads, laid out as in the repository. kustomize looks below its roots only, so this is all. */
async function copyReached(reached: readonly Kustomization[], request: RenderRequest): Promise<Place> {
  const { place, scratch, context } = request;
  const root = join(scratch, 'repository');
  const homes = reached.map(chartHome).filter((path) => isInside(place.root, path));
  const folders = [...new Set([...reached.map((one) => one.folder), ...homes])];
  for (const folder of folders) {
    if (folders.some((other) => other !== folder && isInside(other, folder))) continue;
    const target = join(root, relative(place.root, folder));
    await mkdir(dirname(target), { recursive: true });
    await cp(folder, target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => {
        context.signal.throwIfAborted();
        return !path.endsWith('/.git');
      },
    }).catch(async (error: unknown) => {
      if (await lstat(folder).then(Boolean, () => false)) throw error; // a chart home that is yet to be filled
    });
  }
  return { root, folder: join(root, relative(place.root, place.folder)) };
}

/** What the charts of `helmCharts` are given: values files and inline values, to look for tags that are numbers. */
async function chartValues(reached: readonly Kustomization[]): Promise<ValuesTree[]> {
  const trees: ValuesTree[] = [];
  for (const { kustomization, fields } of helmChartsOf(reached)) {
    for (const name of [fields.valuesFile, ...texts(fields.additionalValuesFiles)]) {
      if (typeof name !== 'string') continue;
      const text = await readRegularFile(join(kustomization.folder, name));
      if (text !== undefined) trees.push(readValues(name, text));
    }
  }
  for (const kustomization of reached) trees.push(inlineValues(kustomization));
  return trees;
}

/** The kustomization itself, where its entries' `valuesInline` stand with their own line numbers. */
function inlineValues({ file, text, fields }: Kustomization): ValuesTree {
  const hasInline =
    Array.isArray(fields.helmCharts) && fields.helmCharts.some((one) => isFields(one) && isFields(one.valuesInline));
  return hasInline ? readValues(file, text) : { shown: file };
}
