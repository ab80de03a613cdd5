/** What a node is marked with, by what the pullers say of it. */
import type { NodeReason, State } from '../../src/api/reasons.ts';
import { combinedDigest } from '../../src/api/digest.ts';
import type { DaemonSet } from '../../src/verdict/snapshot.ts';
import { markOf, marksOf } from '../../src/verdict/node-marks.ts';

type Said = [State, NodeReason];
const DONE: Said = ['pulled', 'EveryImagePulled'];
const BUSY: Said = ['pulling', 'InProgress'];
const both = combinedDigest(['one', 'two']);

function marking(digest: string, [state, reason]: Said) {
  return { digest, nodes: [{ node: 'a', state, reason }] };
}

test.each<[string, [string, Said][], string | undefined]>([
  ['no puller', [], undefined],
  ['done', [['one', DONE]], 'one'],
  ['done, though the container could not run', [['one', ['pulled', 'PulledNotStarted']]], 'one'],
  ['still pulling', [['one', BUSY]], undefined],
  ['tolerated', [['one', ['tolerated', 'NodeFull']]], undefined],
  ['failed', [['one', ['failed', 'ImageMissing']]], undefined],
  // prettier-ignore
  ['two lists, both there', [['two', DONE], ['one', DONE]], both],
  // prettier-ignore
  ['one list twice', [['one', DONE], ['one', DONE]], 'one'],
  // prettier-ignore
  ['two lists, one there', [['one', DONE], ['two', BUSY]], undefined],
  // prettier-ignore
  ['two lists, one there, the other first', [['two', BUSY], ['one', DONE]], undefined],
  // prettier-ignore
  ['two lists, one left out because the node is full', [['one', DONE], ['two', ['tolerated', 'NodeFull']]], undefined],
  // prettier-ignore
  ['two lists, one not for this node', [['one', DONE], ['two', ['tolerated', 'NoBuildForNode']]], 'one'],
  // prettier-ignore
  ['two lists, one where the node is virtual', [['one', DONE], ['two', ['tolerated', 'VirtualNode']]], 'one'],
  // prettier-ignore
  ['two lists, one for another system', [['one', DONE], ['two', ['tolerated', 'OtherSystem']]], 'one'],
])('%s', (_what, said, expected) => {
  expect(marksOf(said.map(([digest, of]) => marking(digest, of))).get('a')).toBe(expected);
});

test('nodes of different pullers have marks of their own', () => {
  const other = { digest: 'two', nodes: [{ node: 'b', state: 'pulled', reason: 'EveryImagePulled' }] } as const;
  expect([...marksOf([marking('one', DONE), other])]).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ]);
});

test('a node that lacks something is not in the list', () => {
  expect([...marksOf([marking('one', DONE), marking('two', BUSY)])]).toEqual([]);
});

test('the value of several lists fits a label', () => {
  expect(both).toMatch(/^[0-9a-f]{32}$/);
});

const PULLER = { role: 'continuous', deletedAt: undefined, imagesLabel: 'one' } as DaemonSet;

test.each<[string, Partial<DaemonSet>, string | undefined]>([
  ['a continuous puller marks', {}, 'one'],
  ['a hook does not', { role: 'hook' }, undefined],
  ['one that is going does not', { deletedAt: 1 }, undefined],
  ['one without the label does not', { imagesLabel: undefined }, undefined],
  ['one with an empty label does not', { imagesLabel: '' }, undefined],
])('%s', (_what, fields, expected) => {
  expect(markOf({ ...PULLER, ...fields })).toBe(expected);
});
