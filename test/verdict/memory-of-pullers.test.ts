/** What is remembered of a puller: its looks, the progress of its nodes, and what retry-at takes away. */
import { NO_FACTS, MEMORY, type Facts } from '../../src/verdict/facts.ts';
import {
  after,
  CREATING,
  pod,
  PREFIX,
  puller,
  pulledPod,
  running,
  stamp,
  unschedulable,
  waiting,
  type PodOptions,
  type Raw,
} from './cluster.ts';
import { lookAt, nodeState } from './look.ts';
import { IMAGE, NO_SHELL, OTHER } from './stories.ts';

const time = (seconds: number): number => after(seconds).getTime();
const look = (objects: Raw[], now: number, facts: Facts = NO_FACTS): Facts => lookAt(objects, { now, facts }).facts;
const next = (uid = 'second'): Raw => puller({ uid });
const full = (since: number, options: PodOptions = {}): Raw => unschedulable('n1', '1 Too many pods', since, options);

describe('progress', () => {
  const images = [IMAGE, OTHER, 'quay.io/a/third:1'];
  const crashing = waiting('CrashLoopBackOff', 'x', { imageID: 's', restartCount: 9, lastState: NO_SHELL });
  const half = (...containers: Raw[]): Raw[] => [puller({ images }), pod('n1', { images, containers })];
  const at = (facts: Facts): object | undefined => facts.pullers.get('ds')?.progress.get('n1');

  test('is kept while a node is half done', () => {
    const first = look(half(crashing, CREATING, CREATING), 100);
    expect(at(first)).toEqual({ proven: 1, at: time(100) });
    expect(at(look(half(crashing, CREATING, CREATING), 200, first))).toEqual({ proven: 1, at: time(100) });
    expect(at(look(half(crashing, crashing, CREATING), 200, first))).toEqual({ proven: 2, at: time(200) });
  });
  test('is not lost when a container seems to begin anew', () => {
    const first = look(half(crashing, crashing, CREATING), 100);
    const fewer = look(half(crashing, CREATING, CREATING), 200, first);
    expect(at(fewer)).toEqual({ proven: 2, at: time(100) });
  });
  test('by an object’s own time', () => {
    expect(at(look(half(running(70), CREATING, CREATING), 100))).toEqual({ proven: 1, at: time(70) });
  });
  test('is none before the first image and none after the last', () => {
    expect(at(look(half(CREATING, CREATING, CREATING), 100))).toBeUndefined();
    expect(at(look(half(crashing, crashing, crashing), 100))).toBeUndefined();
  });
  test('of a single look is not remembered', () => {
    expect(
      lookAt(half(crashing, CREATING, CREATING), { now: 100, once: true }).facts.pullers.get('ds')?.progress.size,
    ).toBe(0);
  });
});

describe('a puller', () => {
  test('is forgotten an hour after its last look, but never while it is looked at', () => {
    const first = look([puller({ status: {} })], 0);
    expect(look([puller({ status: {} })], 9000, first).pullers.get('ds')).toMatchObject({
      firstLook: time(0),
      seen: time(9000),
    });
    expect([...look([next()], 3600, first).pullers.keys()]).toEqual(['ds', 'second']);
    expect([...look([next()], 3601, first).pullers.keys()]).toEqual(['second']);
    expect(MEMORY).toBe(3_600_000);
  });
  test('begins anew with its generation', () => {
    const first = look([puller({ role: 'continuous' }), ...[pod('n1')]], 0);
    expect(look([puller({ role: 'continuous', generation: 2 })], 50, first).pullers.get('ds')).toMatchObject({
      generation: 2,
      firstLook: time(50),
    });
  });
  test('a single look takes the first generation to begin with the object, a later one with its oldest pod', () => {
    const late = (options: PodOptions): Raw[] => [
      pod('n1', options),
      { kind: 'Node', metadata: { name: 'n1', creationTimestamp: stamp(30) } },
    ];
    const reason = (daemonSet: Raw, options: PodOptions): string =>
      nodeState(lookAt([daemonSet, ...late(options)], { now: 100, once: true }), 'n1').reason;
    expect(reason(puller(), { created: 40 })).toBe('Late');
    expect(reason(puller({ generation: 2 }), { created: 40 })).toBe('InProgress');
    const older = pulledPod('n0', { created: 20 });
    expect(
      nodeState(
        lookAt([puller({ generation: 2, desired: 2 }), ...late({ created: 40 }), older], { now: 100, once: true }),
        'n1',
      ).reason,
    ).toBe('Late');
  });
});

test('retry-at forgets what was last seen before it, and what comes at its very time stays', () => {
  const before = look([puller(), full(1)], 100);
  const at = (second: number): Facts =>
    look([puller({ annotations: { [`${PREFIX}/retry-at`]: stamp(second) } })], 200, before);
  expect([at(100).turnedAway.size, at(101).turnedAway.size, at(200).turnedAway.size, at(201).turnedAway.size]).toEqual([
    1, 0, 0, 1,
  ]);
});
