/** What is remembered from look to look, of whom, for how long, and what makes it be forgotten. */
import { NO_FACTS, type Facts } from '../../src/verdict/facts.ts';
import {
  after,
  backOff,
  failedPull,
  NOT_FOUND,
  pod,
  puller,
  pulledPod,
  running,
  unschedulable,
  type PodOptions,
  type Raw,
} from './cluster.ts';
import { lookAt, nodeState } from './look.ts';
import { IMAGE } from './stories.ts';

const time = (seconds: number): number => after(seconds).getTime();
/** State and reason of n1, judged with these facts. */
const n1 = (objects: Raw[], now: number, facts: Facts = NO_FACTS): string => {
  const { state, reason } = nodeState(lookAt(objects, { now, facts }), 'n1');
  return `${state} ${reason}`;
};
const look = (objects: Raw[], now: number, facts: Facts = NO_FACTS): Facts => lookAt(objects, { now, facts }).facts;
const next = (uid = 'second'): Raw => puller({ uid });
const full = (since: number, options: PodOptions = {}): Raw => unschedulable('n1', '1 Too many pods', since, options);
const rejected = (created: number, options: PodOptions = {}): Raw =>
  pod('n1', { created, containers: [{}], sandbox: null, status: { phase: 'Failed', reason: 'OutOfpods' }, ...options });

describe('a node that turned a pod away', () => {
  const before = look([puller(), full(1)], 100);

  test('and refuses the next hook’s pod too is tolerated at once', () => {
    expect(n1([next(), full(500, { owner: 'second' })], 501, before)).toBe('tolerated NodeFull');
    expect(n1([next(), full(500, { owner: 'second' })], 501)).toBe('pulling Waiting');
  });
  test.each([
    ['for an hour after it was last seen', 3700, 'tolerated NodeFull'],
    ['no longer', 3701, 'pulling Waiting'],
  ])('%s', (_, now, expected) => {
    expect(n1([next(), full(3699, { owner: 'second' })], now, before)).toBe(expected);
  });
  test('is seen anew at each look', () => {
    const later = look([puller(), full(1)], 3000, before);
    expect(later.turnedAway.get('n1')).toEqual({ since: time(1), seen: time(3000), uid: 'ds', rejected: false });
  });
  test('begins anew once a pod of the puller has started there', () => {
    const started = look([puller(), pod('n1', { created: 110 })], 120, before);
    expect(started.turnedAway.size).toBe(0);
    expect(n1([next(), full(500, { owner: 'second' })], 501, started)).toBe('pulling Waiting');
  });
  test('does not begin anew for a pod of another puller that ran before', () => {
    const other = (created: number): Raw[] => [
      puller({ uid: 'other', role: 'continuous' }),
      pod('n1', { created, owner: 'other', uid: 'o' }),
    ];
    expect(look(other(50), 120, before).turnedAway.size).toBe(1);
    expect(look(other(99), 120, before).turnedAway.size).toBe(0);
    expect(look(other(98), 120, before).turnedAway.size).toBe(1);
  });
  test('by a pod without a sandbox condition, the pod’s creation counts', () => {
    const other = (created: number): Raw[] => [
      puller({ uid: 'other' }),
      pod('n1', { created, owner: 'other', uid: 'o', sandbox: null, containers: [running()] }),
    ];
    expect(look(other(100), 120, before).turnedAway.size).toBe(1);
    expect(look(other(101), 120, before).turnedAway.size).toBe(0);
  });
  test('a pod that is only bound has not started', () => {
    expect(look([puller(), pod('n1', { created: 110, sandbox: false })], 120, before).turnedAway.size).toBe(1);
  });
  test('a node that never did has no record', () => {
    expect(look([puller(), pod('n1')], 10).turnedAway.size).toBe(0);
    expect(look([puller(), pod('n1', { pending: true })], 10).turnedAway.size).toBe(0);
  });
  test('the record of a condition without a time begins with the pod', () => {
    const untimed = full(1);
    delete untimed.status.conditions[0].lastTransitionTime;
    expect(look([puller(), untimed], 100).turnedAway.get('n1')?.since).toBe(time(1));
    expect(n1([puller(), untimed], 61)).toBe('tolerated NodeFull');
  });
});

