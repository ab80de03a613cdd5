/**
 * Plugins with one fault each in what they give to Argo CD, made by scripts/e2e-faults.mjs: the play that is named for a fault passes
 * with the sound plugin and fails with the faulty one. All in one Argo CD, each plugin in a sidecar of its own.
 */
import { readFileSync } from 'node:fs';
import { runAwaiters } from './argocd-awaiters.ts';
import type { ArgoStage, HubPlay } from './argocd-stage.ts';
import { playHubs } from './argocd-stage.ts';
import type { HubScene } from './argocd-scene.ts';
import { DELETION } from './plays/argocd-deletion.ts';
import { FIRST_SYNC } from './plays/argocd-first-sync.ts';
import { JOBS } from './plays/argocd-job.ts';
import { MISSING_IMAGE } from './plays/argocd-missing-image.ts';
import { NODES } from './plays/argocd-nodes.ts';
import { PROJECTS } from './plays/argocd-projects.ts';
import { SWITCHES } from './plays/argocd-switch.ts';
import { WAVES } from './plays/argocd-wave.ts';

interface Fault {
  name: string;
  /** The path of the program that has it. */
  program: string;
  /** The name of a play. */
  test: string;
}

const faults = JSON.parse(readFileSync(process.env.PREPULLER_ARGOCD_FAULTS ?? '', 'utf8')) as Fault[];
const PLAYS = [...FIRST_SYNC, ...MISSING_IMAGE, ...NODES, ...WAVES, ...SWITCHES, ...JOBS, ...DELETION, ...PROJECTS];

function named(test: string): HubPlay {
  const play = PLAYS.find(({ name }) => name === test);
  if (play === undefined) throw new Error(`no play is called ${test}`);
  return play;
}

const pluginOf = (index: number): string => `fault-${index}`;

/** The same scene, whose Applications name another plugin. */
function withPlugin(scene: HubScene, pluginName: string): HubScene {
  return { ...scene, apply: (options = {}) => scene.apply({ ...options, pluginName }) };
}

const sound: HubPlay[] = [...new Set(faults.map(({ test }) => test))].map((test, index) => ({
  name: `as it is: ${test}`,
  app: `sound-${index}`,
  play: named(test).play,
}));

const broken: HubPlay[] = faults.map(({ name, test }, index) => ({
  name: `without "${name}" it fails that ${test}`,
  app: `broken-${index}`,
  async play(scene, stage) {
    const run = named(test).play(withPlugin(scene, pluginOf(index)), stage);
    const failure: unknown = await run.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    const [first = ''] = (failure as Error).message.split('\n').filter((line) => line.trim() !== '');
    console.log(`without "${name}": ${first}`);
  },
}));

async function prepare(stage: ArgoStage): Promise<() => Promise<void>> {
  await Promise.all(faults.map(({ program }, index) => stage.argo.startPlugin(pluginOf(index), program)));
  return runAwaiters(stage);
}

playHubs('argocd-faults', [...sound, ...broken], { prepare });
