/** What becomes of a puller on nodes that are full, cordoned, not ready, gone, late or back (EVIDENCE's H group, DESIGN section 7). */
import assert from 'node:assert/strict';
import { conditionOf, isReady } from '../../simulator/pod-conditions.ts';
import type { ApiObject } from '../../simulator/store.ts';
import type { Bench, Case } from './suite.ts';
import { eventsAbout, eventually, expectCounts, filler, GOOD, podsOf, puller } from './suite.ts';

async function taints({ client }: Bench, name: string): Promise<string[]> {
  const node = await client.get({ resource: 'nodes', name });
  const list = (node.spec?.taints ?? []) as { key: string; effect: string }[];
  return list.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`).sort();
}

async function podOn(bench: Bench, name: string, node: string): Promise<ApiObject> {
  const pod = (await podsOf(bench, name)).get(node);
  assert.ok(pod, `a pod for ${node}`);
  return pod;
}

async function startOn(bench: Bench, names: string[]): Promise<string[]> {
  const nodes = await Promise.all(names.map((name) => bench.addNode(name)));
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  await expectCounts(bench, 'hook', { desired: nodes.length, current: nodes.length, ready: nodes.length });
  return nodes;
}

/** Makes the DaemonSet controller look again: a taint alone does not, so that `desired` may be stale for long. */
async function touch({ client, namespace }: Bench): Promise<void> {
  const metadata = { annotations: { touched: 'true' } };
  await client.patch({ resource: 'daemonsets', namespace, name: 'hook' }, { metadata });
}

async function fullNode(bench: Bench): Promise<void> {
  await bench.addNode('a');
  const full = await bench.addNode('full', { pods: 1 });
  await bench.client.create(filler(bench.namespace, 'filler', full));
  await eventually(bench, async () => {
    const pod = await bench.client.get({ resource: 'pods', namespace: bench.namespace, name: 'filler' });
    assert.equal(pod.spec?.nodeName, full);
  });
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  // The Pending pod counts as current: ready >= current is never reached (DESIGN section 7).
  await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 1 });
  const pod = await podOn(bench, 'hook', full);
  assert.equal(pod.status?.phase, 'Pending');
  assert.equal(pod.spec?.nodeName, undefined);
  const scheduled = conditionOf(pod, 'PodScheduled');
  assert.equal(scheduled?.status, 'False');
  assert.equal(scheduled.reason, 'Unschedulable');
  assert.match(
    scheduled.message ?? '',
    /^0\/\d+ nodes are available: 1 Too many pods, \d+ node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\]\. no new claims to deallocate, preemption: 0\/\d+ nodes are available: 1 No preemption victims found for incoming pod, \d+ Preemption is not helpful for scheduling\.$/,
  );
  const messages = await eventsAbout(bench, pod.metadata.name, 'FailedScheduling');
  assert.match(messages[0] ?? '', /Too many pods/);
  await bench.client.delete({ resource: 'pods', namespace: bench.namespace, name: 'filler' });
  await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 2 });
}

async function noResources(bench: Bench): Promise<void> {
  const node = await bench.addNode('a', { cpu: '1' });
  const containers = [{ name: 'c', image: GOOD, resources: { requests: { cpu: '2' } } }];
  await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod: { containers } }));
  await eventually(bench, async () => {
    const pod = await podOn(bench, 'hook', node);
    assert.match(
      conditionOf(pod, 'PodScheduled')?.message ?? '',
      /: 1 Insufficient cpu, \d+ node\(s\)|: 1 Insufficient cpu\./,
    );
  });
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 0 });
}

async function cordoned(bench: Bench): Promise<void> {
  const node = await bench.addNode('a');
  await bench.nodes.cordon(node);
  await eventually(bench, async () => {
    assert.deepEqual(await taints(bench, node), ['unschedulable:NoSchedule']);
  });
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1 });
  await bench.nodes.cordon(node, false);
  await eventually(bench, async () => {
    assert.deepEqual(await taints(bench, node), []);
  });
}

async function notReady(bench: Bench): Promise<void> {
  const [node = '', other = ''] = await startOn(bench, ['a', 'b']);
  await bench.nodes.say(node, 'Ready', 'False');
  await eventually(bench, async () => {
    assert.deepEqual(await taints(bench, node), ['not-ready:NoExecute', 'not-ready:NoSchedule']);
  });
  // The node is no longer desired, once the controller looks again; its pod stays and is counted as misscheduled.
  await touch(bench);
  await expectCounts(bench, 'hook', { desired: 1, current: 1, misscheduled: 1 });
  const pod = await podOn(bench, 'hook', node);
  assert.equal(pod.metadata.deletionTimestamp, undefined);
  assert.ok(isReady(await podOn(bench, 'hook', other)));
  // A puller made now gets no pod there at all.
  await bench.client.create(puller(bench.namespace, 'second', GOOD));
  await expectCounts(bench, 'second', { desired: 1, current: 1, misscheduled: 0 });
  await bench.nodes.say(node, 'Ready', 'True');
  await expectCounts(bench, 'hook', { desired: 2, current: 2, misscheduled: 0 });
  await expectCounts(bench, 'second', { desired: 2, current: 2, ready: 2 });
}

async function silentNode(bench: Bench): Promise<void> {
  const [node = ''] = await startOn(bench, ['a']);
  bench.nodes.kill(node);
  await eventually(bench, async () => {
    assert.deepEqual(await taints(bench, node), ['unreachable:NoExecute', 'unreachable:NoSchedule']);
  });
  const object = await bench.client.get({ resource: 'nodes', name: node });
  const ready = conditionOf(object, 'Ready');
  assert.equal(ready?.status, 'Unknown');
  assert.equal(ready.reason, 'NodeStatusUnknown');
  await eventually(bench, async () => {
    assert.equal(conditionOf(await podOn(bench, 'hook', node), 'Ready')?.status, 'False');
  });
  await touch(bench);
  await expectCounts(bench, 'hook', { desired: 0, current: 0, misscheduled: 1 });
  await bench.nodes.revive(node);
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1, misscheduled: 0 });
}

async function deletedNode(bench: Bench): Promise<void> {
  const [node = ''] = await startOn(bench, ['a', 'b']);
  await bench.nodes.remove(node);
  // Nobody looks when a node goes; the pod's end some 40 to 60 s later makes the controller count anew.
  await eventually(bench, async () => {
    assert.equal((await podsOf(bench, 'hook')).size, 1);
  });
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1 });
}

async function lateNode(bench: Bench): Promise<void> {
  await startOn(bench, ['a']);
  await bench.addNode('late');
  const daemonSet = await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 2 });
  assert.equal(daemonSet.metadata.generation, 1);
}

async function neverSpoke(bench: Bench): Promise<void> {
  await startOn(bench, ['a']);
  const name = `${bench.namespace}-raw`;
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { suite: bench.namespace } } };
  const created = await bench.client.create(node);
  try {
    assert.deepEqual(created.spec?.taints, [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    // Without any condition the taint is taken away again, and a minute later the node is called lost.
    await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 1 });
    await eventually(bench, async () => {
      const object = await bench.client.get({ resource: 'nodes', name });
      assert.equal(conditionOf(object, 'Ready')?.reason, 'NodeStatusNeverUpdated');
      assert.deepEqual(await taints(bench, name), ['unreachable:NoExecute', 'unreachable:NoSchedule']);
    });
    // It offers no room. What the scheduler says of the pod changes with the taint, and makes the controller count anew.
    const pod = await podOn(bench, 'hook', name);
    assert.equal(pod.spec?.nodeName, undefined);
    await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1, misscheduled: 1 });
  } finally {
    await bench.client.delete({ resource: 'nodes', name });
  }
}

async function rejecting(bench: Bench): Promise<void> {
  const message = "Node didn't have enough resource: pods, requested: 1, used: 20, capacity: 20";
  const node = await bench.addNode('a', { behaviour: { rejects: { reason: 'OutOfpods', message } } });
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  const first = await eventually(bench, async () => {
    const pod = await podOn(bench, 'hook', node);
    assert.equal(pod.status?.phase, 'Failed');
    assert.equal(pod.status.reason, 'OutOfpods');
    return pod;
  });
  // Failed pods are deleted and made again, with a growing wait.
  await eventually(bench, async () => {
    assert.notEqual((await podOn(bench, 'hook', node)).metadata.uid, first.metadata.uid);
  });
  assert.match((await eventsAbout(bench, 'hook', 'FailedDaemonPod'))[0] ?? '', /^Found failed daemon pod /);
  bench.nodes.behave(node, { rejects: undefined });
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1 });
}

async function tainted(bench: Bench): Promise<void> {
  await bench.addNode('a', { taints: [{ key: 'hub', value: 'user', effect: 'NoSchedule' }] });
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  await expectCounts(bench, 'hook', { desired: 0, current: 0 });
  const tolerations = [{ key: 'hub', operator: 'Equal', value: 'user', effect: 'NoSchedule' }];
  await bench.client.create(puller(bench.namespace, 'tolerant', GOOD, { pod: { tolerations } }));
  await expectCounts(bench, 'tolerant', { desired: 1, current: 1, ready: 1 });
}

export const NODE_CASES: readonly Case[] = [
  { name: 'a full node keeps its pod Pending, and current counts it', run: fullNode },
  { name: 'a node without room for the requests keeps its pod Pending', run: noResources },
  { name: 'a cordoned node is pulled on like any other', run: cordoned },
  { name: 'a node that is not ready is not desired, its pod stays', run: notReady },
  { name: 'a silent node turns Unknown and is not desired until it is back', run: silentNode },
  { name: 'a deleted node is counted until its pod is collected', run: deletedNode },
  { name: 'a late node gets a pod without a new generation', run: lateNode },
  { name: 'a node whose kubelet never spoke is tainted first, then taken for healthy, then for lost', run: neverSpoke },
  { name: 'a node that rejects its pod gets a new one again and again', run: rejecting },
  { name: 'a tainted node is desired only by a puller that tolerates it', run: tainted },
];
