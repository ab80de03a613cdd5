/** Writes the golden files of all examples anew: `npm run examples:update`, then read the difference. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  EXAMPLES,
  copyRepository,
  exampleNames,
  goldens,
  readGolden,
  removeRepository,
  runExample,
} from '../test/examples/argo-cd.ts';

function update(name, file, text) {
  if (readGolden(name, file) === text) return;
  const path = join(EXAMPLES, name, file);
  if (text === undefined) rmSync(path);
  else writeFileSync(path, text);
  process.stdout.write(`${text === undefined ? 'removed' : 'wrote'} examples/${name}/${file}\n`);
}

const copy = copyRepository();
try {
  for (const name of exampleNames()) {
    for (const [file, text] of Object.entries(goldens(runExample(name, copy)))) update(name, file, text);
  }
} finally {
  removeRepository(copy);
}
