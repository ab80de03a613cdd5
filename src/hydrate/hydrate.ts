/** From an app's folder to a YAML stream: which renderer, its overrides in git, and one time limit over all of it. */
import { UserError } from '../errors.ts';
import type { HydrateContext, Hydrated, SourceOptions } from './source.ts';

/**
 * Renders `folder` as Argo CD's own Helm, kustomize or directory source would, without writing into it.
 * Throws UserError for what the user can fix in git, UsageError for impossible settings, ToolError when a program
 * cannot be run or runs out of time.
 */
export function hydrate(source: SourceOptions, folder: string, context: HydrateContext): Promise<Hydrated> {
  void context;
  return Promise.reject(new UserError(`${folder}: nothing renders ${source.kind} yet`));
}
