/**
 * Dependencies that are not vendored: `helm dependency build` beside the checkout, kept in a cache by what determines
 * them. Runs share it without locks: each builds aside and renames; a copy is taken before use, so entries may go any time.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Warning } from '../api/warning.ts';
import { ToolError, UserError } from '../errors.ts';
import { readDependencies, type Dependency } from './chart-file.ts';
import { run } from './child.ts';
import { cacheKey } from './dependency-key.ts';
import { childEnvironment } from './environment.ts';
import { explainDependencies } from './explain-dependencies.ts';
import { explainTool } from './explain-tool.ts';
import { isInside, quote, type Place } from './place.ts';
import type { RenderRequest } from './render.ts';
import { privateRepositories } from './repositories.ts';
import type { HydrateContext } from './source.ts';

/** What decides which charts are fetched. */
const CHART_FILES = ['Chart.yaml', 'Chart.lock', 'requirements.yaml', 'requirements.lock'];
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export interface BuiltChart {
  /** A folder like the app's, with every dependency in `charts/`. */
  folder: string;
  warnings: Warning[];
}

/** Throws UserError when a dependency cannot be had, naming it and how to vendor it. */
export async function buildDependencies(request: RenderRequest): Promise<BuiltChart> {
  const { place, scratch, context } = request;
  const dependencies = await readDependencies(place.folder);
  const locals = localDependencies(dependencies, place);
  const cache = await cacheFolder(context);
  const entry = join(cache, await cacheKey(place.folder, CHART_FILES, locals));
  const charts = join(scratch, 'charts');
  if (!(await copyEntry(entry, charts))) {
    const built = await build(request, dependencies, locals);
    await cp(built, charts, { recursive: true });
    await store(built, entry);
    await removeOldEntries(cache);
  }
  return { folder: await shadow(place.folder, charts, join(scratch, 'chart')), warnings: await lockWarning(place) };
}

/** The folders of `file://` dependencies, links of the way left alone. */
function localDependencies(dependencies: readonly Dependency[], place: Place): string[] {
  return dependencies
    .filter((one) => one.repository.startsWith('file://'))
    .map((one) => {
      const path = join(place.folder, one.repository.slice('file://'.length));
      const absolute = one.repository.startsWith('file:///');
      if (!absolute && isInside(place.root, path)) return path;
      throw new UserError(
        `Chart.yaml: dependency ${quote(one.name)} has ${quote(one.repository)}, outside the repository`,
      );
    });
}

async function cacheFolder({ env, cacheFolder: given }: HydrateContext): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const folder = join(given ?? join(env.TMPDIR ?? tmpdir(), `prepuller-cache-${String(uid)}`), 'dependencies');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const info = await stat(folder);
  if (info.uid !== uid) {
    throw new ToolError(`the cache ${folder} belongs to another user: remove it or set another`, {
      command: [],
      stderr: '',
    });
  }
  return folder;
}

/** False when there is no entry, or it went away while it was read. */
async function copyEntry(entry: string, charts: string): Promise<boolean> {
  try {
    await cp(entry, charts, { recursive: true });
    await utimes(entry, new Date(), new Date());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await rm(charts, { recursive: true, force: true });
    return false;
  }
}

/** Runs helm in a copy of what it looks at, laid out as in the repository so that `file://../other` leads on. */
async function build(request: RenderRequest, dependencies: Dependency[], locals: string[]): Promise<string> {
  const { place, scratch, context } = request;
  const root = join(scratch, 'build');
  const folder = join(root, relative(place.root, place.folder));
  await mkdir(folder, { recursive: true });
  for (const name of [...CHART_FILES, 'charts']) {
    await cp(join(place.folder, name), join(folder, name), { recursive: true }).catch(ignoreAbsent);
  }
  for (const local of locals) {
    const link = join(root, relative(place.root, local));
    await mkdir(dirname(link), { recursive: true });
    await symlink(local, link).catch(ignorePresent);
  }
  const program = context.helm ?? 'helm';
  const env = {
    ...childEnvironment(context.env, scratch),
    HELM_REPOSITORY_CONFIG: await privateRepositories(dependencies, context.env, scratch),
  };
  const ended = await run({ program, args: ['dependency', 'build', '.'], folder, env, signal: context.signal });
  const toolProblem = explainTool(program, ended);
  if (toolProblem !== undefined) throw toolProblem;
  if (ended.exitCode !== 0)
    throw explainDependencies(`${ended.stdout.toString('utf8')}\n${ended.stderr}`, dependencies);
  return join(folder, 'charts');
}

async function store(built: string, entry: string): Promise<void> {
  const aside = `${entry}.${randomUUID()}`;
  try {
    await cp(built, aside, { recursive: true });
    await rename(aside, entry).catch(ignorePresent);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Entries and leftovers that nobody used for a week. */
async function removeOldEntries(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const info = await stat(join(cache, name)).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > KEPT_MS) {
      await rm(join(cache, name), { recursive: true, force: true });
    }
  }
}

/** The chart's folder once more, by links, with other `charts/`: helm follows links, nothing is copied. */
async function shadow(folder: string, charts: string, target: string): Promise<string> {
  await mkdir(target);
  for (const name of await readdir(folder)) {
    if (name !== 'charts') await symlink(join(folder, name), join(target, name));
  }
  await symlink(charts, join(target, 'charts'));
  return target;
}

async function lockWarning({ folder }: Place): Promise<Warning[]> {
  const locks = await Promise.all(
    ['Chart.lock', 'requirements.lock'].map((name) => readFile(join(folder, name)).catch(() => undefined)),
  );
  if (locks.some((lock) => lock !== undefined)) return [];
  return [
    {
      message:
        'dependencies without a lock file: commit Chart.lock, or the versions found today are not those of tomorrow',
      fields: { file: 'Chart.yaml' },
    },
  ];
}

function ignoreAbsent(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function ignorePresent(error: unknown): void {
  if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
