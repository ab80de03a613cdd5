/** A private folder for one call, gone when the call ends, however it ends. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../errors.ts';
import type { Env } from './source.ts';

const FULL = ['ENOSPC', 'EDQUOT'];

/** Mode 0700, under TMPDIR: the only place a render writes to, its cache apart. */
export async function withScratch<T>(env: Env, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = env.TMPDIR ?? tmpdir();
  const folder = makePrivateFolder(parent);
  try {
    return await work(folder);
  } catch (error) {
    throw FULL.includes(codeOf(error)) ? failureIn(`no space is left in ${parent}`, 'make it larger', error) : error;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makePrivateFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'prepuller-'));
  } catch (error) {
    throw failureIn(`no temporary folder can be made in ${parent}`, 'set TMPDIR', error);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown error';
}

function failureIn(what: string, fix: string, error: unknown): ToolError {
  return new ToolError(`${what} (${codeOf(error)}): ${fix}`, { command: [], stderr: '' }, { cause: error });
}
