/**
 * A control plane with Argo CD, the controller and a fleet, for the scenes of one suite. Scenes wait most of the time, so they play
 * side by side, each with an Application and nodes of its own; one that fails leaves its timeline in the suite's folder of logs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArgoCd } from '../testbed/argocd.ts';
import { startArgoCd } from '../testbed/argocd.ts';
import { createRepository } from '../testbed/argocd-repository.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import { installRights, startReconciler } from '../testbed/reconciler.ts';
import type { Running } from '../testbed/processes.ts';
import { createHubRegistry } from './argocd-hub.ts';
import { printTimeline } from './argocd-print.ts';
import { startRecorder } from './argocd-recorder.ts';
import { setHubScene } from './argocd-scene.ts';
import type { HubScene } from './argocd-scene.ts';
import { createTimeline } from './argocd-timeline.ts';
import { sideBySide } from './stage.ts';

export interface ArgoStage {
  plane: ControlPlane;
  argo: ArgoCd;
  /** Undefined where the suite wanted none. */
  reconciler: Running | undefined;
  scene(name: string): Promise<HubScene>;
  /** Writes a scene's timeline beside the logs. */
  keep(scene: HubScene): void;
  stop(): Promise<void>;
}

/** Where hubs run; and while every node of a zone is lost, Kubernetes calls none of them so: these are never lost. */
const BYSTANDERS = 4;

export interface ArgoStageOptions {
  /** False: no controller. */
  reconciler?: boolean;
  /** Another way to Argo CD, with all that install/ holds. */
  argo?: (plane: ControlPlane) => Promise<ArgoCd>;
}

export async function startArgoStage(suite: string, options: ArgoStageOptions = {}): Promise<ArgoStage> {
  const plane = await startControlPlane(suite);
  const registry = createHubRegistry();
  const fleet = startTestbedFleet(plane, { registry: (request) => registry.answer(request) });
  const transport = plane.transportFor('admin');
  const client = plane.clientFor('admin');
  for (let n = 0; n < BYSTANDERS; n += 1) await fleet.nodes.add({ name: `bystander-${n}` });
  const { argo: begin } = options;
  if (begin === undefined) await installRights(plane);
  const [argo, reconciler] = await Promise.all([
    begin === undefined ? startArgoCd(plane) : begin(plane),
    options.reconciler === false ? undefined : startReconciler(plane),
  ]);
  const recorder = startRecorder(transport);
  return {
    plane,
    argo,
    reconciler,
    async scene(name) {
      const repository = await createRepository(join(plane.folder, 'repositories', name));
      const timeline = createTimeline(recorder, name);
      return setHubScene(name, { client, transport, nodes: fleet.nodes, registry, repository, timeline });
    },
    keep({ name, timeline }) {
      writeFileSync(join(plane.folder, `${name}.timeline.txt`), printTimeline(plane, name, timeline.moments()));
    },
    async stop() {
      recorder.stop();
      fleet.stop();
      await Promise.all([argo.stop(), reconciler?.kill()]);
      await plane.stop();
    },
  };
}

export interface HubPlay {
  /** The test's. */
  name: string;
  /** The Application's, short. */
  app: string;
  play: (scene: HubScene, stage: ArgoStage) => Promise<void>;
}

export interface HubPlayOptions extends ArgoStageOptions {
  /** What plays need beside the stage; gives what takes it away again. */
  prepare?: (stage: ArgoStage) => Promise<() => Promise<void>>;
}

/** Declares a test for each play, and begins them all, some at a time, before the first. */
export function playHubs(suite: string, plays: readonly HubPlay[], options: HubPlayOptions = {}): void {
  let outcomes = new Map<string, Promise<void>>();
  let stage: ArgoStage;
  let tidy: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    stage = await startArgoStage(suite, options);
    tidy = await options.prepare?.(stage);
    outcomes = sideBySide(plays, (one) => playOne(stage, one));
  });
  afterAll(async () => {
    await tidy?.();
    await stage.stop();
  });

  test.each(plays.map(({ name }) => name))('%s', (name) => outcomes.get(name), 400_000);
}

async function playOne(stage: ArgoStage, { app, play }: HubPlay): Promise<void> {
  const scene = await stage.scene(app);
  try {
    await play(scene, stage);
  } catch (error) {
    stage.keep(scene);
    throw error;
  }
}
