/** The first sync into an empty cluster: the images first, then the hub. Beside it the chart alone, which never gets there. */
import { pulledFirst } from './argocd-checks.ts';
import type { HubPlay } from './argocd-stage.ts';
import { playHubs } from './argocd-stage.ts';
import type { HubScene } from './argocd-scene.ts';

async function plain(scene: HubScene): Promise<void> {
  const nodes = [await scene.join('a'), await scene.join('b')];
  await scene.commit('slow-1');
  await scene.apply();
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes);
}

const PLAYS: HubPlay[] = [
  { name: 'a first sync pulls before anything of the hub is written', app: 'plain', play: plain },
];

playHubs('argocd-first-sync', PLAYS);
