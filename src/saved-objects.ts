/** The objects in saved lists, JSON or YAML. JSON goes the short way: a list of a large cluster has hundreds of megabytes. */
import { readFile } from 'node:fs/promises';
import type { Warning } from './api/warning.ts';
import type { Call } from './command.ts';
import { UsageError, UserError } from './errors.ts';
import { readStream } from './manifest/stream.ts';
import type { SavedList } from './verdict/saved-list.ts';
import { namesWithout } from './verdict/which-pullers.ts';

/** What is in the files, `-` being standard input. Throws UsageError for a file that cannot be read, UserError for its content. */
export async function readSavedObjects(files: readonly string[], { readStdin, signal }: Call): Promise<unknown[]> {
  const objects: unknown[] = [];
  for (const [index, file] of files.entries()) {
    const which = files.length === 1 ? 'the file' : `file ${index + 1} of ${files.length}`;
    const bytes = file === '-' ? await readStdin() : await readNamed(file, which, signal);
    for (const object of readPlaced(bytes, files.length === 1 ? '' : `${which}: `)) objects.push(object);
  }
  return objects;
}

function readPlaced(bytes: Uint8Array, place: string): unknown[] {
  try {
    return readObjects(bytes);
  } catch (error) {
    if (error instanceof UserError) throw new UserError(place + error.message, { cause: error });
    throw error;
  }
}

/** Throws UserError where neither JSON nor YAML is read; it names place and reason and quotes nothing. */
export function readObjects(bytes: Uint8Array): unknown[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (text.trimStart().startsWith('{')) {
    try {
      return [JSON.parse(text) as unknown];
    } catch {
      // several documents, or broken: the stream reader tells them apart and says where
    }
  }
  return readStream(bytes).flatMap(({ object }) => object ?? []);
}

async function readNamed(path: string, which: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readFile(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(
      `--from: ${which} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
}

/** Names that no DaemonSet has, and what cannot be told without the kinds of objects that a list does not hold. */
export function absences({ daemonSets, nodes, events }: SavedList, names: readonly string[]): Warning[] {
  const absent = (kind: string, unknown: string): Warning => ({
    message: 'the list lacks objects',
    fields: { kind, unknown },
  });
  return [
    ...namesWithout(daemonSets, names).map((name) => ({ message: 'no DaemonSet has that name', fields: { name } })),
    ...(daemonSets.length === 0 ? [absent('DaemonSet', 'everything: a puller is a DaemonSet')] : []),
    ...(nodes.length === 0
      ? [absent('Node', 'which nodes are not ready, leaving, late or unable to run the images')]
      : []),
    ...(events.length === 0
      ? [absent('Event', 'causes that stand nowhere else: hidden pull errors, refused pods')]
      : []),
  ];
}
