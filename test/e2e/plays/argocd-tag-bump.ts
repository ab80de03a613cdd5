/** A commit that changes the image: pulled first, said in counts meanwhile; the same commit once more pulls nothing and ends in seconds. */
import { hookSaid, judgedAfter, lasted, namedCountsAfter, pulledFirst } from '../argocd-checks.ts';
import type { HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';

/** A hub that runs with its first tag. */
async function withHub(scene: HubScene, syncPolicy = {}): Promise<void> {
  await scene.commit('1');
  await scene.apply({ syncPolicy });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
}

/** The second commit by auto-sync; its operation. */
async function bump(scene: HubScene, tag: string) {
  const revision = await scene.commit(tag);
  await scene.refresh();
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
  return operation;
}

const AUTOMATED = { automated: { prune: true, selfHeal: true } };

async function byCommit(scene: HubScene): Promise<void> {
  const nodes = [await scene.join('a'), await scene.join('b')];
  await scene.commit('1');
  await scene.apply({ syncPolicy: AUTOMATED });
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  await scene.atRest();
  const before = await scene.now();
  const operation = await bump(scene, 'slow-2');
  pulledFirst(scene, nodes, before);
  expect(namedCountsAfter(scene, operation)).toBeLessThan(10_000);
  expect(hookSaid(scene, operation)).toBe('2/2 nodes pulled');
  // What the hub spawns with came with the same write.
  expect(scene.timeline.hubWrites(before).map(({ object }) => `${object.kind}/${object.metadata.name}`)).toContain(
    'Secret/hub',
  );
}

/** Of a hook that has nothing to pull. */
const QUICK = 5_000;
/** Of such a sync: Argo CD renders, and rests two seconds after each wave; the rest is this machine's. */
const SECONDS = 29_000;

async function sameCommit(scene: HubScene): Promise<void> {
  await scene.join('a');
  await scene.join('b');
  await withHub(scene);
  const before = await scene.now();
  const operation = await scene.sync();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  expect(hookSaid(scene, operation)).toBe('2/2 nodes pulled');
  expect(scene.timeline.pullingEvents(before)).toEqual([]);
  expect(scene.timeline.hubWrites(before)).toEqual([]);
  expect(judgedAfter(scene, before)).toBeLessThan(QUICK);
  expect(lasted(scene, operation)).toBeLessThan(SECONDS);
}

/** That the node was full for longer than its grace is known from the sync before. */
async function sameCommitWithFullNode(scene: HubScene): Promise<void> {
  await scene.join('good');
  const full = await scene.joinFull('full');
  await scene.commit('1');
  await scene.apply({ plugin: { 'scheduling-grace': '30s' } });
  const first = await scene.sync({}, 120_000);
  expect(first).toMatchObject({ phase: 'Succeeded' });
  expect(lasted(scene, first)).toBeGreaterThan(30_000);
  const before = await scene.now();
  const second = await scene.sync();
  expect(second).toMatchObject({ phase: 'Succeeded' });
  expect(hookSaid(scene, second)).toMatch(/^1\/2 nodes pulled, 1 tolerated: .*full/);
  expect(hookSaid(scene, second)).toContain(full);
  expect(scene.timeline.pullingEvents(before)).toEqual([]);
  expect(judgedAfter(scene, before)).toBeLessThan(QUICK);
  expect(lasted(scene, second)).toBeLessThan(SECONDS);
}

/** A parameter leaves the chart's own objects alone; the digest on one of them makes it a change for Argo CD. */
async function onlyTheHook(scene: HubScene): Promise<void> {
  const nodes = [await scene.join('a')];
  await scene.commit('1', { prePuller: { continuous: { enabled: false } } });
  await scene.apply({ syncPolicy: AUTOMATED });
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  await scene.atRest();
  const before = await scene.now();
  await scene.apply({ plugin: { images: ['registry.test/desktop:1'] }, syncPolicy: AUTOMATED });
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, nodes, before);
  expect(scene.timeline.hubWrites(before)).toHaveLength(1);
  expect(JSON.stringify(scene.timeline.pullingEvents(before))).toContain('registry.test/desktop:1');
}

export const TAG_BUMP: readonly HubPlay[] = [
  { name: 'the same commit with a full node: tolerated at once', app: 'same-full', play: sameCommitWithFullNode },
  { name: 'a tag bump pulls, says how far, and then changes the hub', app: 'bump', play: byCommit },
  { name: 'the same commit once more: nothing is pulled or written, in seconds', app: 'same', play: sameCommit },
  { name: 'an image more in the hook alone makes the app OutOfSync, and is pulled', app: 'extra', play: onlyTheHook },
];
