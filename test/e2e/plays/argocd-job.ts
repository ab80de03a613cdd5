/** The job gate where Argo CD has no health script of ours and no controller runs: the same verdicts, by the exit code of a Job. */
import { readFileSync } from 'node:fs';
import { awaiterLog } from '../argocd-awaiters.ts';
import { pulledFirst } from '../argocd-checks.ts';
import { hookIsGone, oursIn } from '../argocd-hygiene.ts';
import type { AppOptions } from '../argocd-hub.ts';
import { LAB } from '../argocd-hub.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene, Operation } from '../argocd-scene.ts';
import { clean } from './argocd-switch.ts';

const AWAITER = 'jobs/hook-image-puller-await';

function job(more: Record<string, string> = {}): AppOptions {
  return { plugin: { gate: 'job', image: 'registry.test/argocd-prepuller:1', ...more } };
}

function said({ name }: HubScene, { plane }: ArgoStage): string {
  return readFileSync(awaiterLog({ plane }, name), 'utf8');
}

/** What Argo CD says of the Job's end. */
function ofJob({ syncResult }: Operation): unknown {
  return syncResult?.resources?.find(({ kind }) => kind === 'Job');
}

async function fullNode(scene: HubScene, stage: ArgoStage): Promise<void> {
  const good = await scene.join('good');
  const full = await scene.joinFull('full');
  await scene.commit('slow-1');
  await scene.apply(job());
  const operation = await scene.sync();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  expect(ofJob(operation)).toMatchObject({ hookPhase: 'Succeeded', hookType: 'PreSync' });
  pulledFirst(scene, [good]);
  expect(said(scene, stage)).toMatch(/1\/2 nodes pulled, 1 tolerated: .*full/);
  expect(said(scene, stage)).toContain(full);
  await hookIsGone(scene);
  const before = await scene.now();
  await scene.commit('2');
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [good], before);
}

async function strictly(scene: HubScene, stage: ArgoStage): Promise<void> {
  await scene.join('good');
  const full = await scene.joinFull('full');
  await scene.commit('1');
  await scene.apply(job({ strict: 'true' }));
  const operation = await scene.sync();
  expect(operation).toMatchObject({ phase: 'Failed' });
  expect(ofJob(operation)).toMatchObject({ hookPhase: 'Failed' });
  expect(said(scene, stage)).toContain(full);
  expect(scene.timeline.hubWrites()).toEqual([]);
}

async function missingImage(scene: HubScene, stage: ArgoStage): Promise<void> {
  const nodes = [await scene.join('a')];
  await scene.commit('missing');
  await scene.apply(job());
  const operation = await scene.sync({}, 120_000);
  expect(operation).toMatchObject({ phase: 'Failed' });
  expect(ofJob(operation)).toMatchObject({ hookPhase: 'Failed' });
  expect(said(scene, stage)).toContain(`${LAB}:missing`);
  expect(scene.timeline.hubWrites()).toEqual([]);
  expect(await oursIn(scene, ['hook', 'prerequisite'])).toEqual(
    expect.arrayContaining(['daemonsets/hook-image-puller', AWAITER]),
  );
  const before = await scene.now();
  await scene.commit('2');
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes, before);
  await hookIsGone(scene);
}

/** With the right to read nodes a node that is not ready is named. */
async function unreadyNode(scene: HubScene, stage: ArgoStage): Promise<void> {
  const good = await scene.join('good');
  const unready = await scene.join('unready');
  await scene.nodes.say(unready, 'Ready', 'False');
  await scene.commit('1');
  await scene.apply(job({ 'emit-node-role': 'true' }));
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [good]);
  expect(said(scene, stage)).toContain(unready);
  await hookIsGone(scene);
  expect(await oursIn(scene, ['prerequisite'])).toEqual([expect.stringMatching(/^priorityclasses\//)]);
}

/** From presync and back to it, after a sync that failed and one that did not: what the failed Job left holds nothing, and `clean` takes it. */
async function switched(scene: HubScene, stage: ArgoStage): Promise<void> {
  const nodes = [await scene.join('a')];
  const gates = [{}, job(), {}];
  for (const [index, gate] of gates.entries()) {
    const before = await scene.now();
    await scene.apply(gate);
    await scene.commit(String(index + 1));
    const operation = await scene.sync();
    expect(operation).toMatchObject({ phase: 'Succeeded' });
    expect(ofJob(operation) !== undefined).toBe('plugin' in gate);
    pulledFirst(scene, nodes, before);
    await hookIsGone(scene);
  }
  await scene.apply(job());
  await scene.commit('missing');
  expect(await scene.sync({}, 120_000)).toMatchObject({ phase: 'Failed' });
  const before = await scene.now();
  await scene.apply();
  await scene.commit('4');
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes, before);
  expect(await oursIn(scene, ['prerequisite'])).toContain(AWAITER);
  expect(await clean(scene, stage)).toContain('removed jobs');
  await hookIsGone(scene);
}

/** Argo CD's own rule waits for the last node: because the health script is gone (docs/operations.md), or because it is asked for. */
function presyncByBuiltin(plugin: Record<string, string>) {
  return async (scene: HubScene): Promise<void> => {
    const nodes = [await scene.join('a'), await scene.join('b')];
    await scene.commit('slow-1');
    await scene.apply({ plugin });
    const operation = await scene.sync();
    expect(operation).toMatchObject({ phase: 'Succeeded' });
    pulledFirst(scene, nodes);
    const relayed = scene.timeline.said(operation.startedAt).map(({ hook }) => hook);
    expect(relayed).toContainEqual(expect.stringContaining('updated pods are available'));
    expect(relayed).not.toContainEqual(expect.stringContaining('nodes pulled'));
  };
}

export const JOBS: readonly HubPlay[] = [
  { name: 'job: switched from presync and back, after a failed sync too', app: 'job-switched', play: switched },
  { name: 'job: a missing image fails the sync, the right tag goes through', app: 'job-missing', play: missingImage },
  { name: 'job: a full node is tolerated and named, twice', app: 'job-full', play: fullNode },
  { name: 'job: strict fails with a full node', app: 'job-strict', play: strictly },
  { name: 'job: a node that is not ready is named where nodes may be read', app: 'job-unready', play: unreadyNode },
  {
    name: 'presync without script and controller: Argo CD’s own rule judges',
    app: 'no-script',
    play: presyncByBuiltin({}),
  },
  {
    name: 'presync with `judge: builtin` waits for the images all the same',
    app: 'builtin',
    play: presyncByBuiltin({ judge: 'builtin' }),
  },
];
