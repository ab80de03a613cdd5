/** Writes what comes from the parameter table: plugin.yaml, and the tables in docs/parameters.md. Needs no build. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginYaml } from '../src/config/announcement.ts';
import { parameterTables } from '../src/config/documentation.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/parameters.md');

writeFileSync(join(root, 'plugin.yaml'), pluginYaml());
const text = readFileSync(page, 'utf8');
writeFileSync(
  page,
  text.replace(/(<!-- parameters -->\n).*(<!-- \/parameters -->)/s, `$1\n${parameterTables()}\n\n$2`),
);
