/** Nodes that are full, cordoned, silent, gone, late, back or turning pods away: each ends with the right verdict in the right time. */
import { isUpstreamDone } from '../upstream.ts';
import type { Play } from '../stage.ts';
import { ENDLESS, GOOD, OTHER, SLOW } from '../images.ts';
import type { Scene } from '../scene.ts';
import { pause, until } from '../../testbed/until.ts';

/** A node that is good and one that holds as many pods as it may. */
async function withFullNode(scene: Scene): Promise<string> {
  await scene.join('good');
  const full = await scene.join('full', { pods: 1 });
  await scene.fill(full);
  return full;
}

/** Milliseconds from now until the verdict, and the verdict. */
async function timed(scene: Scene, name?: string) {
  const began = performance.now();
  const verdict = await scene.verdict(name);
  return { ...verdict, took: performance.now() - began };
}

async function fullNode(scene: Scene): Promise<void> {
  const full = await withFullNode(scene);
  const began = performance.now();
  await scene.puller();
  const verdict = await timed(scene);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toMatch(/^1\/2 nodes pulled, 1 tolerated: .*Too many pods/);
  expect(verdict.message).toContain(full);
  expect(verdict.took).toBeGreaterThan(4_000);
  expect(verdict.took).toBeLessThan(15_000);
  // Upstream's awaiter looks at numbers alone, and they never come: it would hang here for ever.
  await scene.stays(
    'upstream’s rule waits',
    async () => !isUpstreamDone(await scene.get(), performance.now() - began),
    20_000,
  );
}

async function strictFullNode(scene: Scene): Promise<void> {
  const full = await withFullNode(scene);
  await scene.puller({ policy: { strict: 'true' } });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'False', reason: 'ToleratedInStrict' });
  expect(verdict.message).toContain(full);
}

async function fullNodeFreed(scene: Scene): Promise<void> {
  const full = await scene.join('full', { pods: 1 });
  const filler = await scene.fill(full);
  await scene.puller({ policy: { strict: 'true' } });
  await until('the pod waits', async () => (await scene.stated())?.message.includes('the node is full'));
  await scene.client.delete({ resource: 'pods', namespace: scene.namespace, name: filler });
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function cordoned(scene: Scene): Promise<void> {
  const node = await scene.join('a');
  await scene.nodes.cordon(node);
  await scene.puller({ policy: { strict: 'true' } });
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function cordonedAndBroken(scene: Scene): Promise<void> {
  await scene.join('good');
  const node = await scene.join('broken', { behaviour: { cannotStart: 'the network plugin is not ready' } });
  await scene.nodes.cordon(node);
  // Events are read every half minute while a puller is under way.
  await scene.puller({ policy: { 'scheduling-grace': '40s' } });
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toMatch(/cordoned/);
  expect(verdict.message).toMatch(/network plugin/);
}

async function notReadyBefore(scene: Scene): Promise<void> {
  await scene.join('good');
  const sick = await scene.join('sick');
  await scene.nodes.say(sick, 'Ready', 'False');
  await until('the node is left out', async () => {
    const node = await scene.client.get({ resource: 'nodes', name: sick });
    return JSON.stringify(node.spec?.taints ?? []).includes('not-ready');
  });
  await scene.puller();
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(sick);
}

async function silentMeanwhile(scene: Scene): Promise<void> {
  await scene.join('good');
  const silent = await scene.join('silent');
  await scene.puller({ images: [GOOD, SLOW] });
  await scene.pulling(2);
  scene.nodes.kill(silent);
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toMatch(/not ready/);
}

async function comingBack(scene: Scene): Promise<void> {
  const node = await scene.join('a');
  await scene.puller({ images: [GOOD, SLOW], policy: { strict: 'true', 'scheduling-grace': '60s' } });
  await scene.pulling(1);
  scene.nodes.kill(node);
  await until('the node is called lost', async () => {
    const object = await scene.client.get({ resource: 'nodes', name: node });
    return JSON.stringify(object.status?.conditions ?? []).includes('NodeStatusUnknown');
  });
  await scene.nodes.revive(node);
  expect(await scene.verdict(undefined, 60_000)).toMatchObject({ status: 'True', reason: 'Pulled' });
}

/** Nodes are asked for when a puller is looked at, every half minute at most: the other node gives a reason to look in time. */
async function deletedMeanwhile(scene: Scene): Promise<void> {
  await scene.join('good', { behaviour: { slow: 5.5 } });
  const node = await scene.join('leaving');
  await scene.puller({ images: [GOOD, SLOW] });
  await scene.pulling(2);
  await scene.nodes.remove(node);
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  // Once its pod is collected nothing would tell of it any more.
  expect(verdict.message).toContain(node);
}

async function late(scene: Scene): Promise<void> {
  await scene.join('first');
  await scene.puller({ images: [GOOD, SLOW] });
  await scene.pulling(1);
  // Creation times are whole seconds: a node is late when it came in a later second than the first look.
  await pause(1_500);
  const node = await scene.join('late', { behaviour: { slow: 1_000 } });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(node);
}

async function rejecting(scene: Scene): Promise<void> {
  await scene.join('good');
  const message = "Node didn't have enough resource: pods, requested: 1, used: 20, capacity: 20";
  const node = await scene.join('rejecting', { behaviour: { rejects: { reason: 'OutOfpods', message } } });
  await scene.puller();
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toMatch(/turns the pod away/);
  expect(verdict.message).toContain(node);
}

/** It starts no pods, and is no exception that counts: no machine is there. */
async function virtual(scene: Scene): Promise<void> {
  await scene.join('good');
  await scene.join('virtual', { labels: { type: 'virtual-kubelet' }, behaviour: { cannotStart: 'not a machine' } });
  await scene.puller({ policy: { strict: 'true' } });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toMatch(/virtual node/);
}

async function oldPodStuck(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ role: 'continuous', images: [GOOD] });
  expect(await scene.verdict()).toMatchObject({ status: 'True', generation: 1 });
  const { client, namespace } = scene;
  const [pod] = (await client.list('pods', { namespace })).items;
  const ref = { resource: 'pods', namespace, name: pod?.metadata.name ?? '' };
  const hold = (finalizers: string[] | null) =>
    client.patch(ref, { metadata: { finalizers } }, { type: 'merge-patch+json' });
  await hold(['example.org/held']);
  await scene.puller({ role: 'continuous', images: [OTHER] });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled', generation: 2 });
  expect(verdict.message).toMatch(/does not go/);
  await hold(null);
}

