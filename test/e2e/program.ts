/** The built program, run to its end as a person or a Job runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Surroundings {
  env?: Record<string, string>;
  input?: Buffer;
}

/** Ends it after two minutes. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, input = Buffer.of() }: Surroundings = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env }, timeout: 120_000 });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, stdout, stderr };
}
