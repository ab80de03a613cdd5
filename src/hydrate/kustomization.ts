/** Kustomizations as files: which folders a build reads, and which charts it renders. Read leniently: kustomize is the judge. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { UserError } from '../errors.ts';
import { KUSTOMIZATION_FILES } from './detect.ts';
import { isInside, quote, readRegularFile, shownPath, type Place } from './place.ts';

export type Fields = Record<string, unknown>;

export interface Kustomization {
  folder: string;
  file: string;
  text: string;
  /** Empty when the file is broken. */
  fields: Fields;
}

/** Where a build may find more kustomizations; URLs among them are kustomize's own business. */
const REACHING = ['resources', 'bases', 'components', 'generators', 'transformers', 'validators'];

/** Undefined when the folder has none. Throws UserError when it is there but no file to read. */
export async function readKustomization(folder: string, place: Place): Promise<Kustomization | undefined> {
  const names = new Set(await readdir(folder).catch(() => []));
  const file = KUSTOMIZATION_FILES.find((name) => names.has(name));
  if (file === undefined) return undefined;
  const text = await readRegularFile(join(folder, file));
  if (text === undefined) {
    throw new UserError(`${quote(shownPath(join(folder, file), place))} is no readable file, or larger than 10 MiB`);
  }
  return { folder, file, text, fields: readFields(text) };
}

function readFields(text: string): Fields {
  try {
    const value = load(text, { json: true });
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** The app's kustomization and every one it reaches in this repository. Throws UserError for a base outside it. */
export async function reachKustomizations(place: Place, components: readonly string[]): Promise<Kustomization[]> {
  const found = new Map<string, Kustomization>();
  const open = [place.folder, ...(await foldersOf(place.folder, components, place))];
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    if (found.has(folder)) continue;
    const kustomization = await readKustomization(folder, place);
    if (kustomization === undefined) continue;
    found.set(folder, kustomization);
    const entries = REACHING.flatMap((field) => texts(kustomization.fields[field]));
    open.push(...(await foldersOf(folder, entries, place)));
  }
  return [...found.values()];
}

async function foldersOf(base: string, entries: readonly string[], place: Place): Promise<string[]> {
  const folders: string[] = [];
  for (const entry of entries) {
    const path = await realpath(resolve(base, entry)).catch(() => undefined);
    if (path === undefined || !(await stat(path)).isDirectory()) continue;
    if (!isInside(place.root, path)) {
      throw new UserError(`${quote(shownPath(base, place))}: ${quote(entry)} leaves the repository: move it inside`);
    }
    folders.push(path);
  }
  return folders;
}

export interface HelmChartEntry {
  kustomization: Kustomization;
  fields: Fields;
}

/** Entries of `helmCharts` (and of the older `helmChartInflationGenerator`) in all of them. */
export function helmChartsOf(kustomizations: readonly Kustomization[]): HelmChartEntry[] {
  return kustomizations.flatMap((kustomization) =>
    ['helmCharts', 'helmChartInflationGenerator']
      .flatMap((field) => list(kustomization.fields[field]))
      .filter(isFields)
      .map((fields) => ({ kustomization, fields })),
  );
}

/** Where a kustomization keeps its charts: `helmGlobals.chartHome`, else `charts`. */
export function chartHome({ folder, fields }: Kustomization): string {
  const globals = fields.helmGlobals;
  const home = isFields(globals) && typeof globals.chartHome === 'string' ? globals.chartHome : 'charts';
  return resolve(folder, home);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function texts(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
