/** Why `helm template` failed: the user's mistake in words of the chart's files, unless the program itself could not do its work. */
import { join } from 'node:path';
import type { Ended } from './child.ts';
import { below, explainHelm, redactorFor } from './explain-helm.ts';
import { explainTool } from './explain-tool.ts';
import type { RenderRequest } from './render.ts';
import type { ValuesTree } from './values-tree.ts';

/** `inlineValues` is the file they were written to, if any: its path says nothing to the user. */
export function explainFailure(
  ended: Ended,
  request: RenderRequest,
  values: ValuesTree[],
  inlineValues: string | undefined,
): Error {
  const { source, place, context } = request;
  const redact = redactorFor(source, values);
  const toolProblem = explainTool(context.helm ?? 'helm', ended, redact);
  if (toolProblem !== undefined) return toolProblem;
  const shown = (path: string): string =>
    path === inlineValues ? 'inline values' : below([place.folder, join(request.scratch, 'chart')], path);
  return explainHelm({ stderr: ended.stderr, source, values, redact, shown });
}
