/** Writes docs/helm-parity.md from the rows of the parity tests. Needs no build. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parityPage } from '../test/hydrate/parity-page.ts';

writeFileSync(join(import.meta.dirname, '../docs/helm-parity.md'), parityPage());
