/** Something is taken away while a sync waits, or after: all ends, nothing of ours is left, and nothing that others use goes. */
import type { Fields } from '../../../simulator/store.ts';
import { until } from '../../testbed/until.ts';
import { apiOf, demand, terminate } from '../argocd-api.ts';
import { hookSaid, pulledFirst } from '../argocd-checks.ts';
import { hookIsGone, oursIn, shareWithOthers, sharedUids } from '../argocd-hygiene.ts';
import type { Uids } from '../argocd-hygiene.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';

const HOOK = 'hook-image-puller';

/** A hub that runs with its first tag, on one node; the values that make it share with others. */
async function withHub(scene: HubScene): Promise<Fields> {
  await scene.join('a');
  const values = await shareWithOthers(scene);
  await scene.commit('1', values);
  await scene.apply();
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  await hookIsGone(scene);
  return values;
}

/** A sync that waits for an image that takes longer than any test; etcd's revision before it. */
async function waitingSync(scene: HubScene, values: Fields): Promise<number> {
  const before = await scene.now();
  await scene.commit('endless', values);
  await scene.begin();
  await until('the hook pulls', () => scene.timeline.pullingEvents(before).length > 0);
  return before;
}

/** All of `before` is there, as it was. */
async function expectStays(scene: HubScene, before: Uids): Promise<void> {
  const after = await sharedUids(scene);
  expect(before.size).toBeGreaterThan(5);
  expect(Object.fromEntries(after)).toMatchObject(Object.fromEntries(before));
}

/** A tag that exists goes through after all that, and leaves nothing. */
async function goesOn(scene: HubScene, values: Fields, shared: Uids): Promise<void> {
  const before = await scene.now();
  // The node is at work on the endless image, and pulls one after another.
  const node = await scene.join('b', { labels: { next: scene.name } });
  const singleuser = { ...(values.singleuser as Fields), nodeSelector: { next: scene.name } };
  await scene.commit('2', { ...values, singleuser });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [node], before);
  await hookIsGone(scene);
  await expectStays(scene, shared);
}

function deletedByHand(propagationPolicy: 'Foreground' | 'Background') {
  return async (scene: HubScene): Promise<void> => {
    const values = await withHub(scene);
    const shared = await sharedUids(scene);
    const before = await waitingSync(scene, values);
    await scene.client.delete({ resource: 'daemonsets', namespace: scene.name, name: HOOK }, { propagationPolicy });
    const operation = await scene.ended();
    expect(operation).toMatchObject({ phase: 'Failed' });
    expect(hookSaid(scene, operation)).toContain('deleted');
    expect(scene.timeline.hubWrites(before)).toEqual([]);
    await expectStays(scene, shared);
    await goesOn(scene, values, shared);
  };
}

async function terminated(scene: HubScene, stage: ArgoStage): Promise<void> {
  const values = await withHub(scene);
  const shared = await sharedUids(scene);
  const before = await waitingSync(scene, values);
  await terminate(stage, scene.name);
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
  await until('the puller is gone', async () => (await scene.find('daemonsets', HOOK)) === undefined);
  expect(scene.timeline.hubWrites(before)).toEqual([]);
  await expectStays(scene, shared);
  // Copies had done their part, so Argo CD leaves them: they wait for the next good sync.
  expect(await oursIn(scene, ['prerequisite'])).toContainEqual(expect.stringMatching(/^secrets\/.*prepull/));
  await goesOn(scene, values, shared);
}

/** Argo CD rolls back without hooks: the old images are on the nodes, or come beside. */
async function rolledBack(scene: HubScene, stage: ArgoStage): Promise<void> {
  const values = await withHub(scene);
  const shared = await sharedUids(scene);
  await scene.commit('2', values);
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  const api = await apiOf(stage);
  const history = (await scene.app()).status?.history as { id: number }[];
  const before = await scene.now();
  await demand(api, 'POST', scene.name, '/rollback', { id: history[0]!.id, prune: true });
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  expect(scene.timeline.hubWrites(before).length).toBeGreaterThan(0);
  expect(scene.timeline.judged(before)).toBeUndefined();
  expect(await oursIn(scene, ['hook'])).toEqual([]);
  await expectStays(scene, shared);
}

type Propagation = 'foreground' | 'background';

/** Deletes the Application with all it made, and waits until both are gone. */
async function deleteApp(scene: HubScene, stage: ArgoStage, propagation: Propagation): Promise<void> {
  const api = await apiOf(stage);
  await demand(api, 'DELETE', scene.name, `?cascade=true&propagationPolicy=${propagation}`);
}

