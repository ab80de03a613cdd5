/**
 * A control plane with its fleet and the controller, for the scenes of one suite. Scenes wait most of the time, so they play side
 * by side, each in a namespace and on nodes of its own; each is a test of its own all the same.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '../../simulator/api-client.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import type { TestbedFleet } from '../testbed/fleet.ts';
import { installRights, startReconciler } from '../testbed/reconciler.ts';
import type { Running } from '../testbed/processes.ts';
import { registry, startOf } from './images.ts';
import { setScene } from './scene.ts';
import type { Scene } from './scene.ts';

export interface Stage {
  plane: ControlPlane;
  fleet: TestbedFleet;
  client: ApiClient;
  reconciler: Running;
  scene(namespace: string): Promise<Scene>;
  stop(): Promise<void>;
}

/** While every node of a zone is lost, Kubernetes calls none of them so: these are never lost. */
const BYSTANDERS = 4;

export interface StageOptions extends ControlPlaneOptions {
  /** Without one of its own where each play has its own. */
  reconciler?: boolean;
}

export async function startStage(suite: string, options: StageOptions = {}): Promise<Stage> {
  const { reconciler: wanted = true } = options;
  const plane = await startControlPlane(suite, options);
  const fleet = startTestbedFleet(plane, { registry, startOf });
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

/** Begins to run all of them, some at a time in their order; by name, how each ends. */
export function sideBySide<T extends { name: string }>(
  all: readonly T[],
  run: (one: T, index: number) => Promise<void>,
): Map<string, Promise<void>> {
  const outcomes = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  let turn: Promise<unknown> = Promise.resolve();
  for (const [index, one] of all.entries()) {
    const begun = turn.then(async () => {
      if (running.size >= AT_ONCE) await Promise.race(running);
      const outcome = timed(one.name, () => run(one, index));
      const over = outcome.catch(() => undefined).finally(() => running.delete(over));
      running.add(over);
      return { outcome };
    });
    turn = begun;
    const outcome = begun.then((one) => one.outcome);
    outcome.catch(() => undefined);
    outcomes.set(one.name, outcome);
  }
  return outcomes;
}

/** Notes how long a test really took, which Jest cannot know of one that ran beside others. */
async function timed(name: string, run: () => Promise<void>): Promise<void> {
  const began = performance.now();
  try {
    await run();
  } finally {
    const seconds = (performance.now() - began) / 1000;
    appendFileSync(DURATIONS, `${JSON.stringify({ name, seconds })}\n`);
  }
}

/** What plays need beside the stage; gives what takes it away again. */
export type Preparation = (stage: Stage) => Promise<() => Promise<void>>;

/** Declares a test for each play, and begins them all, some at a time, before the first. */
export function playTogether(
  suite: string,
  plays: readonly Play[],
  prepare?: Preparation,
  options: StageOptions = {},
): void {
  let outcomes = new Map<string, Promise<void>>();
  let stage: Stage;
  let tidy: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    stage = await startStage(suite, options);
    tidy = await prepare?.(stage);
    outcomes = sideBySide(plays, (one, index) => playOne(stage, one, `scene-${index}`));
  });
  afterAll(async () => {
    await tidy?.();
    await stage.stop();
  });

  test.each(plays.map(({ name }) => name))('%s', (name) => outcomes.get(name), 300_000);
}

async function playOne(stage: Stage, { play }: Play, namespace: string): Promise<void> {
  const scene = await stage.scene(namespace);
  try {
    await play(scene);
  } finally {
    await scene.tidy();
  }
}
