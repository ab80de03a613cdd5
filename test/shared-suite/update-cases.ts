/** A puller that changes, goes, comes again, or is not alone (EVIDENCE H-34, H-35, A-04; DESIGN sections 6 and 7). */
import assert from 'node:assert/strict';
import type { ApiObject } from '../../simulator/store.ts';
import type { Bench, Case } from './suite.ts';
import { eventually, expectCounts, filler, getPuller, GOOD, OTHER, podsOf, puller, refusal, SLOW } from './suite.ts';

async function setImage({ client, namespace }: Bench, image: string): Promise<void> {
  const spec = { template: { spec: { containers: [{ name: 'pull-0', image }] } } };
  await client.patch({ resource: 'daemonsets', namespace, name: 'hook' }, { spec });
}

function imageOf(pod: ApiObject): string {
  return (pod.spec?.containers as { image: string }[])[0]?.image ?? '';
}

async function imagesNow(bench: Bench): Promise<string[]> {
  return [...(await podsOf(bench, 'hook')).values()].map(imageOf).sort();
}

/** Two nodes with the image and a full one. */
async function startWithFullNode(bench: Bench, maxUnavailable: number | string): Promise<void> {
  const full = await bench.addNode('full', { pods: 1 });
  await bench.client.create(filler(bench.namespace, 'filler', full));
  await eventually(bench, async () => {
    const pod = await bench.client.get({ resource: 'pods', namespace: bench.namespace, name: 'filler' });
    assert.equal(pod.spec?.nodeName, full);
  });
  await Promise.all([bench.addNode('a'), bench.addNode('b')]);
  const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } };
  await bench.client.create(puller(bench.namespace, 'hook', GOOD, { spec }));
  await expectCounts(bench, 'hook', { desired: 3, current: 3, ready: 2, updated: 3 });
}

async function maxUnavailableOne(bench: Bench): Promise<void> {
  await startWithFullNode(bench, 1);
  await setImage(bench, OTHER);
  // The full node's old pod is replaced at once and stays unavailable: the others never get their turn.
  await expectCounts(bench, 'hook', { desired: 3, current: 3, ready: 2, updated: 1 });
  await bench.wait(5_000);
  assert.deepEqual(await imagesNow(bench), [GOOD, GOOD, OTHER]);
}

async function maxUnavailableAll(bench: Bench): Promise<void> {
  await startWithFullNode(bench, '100%');
  await setImage(bench, OTHER);
  await expectCounts(bench, 'hook', { desired: 3, current: 3, ready: 2, updated: 3 });
  assert.deepEqual(await imagesNow(bench), [OTHER, OTHER, OTHER]);
}

async function changedMidPull(bench: Bench): Promise<void> {
  await Promise.all([bench.addNode('a'), bench.addNode('b')]);
  const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } };
  await bench.client.create(puller(bench.namespace, 'hook', SLOW, { spec }));
  await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 0 });
  await setImage(bench, OTHER);
  const daemonSet = await expectCounts(bench, 'hook', { desired: 2, current: 2, updated: 2, ready: 2 });
  assert.equal(daemonSet.metadata.generation, 2);
  assert.equal(daemonSet.metadata.annotations?.['deprecated.daemonset.template.generation'], '2');
  assert.deepEqual(await imagesNow(bench), [OTHER, OTHER]);
}

async function onDelete(bench: Bench): Promise<void> {
  const node = await bench.addNode('a');
  const spec = { updateStrategy: { type: 'OnDelete' } };
  await bench.client.create(puller(bench.namespace, 'hook', GOOD, { spec }));
  await expectCounts(bench, 'hook', { desired: 1, ready: 1, updated: 1 });
  await setImage(bench, OTHER);
  await expectCounts(bench, 'hook', { desired: 1, ready: 1, updated: 0 });
  const pod = (await podsOf(bench, 'hook')).get(node);
  assert.ok(pod);
  await bench.client.delete({ resource: 'pods', namespace: bench.namespace, name: pod.metadata.name });
  await expectCounts(bench, 'hook', { desired: 1, ready: 1, updated: 1 });
  assert.deepEqual(await imagesNow(bench), [OTHER]);
}

async function metadataOnly(bench: Bench): Promise<void> {
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  const { namespace } = bench;
  const metadata = { annotations: { note: 'x' }, labels: { note: 'x' } };
  const patched = await bench.client.patch({ resource: 'daemonsets', namespace, name: 'hook' }, { metadata });
  assert.equal(patched.metadata.generation, 1);
  const spec = { selector: { matchLabels: { app: 'else' } } };
  const error = await refusal(bench.client.patch({ resource: 'daemonsets', namespace, name: 'hook' }, { spec }));
  assert.equal(error.code, 422);
  assert.match(error.message, /field is immutable/);
}

