/** Every parameter is a flag too: how a flag looks, and how its texts are collected for config/ to read. */
import type { Command } from 'commander';
import type { Parameter } from './config/parameter.ts';
import type { Flags } from './config/settings.ts';

/** Adds one flag a parameter, in order. */
export function addParameterFlags(command: Command, parameters: readonly Parameter<unknown>[]): void {
  for (const parameter of parameters) {
    const flag = command.createOption(`--${parameter.name} ${placeholder(parameter)}`, describe(parameter));
    flag.argParser((text: string, earlier: unknown) => [
      ...(Array.isArray(earlier) ? (earlier as string[]) : []),
      text,
    ]);
    command.addOption(flag);
  }
}

/** The flags that were given, by parameter name. A boolean flag alone, the only kind whose text is optional, is `true`. */
export function flagsOf(command: Command): Flags {
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
