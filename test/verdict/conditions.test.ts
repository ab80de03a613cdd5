/** What is written on the object, and what is read back from it after a restart. */
import {
  after,
  backOff,
  failedPull,
  NOT_FOUND,
  pod,
  PREFIX,
  puller,
  pulledPod,
  stamp,
  successfulPull,
  unschedulable,
  waiting,
  type Raw,
} from './cluster.ts';
import { lookAt, snapshotOf } from './look.ts';
import { printAnnotation, readAnnotation } from '../../src/verdict/annotation.ts';
import { carries, nextConditions } from '../../src/verdict/conditions.ts';
import { mergeFacts, NO_FACTS, type Facts } from '../../src/verdict/facts.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import type { Decision } from '../../src/verdict/verdict.ts';

const IMAGE = 'quay.io/a/nb:1';
const healthy: Decision = { health: 'Healthy', reason: 'Pulled', message: '1/1 node pulled' };
const withConditions = (conditions: Raw[]): ReturnType<typeof readDaemonSet> =>
  readDaemonSet({ ...puller({ generation: 3 }), status: { conditions } });

describe('conditions', () => {
  test('a first verdict', () => {
    expect(nextConditions(healthy, withConditions([]), after(61.4))).toEqual([
      {
        type: `${PREFIX}/Pulled`,
        status: 'True',
        reason: 'Pulled',
        message: '1/1 node pulled',
        lastTransitionTime: stamp(61),
      },
      {
        type: `${PREFIX}/ObservedGeneration`,
        status: 'True',
        reason: 'Generation3',
        message: 'The verdict is of generation 3.',
        lastTransitionTime: stamp(61),
      },
    ]);
  });
  test.each([
    ['Healthy', 'True'],
    ['Degraded', 'False'],
    ['Progressing', 'Unknown'],
  ] as const)('%s is %s', (health, status) => {
    expect(nextConditions({ ...healthy, health }, withConditions([]), after(0))[0].status).toBe(status);
  });
  const before = (status: string): Raw[] => [
    { type: `${PREFIX}/Pulled`, status, reason: 'Pulling', message: 'x', lastTransitionTime: stamp(5) },
    { type: `${PREFIX}/ObservedGeneration`, status: 'True', reason: 'Generation2', lastTransitionTime: stamp(6) },
  ];
  test('the time of a transition is kept while the status stays', () => {
    const kept = nextConditions(healthy, withConditions(before('True')), after(90));
    expect(kept.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([stamp(5), stamp(6)]);
    const turned = nextConditions(healthy, withConditions(before('Unknown')), after(90));
    expect(turned.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([stamp(90), stamp(6)]);
  });
  test('what stands there already need not be written', () => {
    const next = nextConditions(healthy, withConditions([]), after(0));
    expect(carries(withConditions(next), next)).toBe(true);
    for (const change of [{ status: 'False' }, { reason: 'x' }, { message: 'x' }, { type: 'x' }]) {
      expect(carries(withConditions([{ ...next[0], ...change }, next[1]]), next)).toBe(false);
    }
    expect(carries(withConditions([]), next)).toBe(false);
  });
});

const stuck = (name: string): Raw[] => {
  const raw = pod(name, { containers: [backOff(IMAGE, NOT_FOUND())] });
  return [raw, failedPull(raw, NOT_FOUND(), 5, 75)];
};
const readBack = (text: string, seconds: number, uid = 'ds'): Facts =>
  readAnnotation(readDaemonSet(puller({ uid, annotations: { [`${PREFIX}/verdict`]: text } })), after(seconds));
const print = (objects: Raw[], now: number, facts: Facts = NO_FACTS): string =>
  printAnnotation(lookAt(objects, { now, facts }), snapshotOf(objects).daemonSet, after(now));

describe('annotation', () => {
  const done = pulledPod('n2');
  const objects = [puller({ desired: 4 }), ...stuck('n1'), done, successfulPull(done), unschedulable('n3')];

  test('tells of each open node, worst first', () => {
    const value = JSON.parse(print(objects, 80)) as Record<string, unknown>;
    expect(value).toMatchObject({
      at: stamp(80),
      uid: 'ds',
      generation: 1,
      health: 'Progressing',
      reason: 'Pulling',
      counts: { eligible: 4, pulled: 1, pulling: 2, tolerated: 1, failed: 0 },
      nodes: [
        ['n1', 'pulling', 'Retrying', IMAGE],
        ['n3', 'tolerated', 'NodeFull'],
      ],
      more: 0,
    });
  });

  test('what cannot be derived again survives a restart', () => {
    const before = lookAt(objects, { now: 80 }).facts;
    const read = readBack(print(objects, 80), 90);
    expect(read.turnedAway).toEqual(before.turnedAway);
    const [key = '', error] = [...before.errors][0] ?? [];
    expect(read.errors.get(key)).toEqual({ ...error, shown: undefined });
    expect(read.pullers.get('ds')).toEqual({ ...before.pullers.get('ds'), seen: after(90).getTime() });
  });

  test('a failed image and missing pods keep their first look', () => {
    const raw = pod('n1', { containers: [waiting('InvalidImageName', 'invalid reference format')] });
    const some = [puller({ desired: 2 }), raw];
    const read = readBack(print(some, 5), 14).pullers.get('ds');
    expect([...(read?.failedSince ?? [])]).toEqual([[IMAGE, after(5).getTime()]]);
    expect(read?.missingSince).toBe(after(5).getTime());
    expect(lookAt(some, { now: 15, facts: readBack(print(some, 5), 14) }).reason).toBe('ImageInvalid');
  });

  test('a restart does not begin a window anew', () => {
    const later = [puller({ desired: 4 }), ...stuck('n1')];
    const read = readBack(print(later, 80), 160);
    const attempted = pod('n1', { containers: [waiting('ErrImagePull', NOT_FOUND())] });
    const again = lookAt([puller(), attempted], { now: 161, facts: read });
    expect(again.nodes[0]?.since).toBe(after(5).getTime());
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another shape', '[]'],
    [
      'a list of nothing',
      '{"at":"2026-01-10T12:00:00Z","uid":"ds","errors":[1,[1],["k","nokind","t",1,1,1]],"turnedAway":[[1,2,3],7],"failedSince":[[1,1],2],"fromRegistry":[1]}',
    ],
  ])('%s remembers nothing, and breaks nothing', (_, text) => {
    const read = readBack(text, 10);
    expect([read.turnedAway.size, read.errors.size]).toEqual([0, 0]);
    expect(lookAt([puller(), pod('n1')], { now: 20, facts: read }).health).toBe('Progressing');
  });

  test('that of another UID remembers nothing', () => {
    expect(readBack(print(objects, 80), 90, 'other')).toBe(NO_FACTS);
  });

  test('a first look that lies ahead is taken for now', () => {
    expect(
      readBack('{"at":"2026-01-10T12:00:00Z","uid":"ds","firstLook":99999999999999}', 10).pullers.get('ds')?.firstLook,
    ).toBe(after(10).getTime());
  });

  test('where only the time differs the present text stays, so that nothing is written', () => {
    const first = print(objects, 80);
    const carried = objects.map((object, index) =>
      index === 0 ? puller({ desired: 4, annotations: { [`${PREFIX}/verdict`]: first } }) : object,
    );
    const facts = readBack(first, 80);
    const verdict = lookAt(carried, { now: 95, facts });
    expect(printAnnotation(verdict, snapshotOf(carried).daemonSet, after(95))).toBe(first);
    const changed = lookAt([...carried, ...stuck('n4')], { now: 95, facts });
    expect(printAnnotation(changed, snapshotOf(carried).daemonSet, after(95))).toMatch(
      new RegExp(`^\\{"at":"${stamp(95)}"`),
    );
  });

  test('names of many bytes stay within 4 KiB too', () => {
    const images = Array.from({ length: 60 }, (_, index) => `quay.io/${'ü'.repeat(100)}/${index}`);
    const one = pod('n1', { images, containers: images.map(() => waiting('InvalidImageName', 'ü'.repeat(4000))) });
    const text = print([puller({ images }), one, pulledPod('n2', { images })], 5);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(JSON.parse(text)).toMatchObject({ uid: 'ds' });
  });
});

test('facts of two pullers are put together, the newer of two that speak of the same', () => {
  const record = (since: number, seen: number): Facts => ({
    ...NO_FACTS,
    turnedAway: new Map([['n1', { since, seen, uid: 'a', rejected: false }]]),
  });
  expect(mergeFacts(record(1, 10), record(2, 20)).turnedAway.get('n1')?.since).toBe(2);
  expect(mergeFacts(record(2, 20), record(1, 10)).turnedAway.get('n1')?.since).toBe(2);
  expect(mergeFacts(NO_FACTS, record(1, 10))).toEqual(record(1, 10));
});
