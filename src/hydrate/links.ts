/** Helm and kubectl follow links without a word: none in the app's folder may lead out of the repository. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { isInside, quote, shownPath, type Place } from './place.ts';

/** Throws UserError naming the first such link; `.git` is not looked at. */
export async function assertLinksStayInside(place: Place): Promise<void> {
  const folders = [place.folder];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
      if (entry.isSymbolicLink()) await assertLinkStaysInside(path, place);
    }
  }
}

async function assertLinkStaysInside(path: string, place: Place): Promise<void> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || isInside(place.root, target)) return;
  throw new UserError(`${quote(shownPath(path, place))} is a link that leaves the repository`);
}
