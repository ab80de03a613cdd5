/** Nodes that are full, cordoned, silent, gone, late, back or turning pods away: each ends with the right verdict in the right time. */
import { HOOK_PLAYS } from './plays/hooks.ts';
import { NODE_PLAYS } from './plays/nodes.ts';
import { playTogether } from './stage.ts';

playTogether('verdict-nodes', [...NODE_PLAYS, ...HOOK_PLAYS]);
