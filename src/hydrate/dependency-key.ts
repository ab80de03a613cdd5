/** The name of a cache entry: a digest over everything that decides what `helm dependency build` leaves in `charts/`. */
import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Chart and lock files, charts that are vendored already, and charts taken from folders of the repository. */
export async function cacheKey(folder: string, files: readonly string[], locals: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of files) await addFile(hash, name, join(folder, name));
  for (const tree of [join(folder, 'charts'), ...locals]) await addTree(hash, tree);
  return hash.digest('hex').slice(0, 40);
}

async function addFile(hash: Hash, name: string, path: string): Promise<void> {
  const content = await readFile(path).catch(() => undefined);
  hash.update(JSON.stringify([name, content?.length ?? -1]));
  if (content !== undefined) hash.update(content);
}

async function addTree(hash: Hash, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) await addFile(hash, path.slice(folder.length), path);
}
