/** Ways to compare and to apply beside each other, through one window of two minutes; and projects, sources, rights and DaemonSets of others. */
import { playHubs } from './argocd-stage.ts';
import { ACTIONS, prepareAccounts } from './plays/argocd-actions.ts';
import { DIFFS } from './plays/argocd-diff.ts';
import { FOREIGN_PLAY } from './plays/argocd-foreign.ts';
import { PROJECTS } from './plays/argocd-projects.ts';

playHubs('argocd-diff', [...DIFFS, ...ACTIONS, ...PROJECTS, FOREIGN_PLAY], { prepare: prepareAccounts });
