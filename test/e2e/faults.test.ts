/**
 * Programs with one fault each, made by scripts/e2e-faults.mjs: the play that is named for a fault passes with the sound program
 * and fails with the faulty one. All on one control plane, each with a controller of its own namespace.
 */
import { readFileSync } from 'node:fs';
import { startReconciler } from '../testbed/reconciler.ts';
import { DECISION_PLAYS } from './plays/decisions.ts';
import { HOOK_PLAYS } from './plays/hooks.ts';
import { IMAGE_PLAYS } from './plays/images.ts';
import { NODE_PLAYS } from './plays/nodes.ts';
import { PULLER_PLAYS } from './plays/pullers.ts';
import type { Scene } from './scene.ts';
import { playTogether } from './stage.ts';
import type { Play, Stage } from './stage.ts';

interface Fault {
  /** What is broken; no two are the same. */
  name: string;
  /** The path of the program that has it. */
  program: string;
  /** The name of a play. */
  test: string;
}

const faults = JSON.parse(readFileSync(process.env.PREPULLER_FAULTS ?? '', 'utf8')) as Fault[];
const PLAYS = [...NODE_PLAYS, ...PULLER_PLAYS, ...DECISION_PLAYS, ...IMAGE_PLAYS, ...HOOK_PLAYS];

let stage: Stage;

/** How a play ends with a program: undefined when it passes. A controller that died proves nothing. */
async function outcomeOf(scene: Scene, name: string, program: string): Promise<Error | undefined> {
  const { namespace } = scene;
  const named = PLAYS.find((one) => one.name === name);
  if (named === undefined) throw new Error(`no play is called ${name}`);
  const kubeconfig = stage.plane.kubeconfigOf('admin');
  const options = { program, kubeconfig, namespaces: [namespace], leaseNamespace: namespace };
  const controller = await startReconciler(stage.plane, options);
  try {
    await named.play({ ...scene, program });
    return undefined;
  } catch (error) {
    if (!controller.isAlive()) throw new Error(`the controller ended:\n${controller.lastWords()}`, { cause: error });
    return error as Error;
  } finally {
    await controller.kill();
  }
}

const sound: Play[] = [...new Set(faults.map(({ test }) => test))].map((name) => ({
  name: `as it is: ${name}`,
  play: async (scene) => {
    expect(await outcomeOf(scene, name, scene.program)).toBeUndefined();
  },
}));

const broken: Play[] = faults.map(({ name, program, test }) => ({
  name: `without "${name}" it fails that ${test}`,
  play: async (scene) => {
    const failure = await outcomeOf(scene, test, program);
    expect(failure).toBeInstanceOf(Error);
    const [first = ''] = (failure?.message ?? '').split('\n').filter((line) => line.trim() !== '');
    console.log(`without "${name}": ${first}`);
  },
}));

playTogether(
  'faults',
  [...sound, ...broken],
  (on) => {
    stage = on;
    return Promise.resolve(() => Promise.resolve());
  },
  { reconciler: false },
);