describe('a node whose kubelet rejects', () => {
  const before = look([puller(), rejected(1)], 2);
  const fresh = (options: PodOptions = {}): Raw =>
    pod('n1', { created: 40, uid: 'b', containers: [{}], sandbox: null, ...options });

  test('is remembered as such, also when the scheduler speaks next', () => {
    expect(before.turnedAway.get('n1')).toMatchObject({ rejected: true, uid: 'ds', since: time(1) });
    expect(look([puller(), full(5)], 6, before).turnedAway.get('n1')).toMatchObject({ rejected: true, since: time(1) });
    expect(look([next(), full(5, { owner: 'second' })], 6, before).turnedAway.get('n1')).toMatchObject({
      rejected: false,
      uid: 'second',
    });
  });
  test('the pod made in its place is no new beginning', () => {
    expect(nodeState(lookAt([puller(), fresh()], { now: 41, facts: before }), 'n1')).toMatchObject({
      state: 'tolerated',
      message: 'the node turns the pod away: pods are replaced again and again',
    });
  });
  test('a pod of another puller is, until it is rejected too', () => {
    expect(n1([next(), fresh({ owner: 'second' })], 41, before)).toBe('pulling Waiting');
    expect(nodeState(lookAt([next(), fresh({ owner: 'second' })], { now: 41, facts: before }), 'n1').row).toBe(9);
    expect(n1([next(), rejected(40, { owner: 'second' })], 41, before)).toBe('tolerated Rejecting');
  });
  test('a full node that is not rejecting has no name while its pod is missing', () => {
    const refused = look([puller(), full(1)], 2);
    expect(lookAt([puller()], { now: 40, facts: refused }).nodes).toEqual([]);
    expect(lookAt([puller()], { now: 40, facts: before }).nodes).toMatchObject([{ node: 'n1', reason: 'Rejecting' }]);
    expect(lookAt([next()], { now: 40, facts: before }).nodes).toEqual([]);
  });
  test('of several, as many as are missing have a name, by name', () => {
    const other = (name: string): Raw => ({
      ...rejected(1),
      metadata: { ...rejected(1).metadata, uid: name },
      spec: { ...rejected(1).spec, nodeName: name },
    });
    const both = look([puller({ desired: 2 }), other('b'), other('a')], 2);
    const one = lookAt([puller({ desired: 1 })], { now: 40, facts: both });
    expect(one).toMatchObject({ counts: { pulling: 0, tolerated: 1 }, nodes: [{ node: 'a' }] });
    expect(lookAt([puller({ desired: 3 })], { now: 40, facts: both })).toMatchObject({
      counts: { pulling: 1 },
      nodes: [{ node: 'a' }, { node: 'b' }],
    });
    expect(lookAt([puller({ desired: 2 }), pulledPod('a')], { now: 40, facts: both }).nodes).toMatchObject([
      { node: 'a', state: 'pulled' },
      { node: 'b' },
    ]);
  });
});

describe('a node that does not start pods', () => {
  const stuck = (created: number): Raw => pod('n1', { created, uid: `p${created}`, sandbox: false });
  test('keeps its time when the pod is replaced, and loses it when one starts', () => {
    const before = look([puller(), stuck(1)], 5);
    expect(before.notStarted.get('n1')).toEqual({ since: time(1), seen: time(5) });
    expect(n1([puller(), stuck(50)], 61, before)).toBe('tolerated CannotStartPods');
    const started = look([puller(), pod('n1', { created: 50 })], 55, before);
    expect(started.notStarted.size).toBe(0);
    expect(n1([puller(), stuck(60)], 70, started)).toBe('pulling Waiting');
  });
  test('is forgotten after an hour', () => {
    const before = look([puller(), stuck(1)], 5);
    expect(look([puller()], 3605, before).notStarted.size).toBe(1);
    expect(look([puller()], 3606, before).notStarted.size).toBe(0);
  });
  test('keeps its record while its pod is away', () => {
    const before = look([puller(), stuck(1)], 5);
    expect(look([puller(), pod('n1', { pending: true })], 8, before).notStarted.size).toBe(1);
  });
  test('a pod whose binding has no time is as old as its creation', () => {
    const untimed = stuck(1);
    untimed.status.conditions[0].lastTransitionTime = undefined;
    expect(n1([puller(), untimed], 61)).toBe('tolerated CannotStartPods');
    untimed.status.conditions = [];
    expect(n1([puller(), untimed], 60)).toBe('pulling Waiting');
  });
});

describe('an error', () => {
  const failing = (last: number, options: PodOptions = {}): Raw[] => {
    const stuck = pod('n1', { containers: [backOff(IMAGE, NOT_FOUND())], ...options });
    return [stuck, failedPull(stuck, NOT_FOUND(), last, last)];
  };
  test('of the last hook keeps its beginning for the next one', () => {
    const before = look([puller(), ...failing(5)], 10);
    expect(n1([next(), ...failing(200, { owner: 'second', created: 190 })], 201, before)).toBe('failed ImageMissing');
    expect(n1([next(), ...failing(200, { owner: 'second', created: 190 })], 201)).toBe('pulling Retrying');
  });
  test('is forgotten when the node has the image', () => {
    const before = look([puller(), ...failing(5)], 10);
    const done = look([puller({ role: 'continuous' }), pulledPod('n1')], 20, before);
    expect([before.errors.size, done.errors.size]).toEqual([1, 0]);
  });
  test('is kept while nothing is known of the image', () => {
    const before = look([puller(), ...failing(5)], 10);
    expect(look([puller(), pod('n1')], 20, before).errors.size).toBe(1);
    expect(look([puller(), pod('n1')], 3610, before).errors.size).toBe(1);
    expect(look([puller(), pod('n1')], 3611, before).errors.size).toBe(0);
  });
  test('that was not there at the last look began after it', () => {
    const before = look([puller(), pod('n1')], 500);
    const failingNow = [puller(), pod('n1', { containers: [backOff(IMAGE, NOT_FOUND())] })];
    expect(nodeState(lookAt(failingNow, { now: 510, facts: before }), 'n1').since).toBe(time(500));
    expect(nodeState(lookAt(failingNow, { now: 510 }), 'n1').since).toBe(time(3));
    expect(nodeState(lookAt(failingNow, { now: 510, facts: before, once: true }), 'n1').since).toBe(time(3));
    const bare = [puller(), pod('n1', { sandbox: null, created: 7, containers: [backOff(IMAGE, NOT_FOUND())] })];
    expect(nodeState(lookAt(bare, { now: 510 }), 'n1').since).toBe(time(7));
  });
});
