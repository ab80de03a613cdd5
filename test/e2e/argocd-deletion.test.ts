/** Pullers, syncs and Applications that go while something waits: what ends, what is left, what stays. */
import { playHubs } from './argocd-stage.ts';
import { DELETION } from './plays/argocd-deletion.ts';

playHubs('argocd-deletion', DELETION);
