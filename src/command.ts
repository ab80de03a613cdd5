/** What main.ts and a command agree on: a command gets a call, gives back a result, and prints nothing itself. */
import { Option } from 'commander';
import type { Command as CommanderCommand } from 'commander';
import type { Warning } from './api/warning.ts';
import type { Environment } from './config/environment.ts';
import type { Parameter } from './config/parameter.ts';
import type { Flags } from './config/settings.ts';
import type { Log } from './log.ts';

export interface Call {
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
}

export function addVerboseFlag(command: CommanderCommand): void {
  command.option('-v, --verbose', 'say on stderr what is being done');
}

/** For commands that make a plan. */
export function addPlanFlags(command: CommanderCommand): void {
  addVerboseFlag(command);
  command.option('--summary', 'show the plan on stderr, as on a terminal');
}

/** Every parameter is a flag too: texts are collected as given, config/ reads them. */
export function addParameterFlags(command: CommanderCommand, parameters: readonly Parameter<unknown>[]): void {
  for (const parameter of parameters) {
    const flag = new Option(`--${parameter.name} ${placeholder(parameter)}`, describe(parameter));
    flag.argParser((text: string, earlier: unknown) => [
      ...(Array.isArray(earlier) ? (earlier as string[]) : []),
      text,
    ]);
    command.addOption(flag);
  }
}

/** The flags that were given, by parameter name. A boolean flag alone, the only kind whose text is optional, is `true`. */
export function flagsOf(command: CommanderCommand): Flags {
  const flags: Record<string, readonly string[]> = {};
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (Array.isArray(value)) flags[option.name()] = value as string[];
    else if (option.optional && value === true) flags[option.name()] = ['true'];
  }
  return flags;
}

function placeholder({ type, itemType, choices }: Parameter<unknown>): string {
  if (itemType === 'boolean') return '[true|false]';
  if (choices !== undefined) return `<${choices.join('|')}>`;
  return type === 'map' ? '<name=text>' : '<text>';
}

function describe({ type, tooltip, default: standard }: Parameter<unknown>): string {
  if (type !== 'string') return `${tooltip} May be repeated.`;
  return standard === undefined ? tooltip : `${tooltip} (default: ${standard as string})`;
}
