/** What the control plane does beyond the shared suite: webhooks, orphans, namespaces, forgotten events, bursts. */
import { webhookDenied, webhookDown } from '../../simulator/admission.ts';
import type { Cluster } from '../../simulator/cluster.ts';
import { daemonSet, eventsOf, podsOf, START, withCluster } from './fixtures.ts';

const PULLER = daemonSet({ containers: [{ name: 'pull-0', image: 'r.test/nb:1' }] });

const statusOf = async ({ client }: Cluster) =>
  (await client.get({ resource: 'daemonsets', namespace: 'default', name: 'hook' })).status;

test.each([
  [
    webhookDown('guard.example.org'),
    /^FailedCreate \d+: Error creating: Internal error occurred: failed calling webhook "guard/,
  ],
  [
    webhookDenied('guard.example.org', 'no'),
    /^FailedCreate \d+: Error creating: admission webhook "guard.example.org" denied/,
  ],
])('a webhook that refuses pods: %s', async (error, text) => {
  await withCluster({ nodes: [{ name: 'a' }] }, async (cluster, clock) => {
    cluster.setWebhook((kind) => (kind === 'Pod' ? error : undefined));
    await cluster.apply([PULLER]);
    await clock.advance(60_000);
    expect(await statusOf(cluster)).toMatchObject({
      desiredNumberScheduled: 1,
      currentNumberScheduled: 0,
      observedGeneration: 1,
    });
    expect((await eventsOf(cluster, 'hook'))[0]).toMatch(text);
    cluster.setWebhook(undefined);
    await clock.advance(120_000);
    expect(await statusOf(cluster)).toMatchObject({ currentNumberScheduled: 1, numberReady: 1 });
  });
});

test('refused pods are tried again after a growing wait, and the events about it are combined', async () => {
  const tries: number[] = [];
  await withCluster({ nodes: [{ name: 'a' }] }, async (cluster, clock) => {
    cluster.setWebhook((kind) => {
      if (kind !== 'Pod') return undefined;
      tries.push(clock.now() - START);
      return webhookDenied('guard', `attempt ${String(tries.length)}`);
    });
    await cluster.apply([PULLER]);
    await clock.advance(60_000);
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits.slice(-6)).toEqual([640, 1280, 2560, 5120, 10_240, 20_480]);
    expect((await eventsOf(cluster, 'hook')).at(-1)).toMatch(/\(combined from similar events\): Error creating: /);
  });
});

test('a deletion that orphans leaves the pods without an owner', async () => {
  await withCluster({ nodes: [{ name: 'a' }] }, async (cluster, clock) => {
    await cluster.apply([PULLER]);
    await clock.advance(10_000);
    const ref = { resource: 'daemonsets', namespace: 'default', name: 'hook' };
    await cluster.client.delete(ref, { propagationPolicy: 'Orphan' });
    await clock.advance(1_000);
    expect((await cluster.client.list('daemonsets')).items).toEqual([]);
    expect((await podsOf(cluster)).map(({ metadata }) => metadata.ownerReferences)).toEqual([[]]);
  });
});

test('a namespace takes everything in it along', async () => {
  await withCluster({ nodes: [{ name: 'a' }] }, async (cluster, clock) => {
    await cluster.apply([PULLER]);
    await clock.advance(10_000);
    await cluster.client.delete({ resource: 'namespaces', name: 'default' });
    await clock.advance(1_000);
    for (const resource of ['daemonsets', 'pods', 'events', 'serviceaccounts']) {
      expect((await cluster.client.list(resource, { namespace: 'default' })).items).toEqual([]);
    }
  });
});

test('events are forgotten an hour after they were last written', async () => {
  await withCluster({ nodes: [{ name: 'a' }] }, async (cluster, clock) => {
    await cluster.apply([PULLER]);
    await clock.advance(60_000);
    expect((await cluster.client.list('events')).items.length).toBeGreaterThan(4);
    await clock.advance(80 * 60_000);
    expect((await cluster.client.list('events')).items).toEqual([]);
  });
});

test('pods of a large cluster come 250 at a time', async () => {
  const nodes = Array.from({ length: 600 }, (_, index) => ({ name: `n${String(index)}` }));
  await withCluster({ nodes, events: false, registry: () => ({ takes: 60_000 }) }, async (cluster, clock) => {
    await cluster.apply([PULLER]);
    const counts = new Set<number>();
    for (let step = 0; step < 20; step += 1) {
      await clock.advance(5);
      counts.add((await podsOf(cluster)).length);
    }
    expect([...counts].filter((count) => ![0, 250, 500, 600].includes(count))).toEqual([]);
    await clock.advance(70_000);
    expect(await statusOf(cluster)).toMatchObject({
      desiredNumberScheduled: 600,
      currentNumberScheduled: 600,
      numberReady: 600,
    });
  });
});
