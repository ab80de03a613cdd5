/** Gates on a real Argo CD: wave where it holds and where not, the switch from one gate to another, the move from native Helm and back. */
import { playHubs } from './argocd-stage.ts';
import { SWITCHES } from './plays/argocd-switch.ts';
import { WAVES } from './plays/argocd-wave.ts';

playHubs('argocd-gates', [...SWITCHES, ...WAVES]);
