/** `.argocd-source.yaml` and `.argocd-source-<app>.yaml` beside the app: settings in git that win over the Application's. */
import { readFile } from 'node:fs/promises';
import { findFile, type Place } from './place.ts';
import type { SourceOptions } from './source.ts';

/** The general file first, the app's own over it. Throws UserError naming the file and the key Argo CD would not take. */
export async function applyOverrides(source: SourceOptions, place: Place): Promise<SourceOptions> {
  const names = ['.argocd-source.yaml'];
  if (/^[\w.-]+$/.test(source.appName)) names.push(`.argocd-source-${source.appName}.yaml`);
  let result = source;
  for (const name of names) {
    const path = await findFile(`./${name}`, place, 'override file');
    if (path === undefined) continue;
    // Few apps have one, and a YAML reader is not loaded for nothing.
    const { mergeOverride } = await import('./override-file.ts');
    result = mergeOverride(result, name, await readFile(path, 'utf8'));
  }
  return result;
}
