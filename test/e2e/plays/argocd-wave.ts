/** The wave gate: the continuous puller is an ordinary object, and what the hub is made of waits for it; and where it does not hold. */
import type { ApiObject, Fields } from '../../../simulator/store.ts';
import { OBSERVED_GENERATION_CONDITION, PULLED_CONDITION, ROLE_LABEL } from '../../../src/api/names.ts';
import { until } from '../../testbed/until.ts';
import { apiOf, demand, terminate } from '../argocd-api.ts';
import { stays } from '../argocd-checks.ts';
import { oursIn } from '../argocd-hygiene.ts';
import type { AppOptions } from '../argocd-hub.ts';
import { LAB } from '../argocd-hub.ts';
import type { Moment } from '../argocd-recorder.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';

const WAVE: AppOptions = { plugin: { gate: 'wave' } };
const AUTOMATED: AppOptions = { ...WAVE, syncPolicy: { automated: { prune: true, selfHeal: true } } };
export const PULLER = 'continuous-image-puller';

/** Writes to what the hub itself is made of. */
export function coreWrites({ timeline }: HubScene, since = 0): Moment[] {
  const kinds = ['Secret', 'ConfigMap', 'Deployment'];
  return timeline
    .hubWrites(since)
    .filter(({ object }) => object.metadata.name === 'hub' && kinds.includes(object.kind));
}

/** When the continuous puller had its verdict for a generation with this tag. */
export function pulledByPuller({ timeline }: HubScene, tag: string, since = 0): Moment | undefined {
  return timeline.moments(since).find(({ type, object }) => type !== 'DELETED' && isJudged(object, tag));
}

function isJudged({ kind, metadata, spec, status }: ApiObject, tag: string): boolean {
  if (kind !== 'DaemonSet' || metadata.labels?.[ROLE_LABEL] !== 'continuous') return false;
  const conditions = (status?.conditions ?? []) as { type: string; status: string; reason: string }[];
  const has = (type: string, field: 'status' | 'reason', value: string): boolean =>
    conditions.some((one) => one.type === type && one[field] === value);
  const isOfThis = has(OBSERVED_GENERATION_CONDITION, 'reason', `Generation${String(metadata.generation)}`);
  return isOfThis && has(PULLED_CONDITION, 'status', 'True') && JSON.stringify(spec).includes(`${LAB}:${tag}`);
}

/** The hub was written, and not before the puller had its verdict for this tag. */
export function heldFirst(scene: HubScene, tag: string, since = 0): void {
  const [first] = coreWrites(scene, since);
  const verdict = pulledByPuller(scene, tag, since);
  expect(first).toBeDefined();
  expect(verdict).toBeDefined();
  expect(verdict!.revision).toBeLessThan(first!.revision);
}

async function withHub(scene: HubScene, options: AppOptions = WAVE, tag = '1'): Promise<number> {
  await scene.join('a');
  await scene.commit(tag);
  await scene.apply(options);
  const operation = await (options.syncPolicy?.automated === undefined ? scene.sync() : scene.ended());
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  heldFirst(scene, tag);
  await scene.atRest();
  return scene.now();
}

async function automatic(scene: HubScene): Promise<void> {
  const before = await withHub(scene, AUTOMATED);
  const revision = await scene.commit('slow-2');
  await scene.refresh();
  await scene.running('says what it waits for', ({ message }) => message.includes(`apps/DaemonSet/${PULLER}`));
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
  heldFirst(scene, 'slow-2', before);
  expect(await oursIn(scene, ['hook'])).toEqual([]);
}

async function badNodesAndImages(scene: HubScene): Promise<void> {
  await scene.joinFull('full');
  await withHub(scene);
  const stated = ((await scene.find('daemonsets', PULLER))?.status?.conditions ?? []) as Fields[];
  expect(JSON.stringify(stated)).toContain(`${scene.name}-full`);
  const before = await scene.now();
  await scene.commit('missing');
  const failed = await scene.sync({}, 120_000);
  expect(failed).toMatchObject({ phase: 'Failed' });
  expect(coreWrites(scene, before)).toEqual([]);
  await scene.commit('2');
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  heldFirst(scene, '2', before);
}

/** Of the hub's Deployment and the puller. */
async function bothDiffer(scene: HubScene): Promise<boolean> {
  const resources = (await scene.app()).status?.resources as { kind: string; name: string; status?: string }[];
  const differing = resources.filter(({ status }) => status === 'OutOfSync').map(({ kind, name }) => `${kind}/${name}`);
  return differing.includes('Deployment/hub') && differing.includes(`DaemonSet/${PULLER}`);
}

/** What a node that comes has to pull. */
const HEALED = 'slow-1';

/**
 * Both are gone or changed by hand, and a node comes; Argo CD puts them back without any hook. What it wrote of the hub first, and the
 * verdict. Self-heal is a sync of what differs when it begins, so it is off until Argo CD has seen both.
 */
async function selfHealed(scene: HubScene, options: AppOptions): Promise<{ hub: Moment; verdict: Moment }> {
  await scene.apply({ ...options, syncPolicy: { automated: null } });
  const before = await scene.now();
  await scene.client.delete({ resource: 'daemonsets', namespace: scene.name, name: PULLER });
  await scene.client.patch({ resource: 'deployments', namespace: scene.name, name: 'hub' }, { spec: { replicas: 0 } });
  const byHand = await until('the hand is seen', () => coreWrites(scene, before)[0]);
  await until('Argo CD has seen both', () => bothDiffer(scene));
  await scene.join('b');
  await scene.apply(options);
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  const [hub] = coreWrites(scene, byHand.revision);
  const verdict = await until('the puller is judged', () => pulledByPuller(scene, HEALED, byHand.revision));
  expect(hub).toBeDefined();
  expect(scene.timeline.judged(before)).toBeUndefined();
  return { hub: hub!, verdict };
}

