/** From an app's folder to a YAML stream: which renderer, its overrides in git, and one time limit over all of it. */
import { ToolError, UserError } from '../errors.ts';
import { detectKind } from './detect.ts';
import { renderHelm } from './helm.ts';
import { applyOverrides } from './overrides.ts';
import { findPlace, quote, shownPath, type Place } from './place.ts';
import type { RenderRequest, Rendered } from './render.ts';
import { withScratch } from './scratch.ts';
import type { HydrateContext, Hydrated, SourceOptions } from './source.ts';

/**
 * Renders `folder` as Argo CD's own Helm, kustomize or directory source would, without writing into it.
 * Throws UserError for what the user can fix in git, UsageError for impossible settings, ToolError when a program
 * cannot be run or runs out of time, and the signal's reason when it is aborted.
 */
export async function hydrate(source: SourceOptions, folder: string, context: HydrateContext): Promise<Hydrated> {
  const place = await findPlace(folder, context.env, context.repositoryRoot);
  const merged = await applyOverrides(source, place);
  const kind = merged.kind === 'auto' ? await detectKind(place.folder) : merged.kind;
  const { stream, warnings } = await withTimeLimit(context, (limited) =>
    withScratch(context.env, (scratch) => render(kind, { source: merged, place, scratch, context: limited })),
  );
  if (isEmpty(stream)) throw new UserError(nothingRendered(kind, place));
  return { stream, kind, warnings };
}

async function render(kind: Hydrated['kind'], request: RenderRequest): Promise<Rendered> {
  if (kind === 'helm') return renderHelm(request);
  if (kind === 'kustomize') return (await import('./kustomize.ts')).renderKustomize(request);
  return (await import('./plain.ts')).renderPlain(request.place);
}

/** One clock for everything a render does, so that Argo CD's own never ends us without a word. */
async function withTimeLimit<T>(context: HydrateContext, work: (context: HydrateContext) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const seconds = String(context.timeLimitMs / 1000);
  const timer = setTimeout(() => {
    limit.abort(
      new ToolError(`rendering did not end within ${seconds} s and was stopped`, { command: [], stderr: '' }),
    );
  }, context.timeLimitMs);
  try {
    return await work({ ...context, signal: AbortSignal.any([context.signal, limit.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

/** Only separators, comments and blank lines: with pruning on, Argo CD would delete the whole app. */
function isEmpty(stream: Uint8Array): boolean {
  const text = new TextDecoder();
  const blank = /^(?:[ \t\r]*(?:#[^\n]*)?|---[ \t\r]*(?:#[^\n]*)?)$/;
  let start = 0;
  while (start < stream.length) {
    const end = stream.indexOf(0x0a, start);
    const line = stream.subarray(start, end < 0 ? stream.length : end);
    if (!blank.test(text.decode(line.subarray(0, 4096)))) return false;
    start += line.length + 1;
  }
  return true;
}

function nothingRendered(kind: Hydrated['kind'], place: Place): string {
  return (
    `${quote(shownPath(place.folder, place))} renders to nothing (as ${kind}): ` +
    `check the application's path and conditions such as enabled: false`
  );
}
