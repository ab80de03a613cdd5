/** The only writers to stdout and stderr. They resolve when the reader has it all, so that nothing is cut off at the end. */
import { fstatSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { ToolError } from './errors.ts';

/** Writes all of `data`. A reader that went away (EPIPE) has seen what it wanted: not an error. Any other failure is a ToolError. */
export async function writeStdout(data: string | Uint8Array): Promise<void> {
  if (data.length === 0) return;
  try {
    // For files: the stream would take a short write, on a disk that fills up, for a whole one.
    if (fstatSync(1).isFile()) writeFileSync(1, data);
    else await writeAll(process.stdout, data);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ToolError(`standard output cannot be written (${code})`, { command: [], stderr: '' });
  }
}

/** Never fails: there is nobody left to tell. */
export async function writeStderr(text: string): Promise<void> {
  await writeAll(process.stderr, text).catch(() => undefined);
}

/** The reader went away: told once, and of every write behind it. */
const READER_GONE = ['EPIPE', 'ERR_STREAM_DESTROYED'];

async function writeAll(stream: Writable, data: string | Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  // The callback tells; but without a listener an error on a standard stream ends the process with a stack.
  if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  stream.write(data, (error) => {
    if (error && !READER_GONE.includes((error as NodeJS.ErrnoException).code ?? '')) reject(error);
    else resolve(undefined);
  });
  await promise;
}