async function deletedForeground(bench: Bench): Promise<void> {
  const [a] = await Promise.all([bench.addNode('a'), bench.addNode('b')]);
  const pod = { terminationGracePeriodSeconds: 20 };
  await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod }));
  const before = await expectCounts(bench, 'hook', { desired: 2, ready: 2 });
  // A node that never lets go of its pod holds the puller.
  bench.nodes.kill(a);
  const { namespace } = bench;
  await bench.client.delete({ resource: 'daemonsets', namespace, name: 'hook' }, { propagationPolicy: 'Foreground' });
  const deleted = await getPuller(bench, 'hook');
  assert.equal(deleted.metadata.generation, 2);
  assert.deepEqual(deleted.metadata.finalizers, ['foregroundDeletion']);
  assert.ok(deleted.metadata.deletionTimestamp);
  await eventually(bench, async () => {
    assert.deepEqual([...(await podsOf(bench, 'hook')).keys()], [a]);
  });
  // The controller no longer looks at it: observedGeneration stays behind for ever.
  const later = await getPuller(bench, 'hook');
  assert.equal(later.status?.observedGeneration, 1);
  assert.equal(later.status.desiredNumberScheduled, before.status?.desiredNumberScheduled);
  const left = (await podsOf(bench, 'hook')).get(a);
  assert.ok(left?.metadata.deletionTimestamp);
  const name = left.metadata.name;
  await bench.client.delete({ resource: 'pods', namespace, name }, { gracePeriodSeconds: 0 });
  await expectGone(bench);
}

async function expectGone(bench: Bench): Promise<void> {
  await eventually(bench, async () => {
    assert.equal((await bench.client.list('daemonsets', { namespace: bench.namespace })).items.length, 0);
    assert.equal((await podsOf(bench, 'hook')).size, 0);
  });
}

async function recreated(bench: Bench): Promise<void> {
  const node = await bench.addNode('a');
  const first = await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  await expectCounts(bench, 'hook', { desired: 1, ready: 1 });
  const old = (await podsOf(bench, 'hook')).get(node);
  await bench.client.delete({ resource: 'daemonsets', namespace: bench.namespace, name: 'hook' });
  const second = await bench.client.create(puller(bench.namespace, 'hook', OTHER));
  assert.notEqual(second.metadata.uid, first.metadata.uid);
  assert.equal(second.metadata.generation, 1);
  await eventually(bench, async () => {
    const { items } = await bench.client.list('pods', { namespace: bench.namespace, labelSelector: 'app=hook' });
    assert.equal(items.length, 1);
    assert.notEqual(items[0]?.metadata.uid, old?.metadata.uid);
    assert.equal(items[0]?.metadata.ownerReferences?.[0]?.uid, second.metadata.uid);
  });
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1 });
}

async function twoPullers(bench: Bench): Promise<void> {
  await Promise.all([bench.addNode('a'), bench.addNode('b')]);
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  await bench.client.create(puller(bench.namespace, 'continuous', GOOD));
  await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 2 });
  await expectCounts(bench, 'continuous', { desired: 2, current: 2, ready: 2 });
  await bench.client.delete({ resource: 'daemonsets', namespace: bench.namespace, name: 'hook' });
  await eventually(bench, async () => {
    assert.equal((await podsOf(bench, 'hook')).size, 0);
  });
  await expectCounts(bench, 'continuous', { desired: 2, current: 2, ready: 2 });
}

export const UPDATE_CASES: readonly Case[] = [
  { name: 'with maxUnavailable 1 a full node stops the update of all others', run: maxUnavailableOne },
  { name: 'with maxUnavailable 100 % every node is updated in spite of a full one', run: maxUnavailableAll },
  { name: 'a template changed while nodes pull replaces every pod', run: changedMidPull },
  { name: 'OnDelete replaces a pod only when somebody deletes it', run: onDelete },
  { name: 'metadata raises no generation, the selector is immutable', run: metadataOnly },
  { name: 'deletion raises the generation, stops the controller and waits for every pod', run: deletedForeground },
  { name: 'a puller made again under the same name is a new one, with new pods', run: recreated },
  { name: 'two pullers do not see each other', run: twoPullers },
];
