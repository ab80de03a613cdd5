/** Which commit last touched an app: shown on hook objects, so it is a nicety that never fails or delays a render. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A render must not wait for history: past this many milliseconds there is no answer. */
const TIME_LIMIT = 1000;
const LONGEST_SUBJECT = 120;

/**
 * `<8 digits of the hash> <subject>` of the newest commit that touched one of `paths` (relative to `folder`, literal).
 * Undefined without a repository, in a shallow clone (its boundary commit seems to touch everything), when nothing
 * touched them, or past the time limit.
 */
export async function lastCommit(
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  // A look for `.git` is cheap; loading simple-git and starting git, for nothing, is a tenth of a render.
  if (!isBelowRepository(resolve(folder))) return undefined;
  const { findRepository } = await import('./repository.ts');
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)]);
  try {
    const repository = await findRepository(folder, limited);
    if (repository === undefined || repository.shallow) return undefined;
    const pathspecs = paths.map((path) => `:(literal)${path}`);
    const line = await repository.git.raw(['log', '-1', '--no-show-signature', '--format=%H %s', '--', ...pathspecs]);
    return line === '' ? undefined : shorten(line);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function isBelowRepository(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isBelowRepository(dirname(folder)));
}

function shorten(line: string): string {
  const space = line.indexOf(' ');
  const subject = line
    .slice(space + 1)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const shown = Array.from(subject).slice(0, LONGEST_SUBJECT).join('');
  return `${line.slice(0, 8)} ${shown}${shown === subject ? '' : '…'}`.trim();
}
