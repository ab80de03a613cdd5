/** `prepuller let-through`: a person's word that the sync goes on although images are missing. */
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import { configureIntervention, intervene } from './intervention.ts';

export function configure(command: Command): void {
  configureIntervention(
    command,
    'let-through',
    'The sync goes on although images are missing, for this generation of the puller only.',
  );
}

export function run(call: Call): Promise<Result> {
  return intervene(call, 'let-through');
}