async function noNodes(scene: Scene): Promise<void> {
  await scene.puller();
  const { took, ...verdict } = await timed(scene);
  expect(verdict).toMatchObject({ status: 'True', reason: 'NoEligibleNodes' });
  expect(took).toBeLessThan(10_000);
}

async function noNodesButDemanded(scene: Scene): Promise<void> {
  await scene.puller({ policy: { 'min-pulled': '1' } });
  expect(await scene.verdict()).toMatchObject({ status: 'False', reason: 'TooFewPulled' });
}

async function pullingHolds(scene: Scene): Promise<void> {
  await scene.join('good');
  await scene.join('slow');
  await scene.puller({ images: [OTHER, ENDLESS], policy: { deadline: '15s' } });
  await until('it is judged', async () => (await scene.stated()) !== undefined);
  await scene.stays('a pull that goes on holds', async () => (await scene.stated())?.status === 'Unknown', 8_000);
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'False', reason: 'DeadlineExceeded' });
}

/** Priority between those of users and of nobody. */
async function priorityClass(scene: Scene, name: string, value: number): Promise<string> {
  const full = `${scene.namespace}-${name}`;
  await scene.client.create({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: full },
    value,
  });
  return full;
}

async function lowerPlaceholders(scene: Scene): Promise<void> {
  const node = await scene.join('a', { pods: 1 });
  await scene.fill(node, { priorityClassName: await priorityClass(scene, 'placeholder', -10) });
  const priorityClassName = await priorityClass(scene, 'above', -5);
  await scene.puller({ pod: { priorityClassName }, policy: { strict: 'true' } });
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function equalPlaceholders(scene: Scene): Promise<void> {
  await scene.join('good');
  const node = await scene.join('a', { pods: 1 });
  const priorityClassName = await priorityClass(scene, 'placeholder', -10);
  await scene.fill(node, { priorityClassName });
  await scene.puller({ pod: { priorityClassName } });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(node);
}

export const NODE_PLAYS: readonly Play[] = [
  { name: 'a cordoned node that starts no pods is tolerated, its cordon named', play: cordonedAndBroken },
  { name: 'a full node is tolerated and named; upstream’s rule hangs on it', play: fullNode },
  { name: 'a silent node is tolerated once it is called lost', play: silentMeanwhile },
  { name: 'a node that comes back in time goes on pulling', play: comingBack },
  { name: 'a node deleted meanwhile holds nothing', play: deletedMeanwhile },
  { name: 'a full node fails a strict puller', play: strictFullNode },
  { name: 'a full node that is freed in time is pulled on', play: fullNodeFreed },
  { name: 'a cordoned node that works is pulled on like any other', play: cordoned },
  { name: 'a node that was not ready is named', play: notReadyBefore },
  { name: 'a node that joins late is left to the continuous puller', play: late },
  { name: 'a node that turns pods away is tolerated', play: rejecting },
  { name: 'a virtual node is no exception that counts', play: virtual },
  { name: 'a node whose old pod does not go is tolerated', play: oldPodStuck },
  { name: 'no node at all is done at once, and says so', play: noNodes },
  { name: 'no node at all fails where one is demanded', play: noNodesButDemanded },
  { name: 'a pull under way holds until its deadline', play: pullingHolds },
  { name: 'placeholders of lower priority make room', play: lowerPlaceholders },
  { name: 'placeholders of equal priority keep the puller out, and the node is tolerated', play: equalPlaceholders },
];
