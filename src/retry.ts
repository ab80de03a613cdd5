/** `prepuller retry`: a person's word that what went wrong before now is forgotten. */
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import { configureIntervention, intervene } from './intervention.ts';

export function configure(command: Command): void {
  configureIntervention(
    command,
    'retry',
    'Past errors, waits and deadlines are forgotten, as after a mended registry.',
  );
}

export function run(call: Call): Promise<Result> {
  return intervene(call, 'retry');
}
