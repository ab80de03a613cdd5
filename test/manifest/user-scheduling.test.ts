/** Scheduling and pull Secrets of user pods, as the chart would render them on a puller. */
import fc from 'fast-check';
import { userPullSecrets, userScheduling } from '../../src/manifest/user-scheduling.ts';

const toleration = (value: string): object => ({
  key: 'hub.jupyter.org/dedicated',
  operator: 'Equal',
  value,
  effect: 'NoSchedule',
});
const term = (key: string): object => ({ matchExpressions: [{ key, operator: 'Exists' }] });
const userNodes = { matchExpressions: [{ key: 'hub.jupyter.org/node-purpose', operator: 'In', values: ['user'] }] };

describe('R-21: userScheduling is what the chart would render on its puller', () => {
  test('selectors, tolerations in the chart’s order, required affinity', () => {
    const values = {
      singleuser: {
        nodeSelector: { pool: 'user' },
        extraTolerations: [toleration('b')],
        extraNodeAffinity: { required: [term('gpu')] },
      },
      prePuller: { extraTolerations: [toleration('c')] },
      scheduling: { userPods: { tolerations: [toleration('a')], nodeAffinity: { matchNodePurpose: 'require' } } },
    };
    expect(userScheduling(values)).toEqual({
      nodeSelector: { pool: 'user' },
      tolerations: [toleration('a'), toleration('b'), toleration('c')],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [userNodes, term('gpu')] },
        },
      },
    });
  });

  test.each([
    ['nothing set', {}],
    ['all empty', { singleuser: { nodeSelector: {}, extraTolerations: [] }, imagePullSecrets: [] }],
    ['matchNodePurpose prefer', { scheduling: { userPods: { nodeAffinity: { matchNodePurpose: 'prefer' } } } }],
    [
      'wrong types',
      {
        singleuser: { nodeSelector: 'x', extraTolerations: { a: 1 }, extraNodeAffinity: { required: ['x'] } },
        scheduling: 5,
      },
    ],
  ])('%s: no field at all', (_, values) => {
    expect(userScheduling(values)).toEqual({});
  });
});

describe('userPullSecrets', () => {
  test.each([
    [
      'texts and names, each once',
      { imagePullSecrets: ['a', { name: 'b' }], singleuser: { image: { pullSecrets: ['b', 'c'] } } },
      undefined,
      ['b', 'c', 'a'],
    ],
    [
      'the chart’s own Secret',
      { imagePullSecret: { create: true, automaticReferenceInjection: true } },
      'image-pull-secret',
      ['image-pull-secret'],
    ],
    [
      'not injected',
      { imagePullSecret: { create: true, automaticReferenceInjection: false } },
      'image-pull-secret',
      [],
    ],
    ['not created', { imagePullSecret: { create: false } }, 'image-pull-secret', []],
    ['created, name unknown', { imagePullSecret: { create: true } }, undefined, []],
    ['wrong types', { imagePullSecrets: 'a', singleuser: { image: { pullSecrets: [5, null, {}] } } }, undefined, []],
  ])('%s', (_, values, chartSecret, names) => {
    expect(userPullSecrets(values, chartSecret)).toEqual(names);
    expect(userScheduling(values, chartSecret).imagePullSecrets ?? []).toEqual(names.map((name) => ({ name })));
  });
});

test('never throws, whatever the types', () => {
  const inner = fc.dictionary(
    fc.constantFrom('image', 'userPods', 'extraTolerations', 'nodeSelector', 'extraNodeAffinity'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('singleuser', 'scheduling', 'prePuller', 'imagePullSecrets'),
        fc.oneof(inner, fc.jsonValue()),
      ),
      (values) => {
        expect(userScheduling(values)).toBeDefined();
      },
    ),
  );
});
