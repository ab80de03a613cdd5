/**
 * All table tests of the verdict as one file, for mutation testing: sources are loaded once a mutant instead of once a file. Suites of
 * seconds are left out: they find what tables miss, but once a mutant they would take days.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SLOW = /^(?:properties|kubelet|annotation-size)\.test\.ts$/;

for (const folder of [import.meta.dirname, join(import.meta.dirname, '../explain')]) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && !SLOW.test(file));
  for (const file of files) await import(join(folder, file));
}
