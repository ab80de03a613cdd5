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
  if (ended.spawnError?.code === 'ENOENT') return new ToolError(`${program} was not found: put it on PATH`, failure);
  if (ended.spawnError !== undefined) {
    return new ToolError(`${program} could not be started (${ended.spawnError.code ?? 'unknown error'})`, failure);
  }
  if (ended.flood !== undefined) {
    return new ToolError(`${program} wrote without end to ${ended.flood} and was stopped`, failure);
  }
  return ended.signal === undefined ? undefined : new ToolError(`${program} was ended by ${ended.signal}`, failure);
}
