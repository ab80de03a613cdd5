/**
 * Sidecar, Lua and controller exchanged for those of the next version, in every order, up and down again, while a sync waits for a
 * node: it waits on, nothing of the hub is written, and it ends when the node has its images. Parts of three versions meet.
 */
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_ANNOTATION, VERDICT_ANNOTATION } from '../../src/api/names.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { ARGOCD } from '../testbed/argocd-install.ts';
import type { Running } from '../testbed/processes.ts';
import { startReconciler } from '../testbed/reconciler.ts';
import { until } from '../testbed/until.ts';
import { hookSaid, pulledFirst } from './argocd-checks.ts';
import { USERS_ONLY } from './argocd-hub.ts';
import type { HubScene } from './argocd-scene.ts';
import type { ArgoStage } from './argocd-stage.ts';
import { startArgoStage } from './argocd-stage.ts';
import { makeVersions } from './argocd-versions.ts';
import type { Built, Version } from './argocd-versions.ts';
import { fill } from './scene.ts';

const PARTS = ['sidecar', 'Lua', 'controller'] as const;
type Part = (typeof PARTS)[number];

function ordersOf(parts: readonly Part[]): Part[][] {
  if (parts.length <= 1) return [[...parts]];
  return parts.flatMap((first) => ordersOf(parts.filter((part) => part !== first)).map((rest) => [first, ...rest]));
}
const ORDERS = ordersOf(PARTS);

/** Each is one step from the one before it. */
const WAY: readonly Version[] = ['this', 'newer', 'this', 'older'];
const FIRST: Version = 'older';
const HOOK = 'hook-image-puller';
const CONTRACTS: Readonly<Record<Version, string>> = { older: '0', this: '1', newer: '2' };

let stage: ArgoStage;
let scene: HubScene;
let versions: Record<Version, Built>;
let controller: Running;
let nodes: string[];

/** By part, how its version takes the place of another. */
const exchange: Readonly<Record<Part, (version: Version) => Promise<void>>> = {
  async sidecar(version) {
    // What cmp-server finds on its PATH; in a cluster it comes with the image.
    const there = join(stage.plane.folder, 'argocd/bin/prepuller');
    symlinkSync(versions[version].program, `${there}.new`);
    renameSync(`${there}.new`, there);
    await stage.argo.killSidecar();
    await stage.argo.startSidecar();
    if ((await scene.app().catch(() => undefined)) === undefined) return;
    await scene.refresh('hard');
    await until('the new sidecar has rendered', async () => {
      const { metadata } = await scene.app();
      return metadata.annotations?.['argocd.argoproj.io/refresh'] === undefined;
    });
  },
  async Lua(version) {
    const path = `/api/v1/namespaces/${ARGOCD}/configmaps/argocd-cm`;
    const data = { 'resource.customizations.health.apps_DaemonSet': versions[version].lua };
    const asked = { method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { data } };
    const { code } = await stage.plane.transportFor('admin').request(asked);
    expect(code).toBe(200);
  },
  async controller(version) {
    // As a Deployment does it: asked to end, and another begins.
    await controller.terminate();
    controller = await startReconciler(stage.plane, { program: versions[version].program });
    if ((await scene.find('daemonsets', HOOK)) === undefined) return;
    await until(`the controller (${version}) has judged`, async () => writerOf(await hook()) === version);
  },
};

async function hook(): Promise<ApiObject> {
  const found = await scene.find('daemonsets', HOOK);
  if (found === undefined) throw new Error('the hook is gone');
  return found;
}

/** The version that wrote what is remembered of a puller. */
function writerOf({ metadata }: ApiObject): Version | undefined {
  const text = metadata.annotations?.[VERDICT_ANNOTATION];
  if (text === undefined) return undefined;
  const verdict = JSON.parse(text) as Fields;
  if (verdict.turnedAway === undefined) return 'older';
  return verdict.trend === undefined ? 'this' : 'newer';
}

beforeAll(async () => {
  stage = await startArgoStage('argocd-skew', { reconciler: false });
  versions = makeVersions(join(stage.plane.folder, 'versions'));
  controller = await startReconciler(stage.plane, { program: versions[FIRST].program });
  scene = await stage.scene('skew');
  for (const part of ['sidecar', 'Lua'] as const) await exchange[part](FIRST);
  nodes = [await scene.join('free'), await scene.join('full', { pods: 1 })];
});
afterAll(async () => {
  await controller.terminate();
  await stage.stop();
});

/** The node with one place is full until what this gives is called. */
async function occupy(): Promise<() => Promise<void>> {
  const { key, value, effect } = USERS_ONLY;
  const tolerations = [{ key, value, effect, operator: 'Equal' }];
  const name = await fill({ namespace: 'default', client: scene.client }, nodes[1]!, { tolerations });
  return async () => {
    await scene.client.delete({ resource: 'pods', namespace: 'default', name });
  };
}

async function waitsOn(uid: string, since: number): Promise<void> {
  const { status } = await scene.app();
  expect(status?.operationState).toMatchObject({ phase: 'Running' });
  expect((await hook()).metadata.uid).toBe(uid);
  expect(scene.timeline.hubWrites(since)).toEqual([]);
}

async function exchangeAll(order: readonly Part[]): Promise<void> {
  const release = await occupy();
  const since = await scene.now();
  const revision = await scene.commit(`tag-${ORDERS.indexOf([...order])}-${since}`, CONTINUOUS_OFF);
  await scene.apply({ plugin: { 'scheduling-grace': '10m' } });
  await scene.begin();
  await scene.running('waits for the full node', (_, said) => said.startsWith('1/2 nodes pulled'));
  const { metadata } = await hook();
  expect(metadata.annotations?.[CONTRACT_ANNOTATION]).toBe(CONTRACTS[FIRST]);
  for (const version of WAY)
    for (const part of order) {
      await exchange[part](version);
      await waitsOn(metadata.uid, since);
    }
  await release();
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
  expect(hookSaid(scene, operation)).toBe(`2/2 nodes pulled [Lua: ${WAY.at(-1)!}]`);
  pulledFirst(scene, nodes, since);
  expect(writerOf(scene.timeline.judged(since)!.verdict.object)).toBe(WAY.at(-1));
}

const CONTINUOUS_OFF = { prePuller: { continuous: { enabled: false } } };

test(`there are ${ORDERS.length} orders`, () => {
  expect(new Set(ORDERS.map((order) => order.join())).size).toBe(6);
});

test.each(ORDERS.map((order) => [order.join(', '), order] as const))(
  '%s: up two versions and down again',
  async (_name, order) => {
    try {
      await exchangeAll(order);
    } catch (error) {
      stage.keep(scene);
      throw error;
    }
  },
);
