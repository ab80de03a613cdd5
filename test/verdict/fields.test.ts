/** Fields of another type than expected read as absent, and the first of several is taken. */
import { conditionAt, countAt, labelAt, textsAt, timeAt } from '../../src/verdict/fields.ts';
import { mergeFacts, NO_FACTS } from '../../src/verdict/facts.ts';
import { isSelected } from '../../src/verdict/placement.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { readNode } from '../../src/verdict/read-pod.ts';
import { inSchedulersWords } from '../../src/verdict/scheduler-words.ts';
import { after, node, pod, puller, stamp, type Raw } from './cluster.ts';
import { snapshotOf } from './look.ts';

test.each<[what: string, found: unknown, expected: unknown]>([
  ['a label that is a number', labelAt({ a: 1 }, 'a'), undefined],
  ['a label', labelAt({ a: '1' }, 'a'), '1'],
  ['a count that is a text', countAt({ a: '3' }, 'a'), undefined],
  ['a count below nothing', countAt({ a: -1 }, 'a'), undefined],
  ['a count of nothing', countAt({ a: 0 }, 'a'), 0],
  ['a count of halves', countAt({ a: 1.5 }, 'a'), undefined],
  ['a time that is a number', timeAt({ a: 2026 }, 'a'), undefined],
  ['a time that is a text', timeAt({ a: stamp(5) }, 'a'), after(5).getTime()],
  ['a time that is a Date', timeAt({ a: after(5) }, 'a'), after(5).getTime()],
  ['labels of which one is no text', [...textsAt({ a: { b: 'c', d: 1 } }, 'a')], [['b', 'c']]],
])('%s', (_what, found, expected) => {
  expect(found).toEqual(expected);
});

test('a condition is found by its type', () => {
  const conditions = [
    { type: 'DiskPressure', status: 'False' },
    { type: 'Ready', status: 'True' },
    { type: 'Ready', status: 'Unknown' },
  ];
  expect(conditionAt({ status: { conditions } }, 'Ready')).toMatchObject({ type: 'Ready', status: 'True' });
  const late = pod('n1');
  (late.status.conditions as Raw[]).reverse();
  expect(snapshotOf([puller(), late]).pods[0]?.scheduled?.type).toBe('PodScheduled');
});

test('a term of labels and fields asks for both', () => {
  const term = {
    matchExpressions: [{ key: 'pool', operator: 'In', values: ['a'] }],
    matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
  };
  const required = { nodeSelectorTerms: [term] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const { placement } = readDaemonSet(puller({ spec: { affinity } }));
  const isOne = (name: string, pool: string): boolean =>
    isSelected(readNode(node(name, { labels: { pool } })), placement);
  expect([isOne('n1', 'a'), isOne('n2', 'a'), isOne('n1', 'b')]).toEqual([true, false, false]);
});

test('values of a requirement that are no text are left out', () => {
  const required = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['a', 1, null] }] }],
  };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  expect(readDaemonSet(puller({ spec: { affinity } })).placement.terms?.[0]?.expressions).toEqual([
    { key: 'pool', operator: 'In', values: ['a'] },
  ]);
});

test.each([
  ['0/12 nodes are available: 12 Too many pods.', 'the node is full: 12 Too many pods'],
  [
    '0/2 nodes are available: 1 Insufficient cpu. preemption: none',
    'the node has too little left for the pod: 1 Insufficient cpu',
  ],
  [
    '0/2 nodes are available: 1 Insufficient cpu, preemption: none',
    'the node has too little left for the pod: 1 Insufficient cpu,',
  ],
  [
    '0/2 nodes are available: 1 Insufficient cpupreemption: none',
    'the node has too little left for the pod: 1 Insufficient cpu',
  ],
  [
    '10/12 nodes are available: 1 had untolerated taint',
    'the node has a taint the puller does not tolerate: 1 had untolerated taint',
  ],
  [
    "0/1 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity].",
    'the node does not match what the pod asks for',
  ],
  [
    "0/4 nodes are available: 1 the moon, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].",
    'the scheduler does not place the pod: 1 the moon',
  ],
  [
    'it said: 0/12 nodes are available: none',
    'the scheduler does not place the pod: it said: 0/12 nodes are available: none',
  ],
])('in the words of the scheduler: %s', (text, message) => {
  expect(inSchedulersWords(text).message).toBe(message);
});

test('of two facts seen at the same time the first list decides', () => {
  const away = (since: number): typeof NO_FACTS => ({
    ...NO_FACTS,
    turnedAway: new Map([['n1', { since, seen: 9, uid: 'ds', rejected: true }]]),
  });
  expect(mergeFacts(away(1), away(2)).turnedAway.get('n1')?.since).toBe(1);
});

test('the instance that Argo CD names', () => {
  const labels = { 'app.kubernetes.io/instance': 'hub', instance: 'other' };
  expect(readDaemonSet(puller({ metadata: { labels } })).instance).toBe('hub');
});
