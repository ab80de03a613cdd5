/** An Event's times and words, from either API group. */
import { readEvent } from '../../src/verdict/read-pod.ts';
import { after, stamp, type Raw } from './cluster.ts';

const time = (seconds: number): number => after(seconds).getTime();

describe('an Event', () => {
  test.each<[string, Raw, number | undefined, number | undefined]>([
    ['seen once', { firstTimestamp: stamp(1), lastTimestamp: stamp(1) }, time(1), time(1)],
    ['seen often', { firstTimestamp: stamp(1), lastTimestamp: stamp(9) }, time(1), time(9)],
    ['of the new group', { eventTime: stamp(2), series: { lastObservedTime: stamp(8) } }, time(2), time(8)],
    [
      'of the new group, from old fields',
      { deprecatedFirstTimestamp: stamp(3), deprecatedLastTimestamp: stamp(7) },
      time(3),
      time(7),
    ],
    [
      'with null times',
      { firstTimestamp: null, lastTimestamp: null, eventTime: null, metadata: { creationTimestamp: stamp(4) } },
      time(4),
      time(4),
    ],
    ['with a last time only', { lastTimestamp: stamp(5) }, time(5), time(5)],
    ['as a Date', { firstTimestamp: after(1), lastTimestamp: after(2) }, time(1), time(2)],
    ['with nonsense', { firstTimestamp: 'soon', lastTimestamp: new Date(NaN) }, undefined, undefined],
  ])('%s', (_, fields, first, last) => {
    expect(readEvent(fields)).toMatchObject({ first, last });
  });
  test('of the new group: what it is about and its words', () => {
    const fresh = { regarding: { kind: 'Pod', name: 'p', namespace: 'x', uid: 'u' }, note: 'n', reason: 'r' };
    expect(readEvent(fresh)).toMatchObject({
      kind: 'Pod',
      name: 'p',
      namespace: 'x',
      uid: 'u',
      message: 'n',
      reason: 'r',
    });
  });
});
