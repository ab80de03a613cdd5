/** A private folder for one call, gone when the call ends, however it ends. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../errors.ts';
import type { Env } from './source.ts';

/** Mode 0700, under TMPDIR: the only place a render writes to, its cache apart. */
export async function withScratch<T>(env: Env, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makePrivateFolder(env.TMPDIR ?? tmpdir());
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makePrivateFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'prepuller-'));
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ToolError(`no temporary folder can be made in ${parent} (${code}): set TMPDIR`, {
      command: [],
      stderr: '',
    });
  }
}
