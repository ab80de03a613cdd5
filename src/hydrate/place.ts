/**
 * Where an app lives and which files it may name: nothing outside its repository, nothing but regular, readable files.
 * Mirrors Argo CD's ResolveValueFilePathOrUrl, stricter on links: every folder of the way counts, not the last name only.
 */
import { constants, existsSync } from 'node:fs';
import { access, lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../errors.ts';
import type { Env } from './source.ts';

/** Both absolute and free of links. */
export interface Place {
  folder: string;
  root: string;
}

/** Larger files are no configuration. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Throws UserError when the folder is none, or lies outside the given root. */
export async function findPlace(folder: string, env: Env, repositoryRoot?: string): Promise<Place> {
  const real = await realpath(resolve(folder)).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) {
    throw new UserError(`${quote(folder)} is not a folder: set the application's path to the folder of the chart`);
  }
  const given = repositoryRoot ?? rootByHints(real, env);
  const root = await realpath(given).catch(() => given);
  if (!isInside(root, real)) throw new UserError(`${quote(folder)} lies outside the repository`);
  return { folder: real, root };
}

/** In the plugin's sandbox `.git` may be missing, but Argo CD says the app's path: the root is what stands before it. */
function rootByHints(folder: string, env: Env): string {
  const path = (env.ARGOCD_APP_SOURCE_PATH ?? '').replace(/^\.?\/+|\/+$/g, '');
  if (path !== '' && path !== '.' && folder.endsWith(`${sep}${path}`)) return folder.slice(0, -path.length - 1);
  for (let candidate = folder; candidate !== dirname(candidate); candidate = dirname(candidate)) {
    if (existsSync(join(candidate, '.git'))) return candidate;
  }
  return folder;
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The lexical path of what a user wrote: a leading `/` is the repository's root, anything else the app's folder. */
export function lexicalPath(written: string, place: Place): string {
  return written.startsWith('/') ? join(place.root, written) : resolve(place.folder, written);
}

/**
 * The real path of a file the user named, or undefined when nothing is there.
 * `what` opens the message: "values file". Throws UserError for what must not be read.
 */
export async function findFile(written: string, place: Place, what: string): Promise<string | undefined> {
  const lexical = lexicalPath(written, place);
  const name = `${what} ${quote(written)}`;
  if (!isInside(place.root, lexical)) throw new UserError(`${name} leaves the repository: move it inside`);
  const real = await realpath(lexical).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UserError(`${name} cannot be read (${code ?? 'unknown error'})`);
  });
  if (real === undefined) {
    const link = await lstat(lexical).catch(() => undefined);
    if (link?.isSymbolicLink() === true) throw new UserError(`${name} is a link to nothing`);
    return undefined;
  }
  if (!isInside(place.root, real)) throw new UserError(`${name} is a link that leaves the repository`);
  await assertReadableFile(real, name);
  return real;
}

async function assertReadableFile(path: string, name: string): Promise<void> {
  const info = await stat(path);
  if (!info.isFile()) throw new UserError(`${name} is a ${fileType(info)}, not a file`);
  if (info.size > MAX_FILE_BYTES) {
    throw new UserError(`${name} has ${String(Math.ceil(info.size / 1024 / 1024))} MiB: more than 10 MiB is refused`);
  }
  await access(path, constants.R_OK).catch(() => {
    const mode = (info.mode & 0o777).toString(8).padStart(3, '0');
    throw new UserError(`${name} cannot be read, its mode is ${mode}: chmod a+r`);
  });
}

/** The text of a regular file of bearable size; undefined for anything else, so that a FIFO never holds a render. */
export async function readRegularFile(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() !== true || info.size > MAX_FILE_BYTES) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

function fileType(info: Awaited<ReturnType<typeof stat>>): string {
  if (info.isDirectory()) return 'folder';
  if (info.isFIFO()) return 'FIFO';
  if (info.isSocket()) return 'socket';
  return 'device';
}

/** A path as messages show it: relative to the repository, which Argo CD unpacks under a random name. */
export function shownPath(path: string, place: Place): string {
  return isInside(place.root, path) ? relative(place.root, path) || '.' : path;
}

/** What a user wrote, in quotes, line breaks and control characters escaped, bounded. */
export function quote(text: string): string {
  const shown = text.length > 120 ? `${text.slice(0, 117)}…` : text;
  return JSON.stringify(shown);
}
