/** From argv to one command with its options, by commander. A wrong call is a UsageError that repeats no value. */
import { Command, CommanderError } from 'commander';
import { flagsOf } from './command.ts';
import type { Call, CommandModule } from './command.ts';
import { UsageError } from './errors.ts';

export interface CommandEntry {
  summary: string;
  load: () => Promise<CommandModule>;
}

/** Either a text to print (help, version), or the command to run with what was given to it. */
export type Parsed = { text: string } | { run: CommandModule['run']; given: Pick<Call, 'options' | 'flags'> };

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
    const { configure, run } = await load();
    configure(command);
    command.action(() => {
      parsed = { run, given: { options: command.opts(), flags: flagsOf(command) } };
    });
  }
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text };
    throw new UsageError(describeMistake(error));
  }
  if (parsed === undefined) throw new UsageError('no command given; prepuller --help lists them');
  return parsed;
}

/** Commands made from this one inherit it: nothing is printed, and every end comes as an exception. */
function quiet(command: Command, collect: (text: string) => void): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ writeOut: collect, writeErr: () => undefined, getOutHelpWidth: () => 110 });
}

/** commander's sentence without the arguments it quotes: `--valeus=…` may hold a secret. */
function describeMistake({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'no command given; prepuller --help lists them';
  const said = message
    .replace(/^error: /, '')
    .replace(/\. Expected \d.*$/s, '')
    .replace(/^(unknown option )'(-[^']*?)(?:=.*|[^\w-].*)?'/s, (_whole, start: string, flag: string) => start + flag)
    .replace(/ argument '.*' is invalid/s, ' is invalid');
  const nearest = /\n\((Did you mean .*\?)\)$/s.exec(said);
  return `${said.replace(/\n.*$/s, '')}${nearest === null ? '' : `; ${(nearest[1] ?? '').replace('Did', 'did')}`}`;
}
