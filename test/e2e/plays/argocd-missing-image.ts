/**
 * An image that is not there: the sync fails soon, once and in words that help, and the hub is not touched; the commit that puts it
 * right goes through without hands, however Argo CD was told to retry. The window is shortened to five seconds where it is not the point.
 */
import type { Fields } from '../../../simulator/store.ts';
import { until } from '../../testbed/until.ts';
import { hookSaid, pulledFirst } from '../argocd-checks.ts';
import { LAB } from '../argocd-hub.ts';
import type { HubPlay } from '../argocd-stage.ts';
import type { HubScene, Operation } from '../argocd-scene.ts';

const automated = { prune: true, selfHeal: true };

/** When a pull failed: milliseconds since 1970, of each time that it is told. */
function pullErrors({ timeline }: HubScene): number[] {
  const isError = (message: unknown): boolean =>
    typeof message === 'string' && message.startsWith('Failed to pull image');
  return timeline.moments().flatMap(({ at, object }) => (isError(object.message) ? [at] : []));
}

/** A hub that runs with its first tag; etcd's revision then. */
async function withHub(scene: HubScene, retry?: object, plugin = {}): Promise<number> {
  await scene.join('a');
  await scene.commit('1');
  await scene.apply({ plugin, syncPolicy: { automated, ...(retry && { retry }) } });
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded' });
  await scene.atRest();
  return scene.now();
}

function expectMissing(scene: HubScene, operation: Operation): void {
  const said = hookSaid(scene, operation);
  expect(said).toContain(`${LAB}:missing`);
  expect(said).toContain(`${scene.name}-a`);
  expect(said).toMatch(/not found/);
}

/** The right tag goes through, by Argo CD alone. */
async function putRight(scene: HubScene): Promise<void> {
  const before = await scene.now();
  const revision = await scene.commit('2');
  await scene.refresh();
  expect(await scene.ended(120_000)).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
  pulledFirst(scene, [`${scene.name}-a`], before);
}

async function withDefaults(scene: HubScene): Promise<void> {
  await scene.join('a');
  await scene.commit('missing');
  const window = { 'missing-image-window': '2m' };
  await scene.apply({ plugin: window });
  const operation = await scene.sync({}, 200_000);
  expect(operation).toMatchObject({ phase: 'Failed' });
  expectMissing(scene, operation);
  const [first = 0] = pullErrors(scene);
  expect(Date.parse(operation.finishedAt ?? '') - first).toBeLessThan(180_000);
  expect(scene.timeline.hubWrites()).toEqual([]);
}

async function withoutRetries(scene: HubScene): Promise<void> {
  const before = await withHub(scene, { limit: 0 });
  const revision = await scene.commit('missing');
  await scene.refresh();
  const operation = await scene.ended();
  expect(operation).toMatchObject({ phase: 'Failed', syncResult: { revision } });
  expectMissing(scene, operation);
  expect(scene.timeline.hubWrites(before)).toEqual([]);
  await putRight(scene);
}

/** Argo CD tries a commit six times and looks at no other meanwhile. Its back-offs, five minutes in all, are shortened here. */
async function withDefaultRetries(scene: HubScene): Promise<void> {
  await withHub(scene);
  const limits = scene.timeline
    .moments()
    .map(({ object }) => (object.operation as Fields | undefined)?.retry?.limit as unknown);
  expect(limits).toContain(5);
  const retry = { limit: 5, backoff: { duration: '1s', factor: 1, maxDuration: '1s' } };
  await scene.apply({ syncPolicy: { automated, retry } });
  const before = await scene.now();
  await scene.commit('missing');
  await scene.refresh();
  await scene.running('the commit is tried again', ({ retryCount = 0 }) => retryCount >= 1, 60_000);
  const revision = await scene.commit('2');
  await scene.refresh();
  const wrong = await scene.ended(200_000);
  expect(wrong).toMatchObject({ phase: 'Failed', retryCount: 5 });
  expectMissing(scene, wrong);
  expect(scene.timeline.hubWrites(before)).toEqual([]);
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
  pulledFirst(scene, [`${scene.name}-a`], before);
}

async function withRefreshOnRetry(scene: HubScene): Promise<void> {
  const before = await withHub(scene, {
    limit: 5,
    refresh: true,
    backoff: { duration: '5s', factor: 2, maxDuration: '1m' },
  });
  await scene.commit('missing');
  await scene.refresh();
  await scene.running('the commit is tried again', ({ retryCount = 0 }) => retryCount >= 1, 60_000);
  expect(scene.timeline.hubWrites(before)).toEqual([]);
  await putRight(scene);
}

/** What is confirmed by a second look, ten seconds later, is the first error: the kubelet need not try again. */
async function laterAttempts(scene: HubScene): Promise<void> {
  const before = await withHub(scene, { limit: 0 }, { 'missing-image-window': '20s' });
  await scene.commit('missing');
  await scene.refresh();
  expect(await scene.ended()).toMatchObject({ phase: 'Failed' });
  expect(untilFailed(scene, before)).toBeGreaterThan(20_000);
  for (let attempt = 2; attempt <= 3; attempt += 1) {
    const since = await scene.now();
    const again = await scene.sync();
    expect(again).toMatchObject({ phase: 'Failed' });
    expectMissing(scene, again);
    expect(untilFailed(scene, since)).toBeLessThan(15_000);
  }
  expect(scene.timeline.hubWrites(before)).toEqual([]);
}

/** Milliseconds from the hook's first pull error to its verdict. */
function untilFailed(scene: HubScene, since: number): number {
  const { made, verdict } = scene.timeline.judged(since)!;
  return verdict.at - pullErrors(scene).find((at) => at > made.at)!;
}

async function arrivesInTime(scene: HubScene): Promise<void> {
  const before = await withHub(scene, { limit: 0 }, { 'missing-image-window': '60s' });
  const revision = await scene.commit('missing-yet');
  await scene.refresh();
  await until('the first pull failed', () => pullErrors(scene).length > 0);
  scene.registry.publish(`${LAB}:missing-yet`);
  expect(await scene.ended()).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
  pulledFirst(scene, [`${scene.name}-a`], before);
}

export const MISSING_IMAGE: readonly HubPlay[] = [
  {
    name: 'with the default window of two minutes it fails within three minutes of the first error',
    app: 'defaults',
    play: withDefaults,
  },
  {
    name: 'default retries: the right tag goes through when they are used up',
    app: 'retried',
    play: withDefaultRetries,
  },
  { name: 'no retries: it fails once, the right tag goes through', app: 'once', play: withoutRetries },
  {
    name: 'refresh on retry: the right tag goes through at the next attempt',
    app: 'refreshed',
    play: withRefreshOnRetry,
  },
  { name: 'later attempts of the same commit fail at their first pull error', app: 'again', play: laterAttempts },
  { name: 'an image that appears within the window', app: 'late', play: arrivesInTime },
];
