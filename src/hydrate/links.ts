/** What git cannot hold, or must not lead to: links out of the repository, FIFOs, devices. Helm and kustomize open all they find. */
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { isInside, quote, shownPath, type Place } from './place.ts';

/** Throws UserError naming the first such entry at or below a folder; `.git` is not looked at. */
export async function assertOwnFiles(start: string, place: Place): Promise<void> {
  const folders = [start];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
      if (entry.isSymbolicLink()) await assertLinkStaysInside(path, place);
      if (isIrregular(entry)) {
        throw new UserError(`${quote(shownPath(path, place))} is a FIFO, device or socket, not a file: take it out`);
      }
    }
  }
}

function isIrregular(entry: Dirent): boolean {
  return !entry.isDirectory() && !entry.isFile() && !entry.isSymbolicLink();
}

async function assertLinkStaysInside(path: string, place: Place): Promise<void> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || isInside(place.root, target)) return;
  throw new UserError(`${quote(shownPath(path, place))} is a link that leaves the repository`);
}
