/** The objects of a stream, Lists flattened, and the one way to change them: untouched documents keep their bytes. */
import type { KubeObject, Manifest } from './manifest.ts';

export interface Edit {
  replace: ReadonlyMap<KubeObject, KubeObject>;
  drop: ReadonlySet<KubeObject>;
  add: readonly KubeObject[];
}

/** Each object keeps its identity over calls. Lists are flattened; items of typed lists get apiVersion and kind. */
export function objectsIn(manifests: readonly Manifest[]): KubeObject[] {
  throw new Error(`not written: ${manifests.length}`);
}

export function editStream(manifests: readonly Manifest[], edit: Edit): Manifest[] {
  throw new Error(`not written: ${manifests.length} ${edit.add.length}`);
}
