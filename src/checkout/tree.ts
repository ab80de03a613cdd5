/** The files of one revision in a folder of their own: the working tree and the index of the checkout stay as they are. */
import { join } from 'node:path';
import { ToolError, UserError } from '../errors.ts';
import { gitIn } from './repository.ts';
import type { Repository } from './repository.ts';

/** The full hash of the commit `revision` names. UserError when this clone does not have it. */
export async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  if (revision === '' || revision.startsWith('-'))
    throw new UserError(`no revision of this repository: ${JSON.stringify(revision)}`);
  const answer = await repository.git
    .raw(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`])
    .catch(() => ''); // whatever git says of it, the revision cannot be had here
  if (answer !== '') return answer;
  const fix = repository.shallow
    ? 'this clone is shallow: fetch the whole history (git fetch --unshallow, or fetch-depth: 0 in a CI checkout)'
    : 'fetch it first (git fetch origin), or name another commit, branch or tag';
  throw new UserError(`revision ${JSON.stringify(revision)} is not in this clone: ${fix}`);
}

/**
 * Writes all files of `commit` (a full hash) below `into`, an empty folder, through an index kept in `scratch`.
 * Files are as a checkout would make them (line endings, filters). ToolError when git fails.
 */
export async function writeTree(
  repository: Repository,
  commit: string,
  folders: { into: string; scratch: string },
  signal: AbortSignal,
): Promise<void> {
  const git = gitIn(repository.root, signal, join(folders.scratch, `index-${commit}`));
  try {
    await git.raw(['read-tree', commit]);
    await git.raw(['checkout-index', '--all', `--prefix=${folders.into}/`]);
  } catch (error) {
    signal.throwIfAborted();
    const stderr = error instanceof Error ? error.message.slice(0, 2000) : '';
    throw new ToolError(
      `git could not write the files of ${commit.slice(0, 8)}`,
      { command: ['git', 'checkout-index'], stderr },
      { cause: error },
    );
  }
}

/**
 * Where the app's folder was in `older`: its own place if it was there, else the folder that most of its files were
 * renamed from (git's rename detection), else undefined: the app is new.
 */
export async function folderIn(repository: Repository, older: string, newer: string): Promise<string | undefined> {
  const { git, prefix } = repository;
  if (prefix === '' || (await git.raw(['ls-tree', '--full-tree', older, '--', prefix])) !== '') return prefix;
  const renames = await git.raw([
    'diff',
    '--no-ext-diff',
    '--name-status',
    '-z',
    '--find-renames',
    '--diff-filter=R',
    older,
    newer,
  ]);
  const votes = new Map<string, number>();
  for (const { from, to } of pairs(renames.split('\0'))) {
    const below = to.startsWith(`${prefix}/`) ? to.slice(prefix.length) : undefined;
    if (below === undefined || !from.endsWith(below)) continue;
    const folder = from.slice(0, -below.length);
    votes.set(folder, (votes.get(folder) ?? 0) + 1);
  }
  return [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
}

/** `R100 NUL from NUL to NUL …` as pairs. */
function pairs(fields: readonly string[]): { from: string; to: string }[] {
  const found: { from: string; to: string }[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    found.push({ from: fields[at + 1] ?? '', to: fields[at + 2] ?? '' });
  return found;
}
