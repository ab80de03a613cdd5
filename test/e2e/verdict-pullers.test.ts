/** Pullers that cannot have pods, change or go while they pull, come again, come in twos, or are decided by a person. */
import { DECISION_PLAYS } from './plays/decisions.ts';
import { PULLER_PLAYS } from './plays/pullers.ts';
import { playTogether } from './stage.ts';

playTogether('verdict-pullers', [...PULLER_PLAYS, ...DECISION_PLAYS]);
