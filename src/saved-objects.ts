/** The objects in saved lists, JSON or YAML. JSON goes the short way: a list of a large cluster has hundreds of megabytes. */
import { readFile } from 'node:fs/promises';
import type { Call } from './command.ts';
import { UsageError } from './errors.ts';
import { readStream } from './manifest/stream.ts';

/** What is in the files, `-` being standard input. Throws UsageError for a file that cannot be read, UserError for its content. */
export async function readSavedObjects(files: readonly string[], { readStdin, signal }: Call): Promise<unknown[]> {
  const objects: unknown[] = [];
  for (const file of files)
    objects.push(...readObjects(file === '-' ? await readStdin() : await readNamed(file, signal)));
  return objects;
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

async function readNamed(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readFile(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(
      `--from: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
}
