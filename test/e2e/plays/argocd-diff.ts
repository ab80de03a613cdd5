/**
 * How Argo CD compares and applies: whatever is chosen, the app is Synced after a sync, and stays so through two minutes in which nodes
 * come and go and the controller writes.
 */
import type { Fields } from '../../../simulator/store.ts';
import { isWrite } from '../../testbed/audit.ts';
import { pause, until } from '../../testbed/until.ts';
import { patchApp } from '../argocd-api.ts';
import { oursIn } from '../argocd-hygiene.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';
import { heldFirst, PULLER } from './argocd-wave.ts';

const WINDOW = 120_000;
const EVERY = 10_000;
/** Writes of the controller in that time, at least: a node that comes is one. */
const WRITES = 6;

interface Way {
  syncPolicy?: Fields;
  /** Fields of the Application beside. */
  app?: Fields;
  plugin?: Record<string, string>;
}

const HEALING = { automated: { prune: true, selfHeal: true } };

function options(...more: string[]): Fields {
  return { ...HEALING, syncOptions: ['CreateNamespace=true', ...more] };
}

async function staysSynced(scene: HubScene, stage: ArgoStage, way: Way): Promise<void> {
  const { plugin = {}, syncPolicy = options() } = way;
  await scene.join('a');
  await scene.commit('1');
  // Automatic only once it is as it shall be.
  await scene.apply({ plugin });
  if (way.app !== undefined) await patchApp(stage, scene.name, way.app);
  await scene.apply({ plugin, syncPolicy });
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  await scene.atRest();
  const before = await scene.now();
  await scene.commit('2');
  await scene.refresh();
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  if (plugin.gate === 'wave') heldFirst(scene, '2', before);
  await scene.atRest();
  await throughTheWindow(scene, stage);
}

async function isSynced(scene: HubScene): Promise<boolean> {
  return (await scene.app()).status?.sync?.status === 'Synced';
}

/** Nodes come; each brings a pod, and so a verdict. Nobody syncs, and every look finds the app Synced. */
async function throughTheWindow(scene: HubScene, stage: ArgoStage): Promise<void> {
  const since = Date.now();
  const { startedAt } = (await scene.app()).status?.operationState as { startedAt: string };
  const before = await scene.now();
  for (let n = 0; Date.now() - since < WINDOW; n += 1) {
    await scene.join(`late-${n}`);
    await scene.refresh();
    await pause(EVERY);
    expect(await isSynced(scene)).toBe(true);
  }
  const seen = scene.timeline.moments(before).filter(({ object }) => object.kind === 'Application');
  const others = seen.filter(({ object }) => object.status?.sync?.status !== 'Synced');
  expect(others.map(({ object }) => object.status?.sync as unknown)).toEqual([]);
  expect((await scene.app()).status?.operationState).toMatchObject({ startedAt });
  const writes = stage.plane.requestsOf('reconciler').filter((one) => isWrite(one) && one.namespace === scene.name);
  expect(writes.filter(({ at, name }) => at > since && name === PULLER).length).toBeGreaterThan(WRITES);
}

/** The commit that leaves the continuous puller out takes it away, and its class. */
async function pruned(scene: HubScene, stage: ArgoStage, way: Way): Promise<void> {
  await staysSynced(scene, stage, way);
  await giveAddress(scene);
  await scene.commit('2', { prePuller: { continuous: { enabled: false } } });
  await scene.refresh();
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  await until('all of ours is gone', async () => (await oursIn(scene)).length === 0);
  await scene.atRest();
}

/** No cloud gives the proxy's Service an address here; and what is pruned last waits until everything else is well. */
async function giveAddress({ client, name: namespace }: HubScene): Promise<void> {
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  await client.patch({ resource: 'services', namespace, name: 'proxy-public' }, { status }, { subresource: 'status' });
}

const SERVER_SIDE = { metadata: { annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' } } };
const IGNORING = {
  spec: {
    ignoreDifferences: [
      { group: 'apps', kind: 'DaemonSet', jsonPointers: ['/spec/updateStrategy'] },
      { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] },
    ],
  },
};

type Play = (scene: HubScene, stage: ArgoStage, way: Way) => Promise<void>;

function play(name: string, app: string, run: Play, way: Way = {}): HubPlay {
  return { name, app, play: (scene, stage) => run(scene, stage, way) };
}

export const DIFFS: readonly HubPlay[] = [
  play('Synced for two minutes: prune and self-heal', 'pruning', pruned),
  play('Synced for two minutes: PruneLast', 'prune-last', pruned, { syncPolicy: options('PruneLast=true') }),
  play('Synced for two minutes: server-side apply and diff', 'server-side', staysSynced, {
    syncPolicy: options('ServerSideApply=true'),
    app: SERVER_SIDE,
  }),
  play('Synced for two minutes: Replace=true', 'replaced', staysSynced, { syncPolicy: options('Replace=true') }),
  play('Synced for two minutes: ignoreDifferences, respected when applied', 'ignoring', staysSynced, {
    syncPolicy: options('RespectIgnoreDifferences=true'),
    app: IGNORING,
  }),
  play('Synced for two minutes: gate wave, server-side apply and diff', 'wave-server-side', staysSynced, {
    syncPolicy: options('ServerSideApply=true'),
    app: SERVER_SIDE,
    plugin: { gate: 'wave' },
  }),
  play('Synced for two minutes: gate wave, Replace=true', 'wave-replaced', staysSynced, {
    syncPolicy: options('Replace=true'),
    plugin: { gate: 'wave' },
  }),
];
