/** Placeholders and pullers on a node with room for one (EVIDENCE P-01). */
import assert from 'node:assert/strict';
import { conditionOf } from '../../simulator/pod-conditions.ts';
import type { Bench, Case } from './suite.ts';
import { eventsAbout, eventually, expectCounts, filler, GOOD, podsOf, puller } from './suite.ts';

/** A node with room for one pod, held by a placeholder at −10; classes are named after the namespace and go with the case. */
async function withPlaceholder(
  bench: Bench,
  run: (classOf: (value: number) => string) => Promise<void>,
): Promise<void> {
  const node = await bench.addNode('a', { pods: 1 });
  const classOf = (value: number): string => `${bench.namespace}-${String(Math.abs(value))}`;
  const values = [-10, -5];
  for (const value of values) {
    const metadata = { name: classOf(value) };
    await bench.client.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value });
  }
  try {
    await eventually(bench, () =>
      bench.client.create(filler(bench.namespace, 'placeholder', node, { priorityClassName: classOf(-10) })),
    );
    await eventually(bench, async () => {
      const pod = await bench.client.get({ resource: 'pods', namespace: bench.namespace, name: 'placeholder' });
      assert.equal(pod.spec?.nodeName, node);
      assert.equal(pod.spec.priority, -10);
    });
    await run(classOf);
  } finally {
    for (const value of values) await bench.client.delete({ resource: 'priorityclasses', name: classOf(value) });
  }
}

async function equal(bench: Bench): Promise<void> {
  await withPlaceholder(bench, async (classOf) => {
    await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod: { priorityClassName: classOf(-10) } }));
    await eventually(bench, async () => {
      const [pod] = (await podsOf(bench, 'hook')).values();
      assert.ok(pod);
      const { message = '', reason } = conditionOf(pod, 'PodScheduled') ?? {};
      assert.equal(reason, 'Unschedulable');
      assert.match(message, /1 Too many pods.* preemption: .*1 No preemption victims found for incoming pod/);
    });
    await bench.wait(3_000);
    await bench.client.get({ resource: 'pods', namespace: bench.namespace, name: 'placeholder' });
    await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 0 });
  });
}

async function lower(bench: Bench): Promise<void> {
  await withPlaceholder(bench, async (classOf) => {
    const before = await bench.client.get({ resource: 'pods', namespace: bench.namespace, name: 'placeholder' });
    await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod: { priorityClassName: classOf(-5) } }));
    await expectCounts(bench, 'hook', { desired: 1, current: 1, ready: 1 });
    const messages = await eventsAbout(bench, 'placeholder', 'Preempted');
    assert.match(messages[0] ?? '', /^Preempted by pod [0-9a-f-]{36} on node /);
    const { items } = await bench.client.list('pods', { namespace: bench.namespace });
    assert.ok(!items.some(({ metadata }) => metadata.uid === before.metadata.uid));
  });
}

async function neverPreempts(bench: Bench): Promise<void> {
  await withPlaceholder(bench, async (classOf) => {
    const name = `${bench.namespace}-never`;
    const given = { metadata: { name }, value: 5, preemptionPolicy: 'Never' };
    await bench.client.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', ...given });
    try {
      await bench.client.create(puller(bench.namespace, 'hook', GOOD, { pod: { priorityClassName: name } }));
      await eventually(bench, async () => {
        const [pod] = (await podsOf(bench, 'hook')).values();
        assert.ok(pod);
        assert.match(
          conditionOf(pod, 'PodScheduled')?.message ?? '',
          /preemption: not eligible due to preemptionPolicy=Never\.$/,
        );
      });
      assert.ok(classOf(-10));
    } finally {
      await bench.client.delete({ resource: 'priorityclasses', name });
    }
  });
}

export const PRIORITY_CASES: readonly Case[] = [
  { name: 'placeholders of equal priority keep the puller out', run: equal },
  { name: 'placeholders of lower priority make room for the puller', run: lower },
  { name: 'a class that never preempts waits like an equal one', run: neverPreempts },
];
