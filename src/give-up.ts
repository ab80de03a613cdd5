/** `prepuller give-up`: a person's word that the sync fails now. */
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import { configureIntervention, intervene } from './intervention.ts';

export function configure(command: Command): void {
  configureIntervention(command, 'give-up', 'The sync fails now, for this generation of the puller only.');
}

export function run(call: Call): Promise<Result> {
  return intervene(call, 'give-up');
}
