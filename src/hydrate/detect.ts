/** Which renderer a folder is for, as Argo CD's discovery decides: a kustomization wins over a chart, else plain manifests. */
import { readdir } from 'node:fs/promises';
import type { Hydrated } from './source.ts';

export const KUSTOMIZATION_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** `auto` resolved by the files that lie in the folder itself. */
export async function detectKind(folder: string): Promise<Hydrated['kind']> {
  const names = new Set(await readdir(folder));
  if (KUSTOMIZATION_FILES.some((name) => names.has(name))) return 'kustomize';
  return names.has('Chart.yaml') ? 'helm' : 'plain';
}
