/**
 * The three ways a command ends badly. Everything else that is thrown is a bug and keeps its stack.
 * Only main.ts prints them: Argo CD shows stderr to the user, so the first line carries place, cause and fix.
 */

/** The input is wrong: chart, values, manifests. Exit code 1. Lines after the first say more, one problem a line. */
export class UserError extends Error {
  override name = 'UserError';
}

/** The call is wrong: flags, parameters, environment. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface ToolFailure {
  /** The program and its arguments, without values that may be secret. */
  command: readonly string[];
  exitCode?: number;
  signal?: string;
  /** What the program wrote, already free of secrets and bounded in length. */
  stderr: string;
}

/** A program we call (helm, kustomize, git) or the cluster failed. Exit code 3. */
export class ToolError extends Error {
  override name = 'ToolError';
  readonly failure: ToolFailure;

  constructor(message: string, failure: ToolFailure, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
