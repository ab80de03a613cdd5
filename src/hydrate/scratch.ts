/** A private folder for one call, gone when the call ends, however it ends. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from './source.ts';

/** Mode 0700, under TMPDIR: the only place a render writes to, its cache apart. */
export async function withScratch<T>(env: Env, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(env.TMPDIR ?? tmpdir(), 'prepuller-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
