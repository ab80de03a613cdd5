/** The middle of `generate` and `transform`: bytes to manifests, pullers added, and back, with a last look at what comes out. */
import type { Result } from './command.ts';
import { UserError } from './errors.ts';
import { objectsIn } from './manifest/edit.ts';
import { componentOf, titleOf } from './manifest/labels.ts';
import type { Manifest } from './manifest/manifest.ts';
import { printStream, readStream } from './manifest/stream.ts';
import type { PrepullOptions } from './prepull/options.ts';
import { printSummary } from './prepull/summary.ts';
import { transform } from './prepull/transform.ts';

/** Throws UserError for a stream without objects: with pruning on, Argo CD takes that as "delete the app". */
export function transformStream(stream: Uint8Array, options: PrepullOptions): Result {
  const rendered = readStream(stream);
  if (objectsIn(rendered).length === 0) throw new UserError('the stream holds no objects: nothing was rendered');
  const { manifests, warnings, summary } = transform(rendered, options);
  assertHubsKept(rendered, manifests);
  return { stdout: printStream(manifests), warnings, summary: printSummary(summary) };
}

/** What would delete a hub is never printed, however it came about. */
function assertHubsKept(before: readonly Manifest[], after: readonly Manifest[]): void {
  const kept = new Set(hubsOf(after));
  const lost = hubsOf(before).filter((hub) => !kept.has(hub));
  if (lost.length > 0) throw new Error(`the result lacks ${lost.join(', ')}`);
}

function hubsOf(manifests: readonly Manifest[]): string[] {
  return objectsIn(manifests)
    .filter((object) => componentOf(object) === 'hub')
    .map((object) => `${object.metadata.namespace ?? ''} ${titleOf(object)}`);
}
