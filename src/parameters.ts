/** `prepuller parameters`: the parameter announcement, for plugin.yaml and for Argo CD, which reads it as JSON. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Result } from './command.ts';
import { announcements, printYaml } from './config/announcement.ts';
import type { Call } from './command.ts';

export function configure(command: Command): void {
  command
    .addOption(new Option('-o, --output <format>', 'form of the list').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', '\nExample:\n  prepuller parameters -o json\n');
}

export function run({ options }: Call): Promise<Result> {
  const list = announcements();
  const stdout = options.output === 'json' ? `${JSON.stringify(list, undefined, 2)}\n` : printYaml(list);
  return Promise.resolve({ stdout });
}