async function appIsGone(scene: HubScene): Promise<void> {
  const isThere = (): Promise<boolean> =>
    scene.app().then(
      () => true,
      () => false,
    );
  await until(`the Application ${scene.name} is gone`, async () => !(await isThere()), { within: 60_000 });
  await until('all of ours is gone', async () => (await oursIn(scene)).length === 0);
  const left = await sharedUids(scene);
  expect([...left.keys()]).toEqual([
    `priorityclasses/shared-${scene.name}`,
    'secrets/shared-pull',
    'serviceaccounts/default',
    'serviceaccounts/shared',
  ]);
}

function onlyShared(uids: Uids): Uids {
  return new Map([...uids].filter(([key]) => key.includes('/shared') || key === 'serviceaccounts/default'));
}

function deletedAtRest(propagation: Propagation) {
  return async (scene: HubScene, stage: ArgoStage): Promise<void> => {
    await withHub(scene);
    const shared = onlyShared(await sharedUids(scene));
    await deleteApp(scene, stage, propagation);
    await appIsGone(scene);
    expect(await sharedUids(scene)).toEqual(shared);
  };
}

/** A failed sync keeps its hook, for people to look at. */
function deletedAfterFailure(propagation: Propagation) {
  return async (scene: HubScene, stage: ArgoStage): Promise<void> => {
    await scene.join('a');
    const values = await shareWithOthers(scene);
    await scene.commit('missing', values);
    await scene.apply();
    expect(await scene.sync({}, 120_000)).toMatchObject({ phase: 'Failed' });
    expect(await oursIn(scene, ['hook'])).toContain(`daemonsets/${HOOK}`);
    const shared = onlyShared(await sharedUids(scene));
    await deleteApp(scene, stage, propagation);
    await appIsGone(scene);
    expect(await sharedUids(scene)).toEqual(shared);
  };
}

/** Nothing of the hub is there yet. */
async function deletedInFirstSync(scene: HubScene, stage: ArgoStage): Promise<void> {
  await scene.join('a');
  const values = await shareWithOthers(scene);
  const shared = onlyShared(await sharedUids(scene));
  await scene.commit('endless', values);
  await scene.apply();
  await waitingSync(scene, values);
  await deleteApp(scene, stage, 'foreground');
  await terminate(stage, scene.name);
  await appIsGone(scene);
  expect(await sharedUids(scene)).toEqual(shared);
}

/** Argo CD ends the operation first. Whoever will not wait terminates it. */
function deletedMeanwhile(propagation: Propagation) {
  return async (scene: HubScene, stage: ArgoStage): Promise<void> => {
    const values = await withHub(scene);
    const shared = onlyShared(await sharedUids(scene));
    await waitingSync(scene, values);
    await deleteApp(scene, stage, propagation);
    await terminate(stage, scene.name);
    await appIsGone(scene);
    expect(await sharedUids(scene)).toEqual(shared);
  };
}

/** Nobody terminates anything: the hook ends, the sync goes through, and then all of it goes. */
async function deletedAndWaitedFor(scene: HubScene, stage: ArgoStage): Promise<void> {
  const values = await withHub(scene);
  const shared = onlyShared(await sharedUids(scene));
  const before = await scene.now();
  await scene.commit('slow-2', values);
  await scene.begin();
  await until('the hook pulls', () => scene.timeline.pullingEvents(before).length > 0);
  await deleteApp(scene, stage, 'foreground');
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [`${scene.name}-a`], before);
  await appIsGone(scene);
  expect(await sharedUids(scene)).toEqual(shared);
}

export const DELETION: readonly HubPlay[] = [
  {
    name: 'a puller deleted by hand fails the sync, and the next goes through',
    app: 'by-hand',
    play: deletedByHand('Background'),
  },
  { name: 'the same with foreground deletion', app: 'by-hand-fg', play: deletedByHand('Foreground') },
  { name: 'a sync terminated takes its puller along, and the next goes through', app: 'terminated', play: terminated },
  { name: 'a rollback runs no hook, and takes nothing that others use', app: 'rollback', play: rolledBack },
  { name: 'the Application deleted at rest, foreground', app: 'rest-fg', play: deletedAtRest('foreground') },
  { name: 'the Application deleted at rest, background', app: 'rest-bg', play: deletedAtRest('background') },
  {
    name: 'the Application deleted after a failed sync, foreground',
    app: 'failed-fg',
    play: deletedAfterFailure('foreground'),
  },
  {
    name: 'the Application deleted after a failed sync, background',
    app: 'failed-bg',
    play: deletedAfterFailure('background'),
  },
  { name: 'the Application deleted in mid-hook, foreground', app: 'mid-fg', play: deletedMeanwhile('foreground') },
  { name: 'the Application deleted in mid-hook, background', app: 'mid-bg', play: deletedMeanwhile('background') },
  { name: 'the Application deleted in the hook of its first sync', app: 'mid-first', play: deletedInFirstSync },
  {
    name: 'the Application deleted in mid-hook, and nobody terminates it',
    app: 'mid-waits',
    play: deletedAndWaitedFor,
  },
];
