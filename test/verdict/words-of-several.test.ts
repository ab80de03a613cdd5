/** Several nodes in one text: in what order, and how many by name. */
import { explanationAsText } from '../../src/verdict/explanation.ts';
import { describe as describeStates, headline } from '../../src/verdict/message.ts';
import type { NodeState } from '../../src/verdict/verdict.ts';
import { puller, unschedulable } from './cluster.ts';
import { lookAt } from './look.ts';

describe('the words of several nodes', () => {
  const state = (name: string, more: Partial<NodeState> = {}): NodeState => ({
    node: name,
    state: 'failed',
    reason: 'ImageMissing',
    row: 12,
    message: 'm',
    counts: false,
    inBase: true,
    ...more,
  });
  test('a headline of all states', () => {
    expect(headline({ eligible: 9, pulled: 1, pulling: 2, tolerated: 3, failed: 4 })).toBe(
      '1/10 nodes pulled, 4 failed, 2 pulling, 3 tolerated',
    );
  });
  test.each<[what: string, states: NodeState[], words: string]>([
    ['two images', [state('a', { image: 'x' }), state('b', { image: 'y' })], 'image x: m (on a); image y: m (on b)'],
    ['by name', [state('b', { message: 'x' }), state('a', { message: 'y' })], 'y (on a); x (on b)'],
    ['by name, listed so', [state('a', { message: 'y' }), state('b', { message: 'x' })], 'y (on a); x (on b)'],
    ['the lower row', [state('a', { row: 13 }), state('b')], 'm (on b); m (on a)'],
    ['the more', [state('a', { message: 'x' }), state('b'), state('c')], 'm (on 2 nodes: b, c); x (on a)'],
  ])('%s', (_what, states, words) => {
    expect(describeStates(states)).toBe(words);
  });
  test('advice names three nodes, then a number', () => {
    const names = ['n1', 'n2', 'n3', 'n4', 'n5'];
    const text = (count: number): string => {
      const objects = [puller({ desired: count }), ...names.slice(0, count).map((name) => unschedulable(name))];
      return explanationAsText([{ namespace: 'a', name: 'b', verdict: lookAt(objects, { now: 90 }) }]);
    };
    expect(text(3)).toContain('(n1, n2, n3)\n');
    expect(text(4)).toContain('(n1, n2, n3 and 1 other)\n');
    expect(text(5)).toContain('(n1, n2, n3 and 2 others)\n');
  });
});
