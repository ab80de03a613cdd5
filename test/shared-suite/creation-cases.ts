/** Pods that are never made, and sets that select nothing: all zeros that mean different things (EVIDENCE H-10, H-16, P-02). */
import assert from 'node:assert/strict';
import type { Bench, Case } from './suite.ts';
import { countsOf, eventsAbout, eventually, expectCounts, getPuller, GOOD, puller, refusal } from './suite.ts';

async function expectRefusedPods(bench: Bench, text: RegExp, current: number): Promise<void> {
  const daemonSet = await expectCounts(bench, 'hook', { desired: 2, current, ready: current });
  assert.equal(daemonSet.status?.observedGeneration, 1);
  await eventually(bench, async () => {
    const messages = await eventsAbout(bench, 'hook', 'FailedCreate');
    assert.match(messages[0] ?? '', text);
  });
}

async function twoNodes(bench: Bench): Promise<void> {
  await Promise.all([bench.addNode('a'), bench.addNode('b')]);
}

async function missingPriorityClass(bench: Bench): Promise<void> {
  await twoNodes(bench);
  const priorityClassName = `${bench.namespace}-absent`;
  await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod: { priorityClassName } }));
  const text = new RegExp(
    `^Error creating: pods "hook-" is forbidden: no PriorityClass with name ${priorityClassName} was found$`,
  );
  await expectRefusedPods(bench, text, 0);
  const metadata = { name: priorityClassName };
  await bench.client.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value: -5 });
  try {
    await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 2 });
    const { items } = await bench.client.list('pods', { namespace: bench.namespace, labelSelector: 'app=hook' });
    assert.deepEqual(
      items.map(({ spec }) => spec?.priority as number),
      [-5, -5],
    );
  } finally {
    await bench.client.delete({ resource: 'priorityclasses', name: priorityClassName });
  }
}

async function missingServiceAccount(bench: Bench): Promise<void> {
  await twoNodes(bench);
  await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod: { serviceAccountName: 'absent' } }));
  const where = `${bench.namespace}/absent`;
  const text = `^Error creating: pods "hook-" is forbidden: error looking up service account ${where}: serviceaccount "absent" not found$`;
  await expectRefusedPods(bench, new RegExp(text), 0);
  const metadata = { name: 'absent', namespace: bench.namespace };
  await bench.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await expectCounts(bench, 'hook', { desired: 2, current: 2, ready: 2 });
}

async function quota(bench: Bench): Promise<void> {
  await twoNodes(bench);
  const metadata = { name: 'few', namespace: bench.namespace };
  await bench.client.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { pods: '1' } } });
  // A real quota refuses everything until it was counted once.
  await bench.wait(3_000);
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  const text =
    /^(\(combined from similar events\): )?Error creating: pods "hook-\w{5}" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1$/;
  await expectRefusedPods(bench, text, 1);
}

async function selectsNothing(bench: Bench): Promise<void> {
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  const daemonSet = await expectCounts(bench, 'hook', { desired: 0, current: 0, ready: 0 });
  assert.equal(daemonSet.status?.observedGeneration, 1);
  assert.deepEqual(await eventsAbout(bench, 'hook', 'FailedCreate'), []);
}

async function emptySelector(bench: Bench): Promise<void> {
  const spec = { selector: {} };
  const error = await refusal(bench.client.create(puller(bench.namespace, 'hook', GOOD, { spec })));
  assert.equal(error.code, 422);
  assert.match(error.message, /spec\.selector: Invalid value: .*: empty selector is invalid for daemonset/);
}

async function fresh(bench: Bench): Promise<void> {
  const created = await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  assert.deepEqual(countsOf(created), { desired: 0, current: 0, ready: 0, updated: 0, misscheduled: 0 });
  assert.equal(created.status?.observedGeneration, undefined);
  assert.equal(created.metadata.generation, 1);
  assert.equal(created.metadata.annotations?.['deprecated.daemonset.template.generation'], '1');
  const { updateStrategy } = (await getPuller(bench, 'hook')).spec ?? {};
  assert.deepEqual(updateStrategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } });
}

async function podsCarryTheirRevision(bench: Bench): Promise<void> {
  const node = await bench.addNode('a');
  await bench.client.create(puller(bench.namespace, 'hook', GOOD));
  await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1, updated: 1 });
  const daemonSet = await getPuller(bench, 'hook');
  const [pod] = (await bench.client.list('pods', { namespace: bench.namespace, labelSelector: 'app=hook' })).items;
  assert.ok(pod);
  assert.match(pod.metadata.name, /^hook-[a-z0-9]{5}$/);
  assert.equal(pod.metadata.labels?.['pod-template-generation'], '1');
  assert.match(pod.metadata.labels['controller-revision-hash'] ?? '', /^[a-z0-9]+$/);
  const [owner] = pod.metadata.ownerReferences ?? [];
  assert.equal(owner?.uid, daemonSet.metadata.uid);
  assert.ok(owner.controller === true && owner.blockOwnerDeletion === true);
  assert.equal(pod.spec?.nodeName, node);
  assert.equal(pod.spec.serviceAccountName, 'default');
  const tolerations = (pod.spec.tolerations as { key: string; effect: string }[]).map(
    ({ key, effect }) => `${key}:${effect}`,
  );
  assert.deepEqual(tolerations.map((text) => text.replace('node.kubernetes.io/', '')).sort(), [
    'disk-pressure:NoSchedule',
    'memory-pressure:NoSchedule',
    'not-ready:NoExecute',
    'pid-pressure:NoSchedule',
    'unreachable:NoExecute',
    'unschedulable:NoSchedule',
  ]);
}

export const CREATION_CASES: readonly Case[] = [
  { name: 'a new puller has zeros and no observedGeneration', run: fresh },
  { name: 'pods carry owner, revision labels and the tolerations of DaemonSets', run: podsCarryTheirRevision },
  {
    name: 'a missing PriorityClass: desired, none current, FailedCreate; made later, all is well',
    run: missingPriorityClass,
  },
  {
    name: 'a missing ServiceAccount: desired, none current, FailedCreate; made later, all is well',
    run: missingServiceAccount,
  },
  { name: 'a quota lets some pods through and refuses the others', run: quota },
  { name: 'a node selector without a node: zeros, observed, no event', run: selectsNothing },
  { name: 'an empty label selector is refused', run: emptySelector },
];
