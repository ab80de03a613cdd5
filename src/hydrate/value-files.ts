/**
 * The `--values` of a render, in merge order: mirrors Argo CD's getResolvedValueFiles. A file named explicitly keeps
 * its own place and drops out of globs; the first mention of a file counts.
 */
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { expand, namesOtherSource } from './expand.ts';
import { expandGlob, isGlob } from './glob.ts';
import { findFile, isInside, lexicalPath, quote, shownPath, type Place } from './place.ts';
import type { Env, HelmOptions } from './source.ts';

/** A file to read, or a URL for helm to fetch; `shown` is what messages call it. */
export interface ValueFile {
  shown: string;
  path: string;
  remote: boolean;
}

const URL_SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const MULTI_SOURCE =
  'refers to another source of a multi-source application, which Argo CD does not hand to plugins: ' +
  'put a chart with the upstream chart as dependency and your values into one repository';

/** Throws UserError for the first file that is missing (unless missing ones are ignored) or must not be read. */
export async function resolveValueFiles(options: HelmOptions, place: Place, env: Env): Promise<ValueFile[]> {
  const written = options.valueFiles.map((path) => expandPath(path, env, 'values file'));
  const explicit = new Set<string>();
  for (const path of written.filter((one) => !isGlob(one) && !URL_SCHEME.test(one))) {
    const real = await findFile(path, place, 'values file');
    if (real !== undefined) explicit.add(real);
  }
  const found = new Map<string, ValueFile>();
  for (const path of written) {
    for (const file of await resolveOne(path, options, place)) {
      if (!(isGlob(path) && explicit.has(file.path)) && !found.has(file.path)) found.set(file.path, file);
    }
  }
  return [...found.values()];
}

/** Expands variables in a path; refuses references to other sources and what reads like a flag. */
export function expandPath(written: string, env: Env, what: string): string {
  if (namesOtherSource(written)) throw new UserError(`${what} ${quote(written)} ${MULTI_SOURCE}`);
  const path = expand(written, env);
  if (path.trim() === '') throw new UserError(`${what} ${quote(written)} is an empty path`);
  if (path.startsWith('-')) throw new UserError(`${what} ${quote(written)} reads like a flag: write ./${path}`);
  if (path.includes('\0')) throw new UserError(`${what} ${quote(written)} holds a NUL character`);
  return path;
}

async function resolveOne(path: string, options: HelmOptions, place: Place): Promise<ValueFile[]> {
  const scheme = URL_SCHEME.exec(path)?.[1]?.toLowerCase();
  if (scheme !== undefined) {
    assertAllowed(scheme, path, options.valueFileSchemes);
    return [{ shown: withoutUserinfo(path), path, remote: true }];
  }
  if (isGlob(path)) return resolveGlob(path, options, place);
  const real = await findFile(path, place, 'values file');
  if (real !== undefined) return [{ shown: shownPath(real, place), path: real, remote: false }];
  if (options.ignoreMissingValueFiles) return [];
  throw new UserError(`values file ${quote(path)} does not exist${await neighbours(lexicalPath(path, place))}`);
}

async function resolveGlob(pattern: string, options: HelmOptions, place: Place): Promise<ValueFile[]> {
  const base = pattern.startsWith('/') ? place.root : place.folder;
  if (!isInside(place.root, lexicalPath(pattern, place))) {
    throw new UserError(`values files ${quote(pattern)} leave the repository: move them inside`);
  }
  const files: ValueFile[] = [];
  for (const match of await expandGlob(base, pattern)) {
    const real = await findFile(`/${shownPath(match, place)}`, place, 'values file');
    if (real !== undefined) files.push({ shown: shownPath(real, place), path: real, remote: false });
  }
  if (files.length > 0 || options.ignoreMissingValueFiles) return files;
  throw new UserError(`values files ${quote(pattern)} match nothing`);
}

function assertAllowed(scheme: string, url: string, allowed: readonly string[]): void {
  if (allowed.some((name) => name.toLowerCase() === scheme)) return;
  throw new UserError(
    `values file ${quote(withoutUserinfo(url))} is remote: copy it into the repository, or allow the scheme ${quote(scheme)}`,
  );
}

/** A URL without its user and password, and without a query, where tokens travel. */
export function withoutUserinfo(url: string): string {
  return url.replace(/\/\/[^/@]*@/g, '//').replace(/\?.*$/s, '');
}

async function neighbours(path: string): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => undefined);
  if (names === undefined) return ', nor does its folder';
  const yaml = names.filter((name) => /\.ya?ml$/.test(name) && name !== 'Chart.yaml').sort();
  if (yaml.length === 0) return '';
  const more = yaml.length > 5 ? ` and ${String(yaml.length - 5)} more` : '';
  return `: its folder has ${yaml.slice(0, 5).map(quote).join(', ')}${more}`;
}
