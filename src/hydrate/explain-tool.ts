/** A program that could not do its work at all: not found, stopped for flooding, ended from outside. */
import { ToolError } from '../errors.ts';
import type { Ended } from './child.ts';
import { withoutCredentials } from './redact.ts';

/** Undefined when the program ended by itself, well or not. */
export function explainTool(program: string, ended: Ended, redact = withoutCredentials): ToolError | undefined {
  const failure = {
    command: [program],
    stderr: redact(ended.stderr).slice(-4096),
    ...(ended.exitCode === undefined ? {} : { exitCode: ended.exitCode }),
    ...(ended.signal === undefined ? {} : { signal: ended.signal }),
  };
  const message = startProblem(program, ended) ?? endProblem(program, ended);
  return message === undefined ? undefined : new ToolError(message, failure);
}

function startProblem(program: string, { spawnError }: Ended): string | undefined {
  if (spawnError === undefined) return undefined;
  if (spawnError.code === 'ENOENT') return `${program} was not found: put it on PATH`;
  if (spawnError.code === 'E2BIG') return 'parameters are too long for a command line: put them into a values file';
  return `${program} could not be started (${spawnError.code ?? 'unknown error'})`;
}

function endProblem(program: string, { flood, signal }: Ended): string | undefined {
  if (flood !== undefined) return `${program} wrote without end to ${flood} and was stopped`;
  return signal === undefined ? undefined : `${program} was ended by ${signal}`;
}
