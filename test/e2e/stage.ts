/**
 * A control plane with its fleet and the controller, for the scenes of one suite. Scenes wait most of the time, so they play side
 * by side, each in a namespace and on nodes of its own; each is a test of its own all the same.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '../../simulator/api-client.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import type { TestbedFleet } from '../testbed/fleet.ts';
import { installRights, startReconciler } from '../testbed/reconciler.ts';
import type { Reconciler } from '../testbed/reconciler.ts';
import { registry } from './images.ts';
import { setScene } from './scene.ts';
import type { Scene } from './scene.ts';

export interface Stage {
  plane: ControlPlane;
  fleet: TestbedFleet;
  client: ApiClient;
  reconciler: Reconciler;
  scene(namespace: string): Promise<Scene>;
  stop(): Promise<void>;
}

/** While every node of a zone is lost, Kubernetes calls none of them so: these are never lost. */
const BYSTANDERS = 4;

export interface StageOptions {
  /** Without one of its own where each play has its own. */
  reconciler?: boolean;
}

export async function startStage(suite: string, { reconciler: wanted = true }: StageOptions = {}): Promise<Stage> {
  const plane = await startControlPlane(suite);
  const fleet = startTestbedFleet(plane, { registry });
  for (let n = 0; n < BYSTANDERS; n += 1) await fleet.nodes.add({ name: `bystander-${n}` });
  await installRights(plane);
  const reconciler = wanted ? await startReconciler(plane) : undefined;
  return {
    plane,
    fleet,
    client: plane.clientFor('admin'),
    get reconciler() {
      if (reconciler === undefined) throw new Error('this stage has no controller of its own');
      return reconciler;
    },
    scene: (namespace) => setScene(namespace, plane.transportFor('admin'), fleet.nodes),
    async stop() {
      fleet.stop();
      await plane.stop();
      await reconciler?.kill();
    },
  };
}

export interface Play {
  name: string;
  play: (scene: Scene) => Promise<void>;
}

const AT_ONCE = 8;
const DURATIONS = join(import.meta.dirname, '../../reports/e2e/durations.jsonl');

/** What plays need beside the stage; gives what takes it away again. */
export type Preparation = (stage: Stage) => Promise<() => Promise<void>>;

/** Declares a test for each play, and begins them all, some at a time, before the first. */
export function playTogether(
  suite: string,
  plays: readonly Play[],
  prepare?: Preparation,
  options: StageOptions = {},
): void {
  const outcomes = new Map<string, Promise<void>>();
  let stage: Stage;
  let tidy: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    stage = await startStage(suite, options);
    tidy = await prepare?.(stage);
    let turn = Promise.resolve();
    const lanes = Array.from({ length: AT_ONCE }, () => turn);
    for (const [index, one] of plays.entries()) {
      turn = (lanes[index % AT_ONCE] ?? turn).then(() => playOne(stage, one, `scene-${index}`));
      lanes[index % AT_ONCE] = turn.catch(() => undefined);
      outcomes.set(one.name, turn);
    }
  });
  afterAll(async () => {
    await tidy?.();
    await stage.stop();
  });

  test.each(plays.map(({ name }) => name))('%s', (name) => outcomes.get(name), 300_000);
}

async function playOne(stage: Stage, { name, play }: Play, namespace: string): Promise<void> {
  const began = performance.now();
  const scene = await stage.scene(namespace);
  try {
    await play(scene);
  } finally {
    await scene.tidy();
    noteDuration(name, performance.now() - began);
  }
}

/** How long a test really took, which Jest cannot know of one that ran beside others. */
export function noteDuration(name: string, milliseconds: number): void {
  appendFileSync(DURATIONS, `${JSON.stringify({ name, seconds: milliseconds / 1000 })}\n`);
}
