/** From argv to one command with its options, by commander. A wrong call is a UsageError that repeats no value. */
import { Command, CommanderError } from 'commander';
import { closestMatch } from 'leven';
import type { Call, CommandModule } from './command.ts';
import { UsageError } from './errors.ts';
import { flagsOf } from './parameter-flags.ts';

export interface CommandEntry {
  summary: string;
  load: () => Promise<CommandModule>;
}

/** Either a text to print (help, version), or the command to run with what was given to it. */
export type Parsed = { text: string } | { module: CommandModule; given: Pick<Call, 'args' | 'options' | 'flags'> };

/** Loads only commands that `argv` names, so that `--version` and one command's start stay quick. */
export async function parseCommandLine(
  argv: readonly string[],
  version: string,
  entries: Readonly<Record<string, CommandEntry>>,
): Promise<Parsed> {
  let text = '';
  let parsed: Parsed | undefined;
  const program = quiet(new Command('prepuller'), (more) => (text += more));
  program
    .description('Pulls JupyterHub user images onto every node before Argo CD changes the hub.')
    .version(version)
    .addHelpText('after', '\nExample:\n  prepuller generate --gate wave --value-files values.yaml\n');
  for (const [name, { summary, load }] of Object.entries(entries)) {
    const command = program.command(name).description(summary);
    if (!argv.includes(name)) continue;
    const module = await load();
    module.configure(command);
    command.action(() => {
      parsed = { module, given: { args: command.args, options: command.opts(), flags: flagsOf(command) } };
    });
  }
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text };
    const flags = program.commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
    throw new UsageError(describeMistake(error, Object.keys(entries), flags));
  }
  if (parsed === undefined) throw new UsageError('no command given; prepuller --help lists them');
  return parsed;
}

/** Commands made from this one inherit it: nothing is printed, and every end comes as an exception. */
function quiet(command: Command, collect: (text: string) => void): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: collect, writeErr: () => undefined, getOutHelpWidth: () => 110 });
}

/** In words that repeat no argument: `--valeus=…` may hold a secret. */
function describeMistake(
  { code, message }: CommanderError,
  commands: readonly string[],
  flags: readonly string[],
): string {
  if (code === 'commander.help') return 'no command given; prepuller --help lists them';
  if (code === 'commander.unknownCommand') {
    const name = /'([\w-]{1,30})'/.exec(message)?.[1] ?? '';
    return `unknown command ${name}${nearest(name, commands) || '; prepuller --help lists them'}`;
  }
  if (code === 'commander.unknownOption') {
    const flag = /'(--[\w-]+|-\w)/.exec(message)?.[1] ?? '';
    return `unknown flag ${flag}${nearest(flag, flags)}`;
  }
  if (code === 'commander.excessArguments') return 'a text too many: each belongs behind its flag';
  return message.replace(/^error: /, '').replace(/ argument '.*' is invalid/s, ' is invalid');
}

function nearest(word: string, known: readonly string[]): string {
  const match = closestMatch(word, known, { maxDistance: 3 });
  return match === undefined ? '' : `; did you mean ${match}?`;
}
