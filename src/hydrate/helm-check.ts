/** What helm would pass over in silence: links that leave the repository, numbers for tags, keys no chart reads. Looked for while helm works. */
import { readFile } from 'node:fs/promises';
import type { Warning } from '../api/warning.ts';
import { assertOwnFiles } from './links.ts';
import { refuseNumberTags } from './number-tags.ts';
import { findFile, type Place } from './place.ts';
import type { RenderRequest } from './render.ts';
import type { SourceOptions } from './source.ts';
import { checkUnreadKeys } from './unread-keys.ts';
import type { ValueFile } from './value-files.ts';
import { readValues, type ValuesTree } from './values-tree.ts';

export interface Checked {
  values: ValuesTree[];
  warnings: Warning[];
}

/** Never rejects, so that helm is always awaited: what it refuses aborts `refusal`. */
export async function checkChart(
  { source, place }: RenderRequest,
  valueFiles: readonly ValueFile[],
  refusal: AbortController,
): Promise<Checked> {
  const checked: Checked = { values: [], warnings: [] };
  try {
    checked.values = await readAllValues(source, place, valueFiles);
    await assertOwnFiles(place.folder, place);
    refuseNumberTags(checked.values);
    checked.warnings = await checkUnreadKeys(place.folder, checked.values);
  } catch (error) {
    refusal.abort(error);
  }
  return checked;
}

async function readAllValues(
  { helm }: SourceOptions,
  place: Place,
  valueFiles: readonly ValueFile[],
): Promise<ValuesTree[]> {
  const own = await findFile('./values.yaml', place, 'values file');
  const local = valueFiles.filter((file) => !file.remote && file.path !== own);
  const files = own === undefined ? local : [{ shown: 'values.yaml', path: own }, ...local];
  const trees = await Promise.all(
    files.map(async ({ shown, path }) => readValues(shown, await readFile(path, 'utf8'))),
  );
  if (helm.values === undefined) return trees;
  const inline = typeof helm.values === 'string' ? helm.values : JSON.stringify(helm.values, null, 1);
  return [...trees, readValues('inline values', inline)];
}
