/** `explain` called as main.ts calls it, without a process. */
import { join } from 'node:path';
import { Command } from 'commander';
import type { Result } from '../../src/command.ts';
import { configure, run } from '../../src/explain.ts';
import { createLog } from '../../src/log.ts';

export const EXAMPLES = join(import.meta.dirname, '../../examples/explain');

/** What follows `prepuller explain`; files are looked for in `folder`. */
export async function explain(argv: readonly string[], folder = EXAMPLES, stdin = ''): Promise<Result> {
  const command = new Command('explain').exitOverride().configureOutput({ writeErr: () => undefined });
  configure(command);
  command.action(() => undefined);
  command.parse(inFolder(argv, folder), { from: 'user' });
  return run({
    args: command.args,
    options: command.opts(),
    flags: {},
    env: {},
    folder,
    home: new URL('file:///'),
    readStdin: () => Promise.resolve(Buffer.from(stdin)),
    signal: new AbortController().signal,
    log: createLog(false, () => undefined),
    terminal: { isInteractive: false, say: () => undefined, ask: () => Promise.resolve('') },
  });
}

function inFolder(argv: readonly string[], folder: string): string[] {
  return argv.map((word, index) => (argv[index - 1] === '--from' && word !== '-' ? join(folder, word) : word));
}