async function healsInOrder(scene: HubScene): Promise<void> {
  await withHub(scene, AUTOMATED, HEALED);
  const { hub, verdict } = await selfHealed(scene, AUTOMATED);
  expect(verdict.revision).toBeLessThan(hub.revision);
}

/** As docs/gates.md says: no hook runs on self-heal. */
async function presyncHealsAtOnce(scene: HubScene): Promise<void> {
  const automated: AppOptions = { syncPolicy: AUTOMATED.syncPolicy! };
  await scene.join('a');
  await scene.commit(HEALED);
  await scene.apply(automated);
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  await scene.atRest();
  const { hub, verdict } = await selfHealed(scene, automated);
  expect(hub.revision).toBeLessThan(verdict.revision);
}

/** A sync waits for the puller with this tag. Argo CD names it before it applies it, too. */
async function waitsForPuller(scene: HubScene, tag: string): Promise<void> {
  await until('the puller has the tag', async () =>
    JSON.stringify((await scene.find('daemonsets', PULLER))?.spec).includes(`${LAB}:${tag}`),
  );
  await scene.running('waits for the puller', ({ message }) => message.includes(`apps/DaemonSet/${PULLER}`));
}

/** Argo CD waits for an object that is gone, and makes no other until the sync is terminated: as docs/gates.md says. */
async function deletedByHand(scene: HubScene, stage: ArgoStage): Promise<void> {
  const before = await withHub(scene);
  await scene.commit('endless-2');
  await scene.begin();
  await waitsForPuller(scene, 'endless-2');
  await scene.client.delete({ resource: 'daemonsets', namespace: scene.name, name: PULLER });
  await stays('the hub is as it was', 5_000, () => Promise.resolve(coreWrites(scene, before).length === 0));
  await scene.running('still waits', ({ message }) => message.includes(`apps/DaemonSet/${PULLER}`));
  await terminate(stage, scene.name);
  expect(await scene.ended()).toMatchObject({ phase: 'Failed' });
  // The first node is at work on the endless image.
  await scene.join('b', { labels: { next: scene.name } });
  await scene.commit('3', { singleuser: { nodeSelector: { next: scene.name } } });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  heldFirst(scene, '3', before);
}

/** A rollback runs no hooks, but waves. */
async function rolledBack(scene: HubScene, stage: ArgoStage): Promise<void> {
  await withHub(scene);
  await scene.commit('2');
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  const [{ id }] = (await scene.app()).status?.history as [{ id: number }];
  const before = await scene.now();
  await demand(await apiOf(stage), 'POST', scene.name, '/rollback', { id });
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  heldFirst(scene, '1', before);
}

/** As docs/gates.md says: the puller is no part of it. */
async function selective(scene: HubScene): Promise<void> {
  const before = await withHub(scene);
  await scene.commit('endless-2');
  const resources = [{ kind: 'Secret', name: 'hub' }];
  expect(await scene.sync({ resources })).toMatchObject({ phase: 'Succeeded' });
  expect(coreWrites(scene, before).map(({ object }) => object.kind)).toEqual(['Secret']);
  expect(JSON.stringify((await scene.find('daemonsets', PULLER))?.spec)).toContain(`${LAB}:1`);
}

/** A wave waits in each sync, until only what differs is applied: then a puller applied before is no part of it any more. */
async function outOfSyncOnly(scene: HubScene, stage: ArgoStage): Promise<void> {
  await withHub(scene);
  const only = { syncOptions: ['CreateNamespace=true', 'ApplyOutOfSyncOnly=true'] };
  let before = await scene.now();
  await scene.commit('slow-2');
  expect(await scene.sync(only)).toMatchObject({ phase: 'Succeeded' });
  heldFirst(scene, 'slow-2', before);
  before = await scene.now();
  await scene.commit('endless-3');
  for (const sync of [only, {}]) {
    await scene.begin(sync);
    await waitsForPuller(scene, 'endless-3');
    await stays('the hub is as it was', 3_000, () => Promise.resolve(coreWrites(scene, before).length === 0));
    await terminate(stage, scene.name);
    expect(await scene.ended()).toMatchObject({ phase: 'Failed' });
  }
  expect(await scene.sync(only)).toMatchObject({ phase: 'Succeeded' });
  expect(coreWrites(scene, before).length).toBeGreaterThan(0);
  expect(pulledByPuller(scene, 'endless-3', before)).toBeUndefined();
}

export const WAVES: readonly HubPlay[] = [
  { name: 'wave: an automatic sync waits for the puller, then changes the hub', app: 'wave-auto', play: automatic },
  {
    name: 'wave: a full node is named, a missing image keeps the hub as it is',
    app: 'wave-bad',
    play: badNodesAndImages,
  },
  { name: 'wave: self-heal waits for the puller too', app: 'wave-heal', play: healsInOrder },
  { name: 'presync: self-heal runs no hook', app: 'presync-heal', play: presyncHealsAtOnce },
  { name: 'wave: a rollback waits for the puller too', app: 'wave-back', play: rolledBack },
  {
    name: 'wave: a puller deleted by hand is waited for until the sync is terminated',
    app: 'wave-hand',
    play: deletedByHand,
  },
  { name: 'wave: a sync of chosen resources does not wait', app: 'wave-chosen', play: selective },
  {
    name: 'wave: what is applied already is not waited for with ApplyOutOfSyncOnly',
    app: 'wave-only',
    play: outOfSyncOnly,
  },
];
