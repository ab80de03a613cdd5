/** What main.ts and a command agree on: a command gets a call, gives back a result, and prints nothing itself. */
import type { Command as CommanderCommand } from 'commander';
import type { Warning } from './api/warning.ts';
import type { Environment } from './config/environment.ts';
import type { Flags } from './config/settings.ts';
import type { Log } from './log.ts';

export interface Call {
  /** What stands on the command line behind the options. */
  args: readonly string[];
  /** The command's own options, as commander read them. */
  options: Readonly<Record<string, unknown>>;
  /** The texts given for flags that are parameters. */
  flags: Flags;
  env: Environment;
  /** The working directory: the app's folder when Argo CD calls. */
  folder: string;
  /** The folder of the installed package, with a slash at its end. */
  home: URL;
  /** Everything on standard input. */
  readStdin: () => Promise<Uint8Array>;
  /** Aborted by a signal; its reason is to be thrown on. */
  signal: AbortSignal;
  log: Log;
  terminal: Terminal;
}

/** For commands that run for long, or ask before they act; all of it on stderr, since stdout is for results. */
export interface Terminal {
  /** Somebody looks. */
  readonly isInteractive: boolean;
  /** A line now. One that is `passing` is overwritten by the next one where somebody looks. */
  say(line: string, passing?: boolean): void;
  /** The answer, without its line end. Throws UsageError where nobody can answer. */
  ask(question: string): Promise<string>;
}

export interface Result {
  /** Written once, when all went well. */
  stdout: string | Uint8Array;
  warnings?: readonly Warning[];
  /** Shown on stderr when asked for, or on a terminal. */
  summary?: string;
}

/** The module of a command, loaded when it is called. */
export interface CommandModule {
  /** Adds options and an example to the help. */
  configure: (command: CommanderCommand) => void;
  run: (call: Call) => Promise<Result>;
  /** Ends by itself, and well, when a signal comes; else the call is over at once. */
  readonly endsBySignal?: true;
}

export function addVerboseFlag(command: CommanderCommand): void {
  command.option('-v, --verbose', 'say on stderr what is being done');
}

/** For commands that make a plan. */
export function addPlanFlags(command: CommanderCommand): void {
  addVerboseFlag(command);
  command.option('--summary', 'show the plan on stderr, as on a terminal');
}
