/** Lists as kubectl, the raw API and people make them. */
import { readSavedList } from '../../src/verdict/saved-list.ts';
import { event, node, pod, puller } from './cluster.ts';

const counts = (...values: unknown[]): number[] => {
  const { daemonSets, pods, nodes, events } = readSavedList(values);
  return [daemonSets.length, pods.length, nodes.length, events.length];
};
const bare = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'kind'));

test.each<[string, unknown[], number[]]>([
  ['objects', [puller(), pod('n1'), node('n1'), event(puller(), 'x', 'y')], [1, 1, 1, 1]],
  ['a List', [{ kind: 'List', items: [puller(), pod('n1'), pod('n2')] }], [1, 2, 0, 0]],
  [
    'typed lists without kinds',
    [
      { kind: 'DaemonSetList', items: [bare(puller())] },
      { kind: 'PodList', items: [bare(pod('n1'))] },
    ],
    [1, 1, 0, 0],
  ],
  ['a typed list with kinds', [{ kind: 'NodeList', items: [node('n1'), pod('n1')] }], [0, 1, 1, 0]],
  ['a List of objects without kinds', [{ kind: 'List', items: [bare(puller())] }], [0, 0, 0, 0]],
  ['other kinds', [{ kind: 'Secret' }, { kind: 'ConfigMapList', items: [{}] }], [0, 0, 0, 0]],
  [
    'what is no object',
    [7, null, 'x', { kind: 'List', items: 7 }, { kind: 'PodList', items: [null, 7] }],
    [0, 0, 0, 0],
  ],
])('%s', (_, values, expected) => {
  expect(counts(...values)).toEqual(expected);
});
