/** Which nodes a DaemonSet wants: a node without a pod is named only when it is one of them. */
import { isSelected } from '../../src/verdict/placement.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { readNode } from '../../src/verdict/read-pod.ts';
import { node, puller, type NodeOptions, type Raw } from './cluster.ts';

const selects = (spec: Raw, options: NodeOptions = {}): boolean =>
  isSelected(readNode(node('n1', options)), readDaemonSet(puller({ spec })).placement);
const required = (...terms: Raw[]): Raw => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
});
const expression = (key: string, operator: string, ...values: string[]): Raw => ({
  matchExpressions: [{ key, operator, values }],
});
const labels = { pool: 'user', size: '8' };

test.each<[string, Raw, boolean]>([
  ['nothing asked', {}, true],
  ['selector', { nodeSelector: { pool: 'user' } }, true],
  ['selector, other value', { nodeSelector: { pool: 'core' } }, false],
  ['selector, one of two', { nodeSelector: { pool: 'user', gpu: 'yes' } }, false],
  ['In', required(expression('pool', 'In', 'core', 'user')), true],
  ['In, other value', required(expression('pool', 'In', 'core')), false],
  ['In, no label', required(expression('gpu', 'In', 'yes')), false],
  ['NotIn', required(expression('pool', 'NotIn', 'core')), true],
  ['NotIn, value', required(expression('pool', 'NotIn', 'user')), false],
  ['NotIn, no label', required(expression('gpu', 'NotIn', 'yes')), true],
  ['Exists', required(expression('pool', 'Exists')), true],
  ['Exists, no label', required(expression('gpu', 'Exists')), false],
  ['DoesNotExist', required(expression('gpu', 'DoesNotExist')), true],
  ['DoesNotExist, label', required(expression('pool', 'DoesNotExist')), false],
  ['Gt', required(expression('size', 'Gt', '7')), true],
  ['Gt, equal', required(expression('size', 'Gt', '8')), false],
  ['Lt', required(expression('size', 'Lt', '9')), true],
  ['Lt, equal', required(expression('size', 'Lt', '8')), false],
  ['an operator of the future', required(expression('pool', 'Like', 'user')), false],
  ['any term will do', required(expression('pool', 'In', 'core'), expression('pool', 'In', 'user')), true],
  [
    'all of one term must hold',
    required({
      matchExpressions: [
        { key: 'pool', operator: 'Exists' },
        { key: 'gpu', operator: 'Exists' },
      ],
    }),
    false,
  ],
  ['an empty term matches nothing', required({}), false],
  ['no term matches nothing', required(), false],
  ['field', required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }), true],
  ['field, other name', required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }), false],
  ['field nobody knows', required({ matchFields: [{ key: 'spec.x', operator: 'In', values: ['n1'] }] }), false],
  [
    'null asks for nothing',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: null } } },
    true,
  ],
])('affinity: %s', (_, spec, expected) => {
  expect(selects(spec, { labels })).toBe(expected);
});

const taint = { key: 'hub.jupyter.org/dedicated', value: 'user', effect: 'NoSchedule' };
test.each<[string, Raw[], Raw, boolean]>([
  ['nothing tolerated', [], taint, false],
  ['tolerated by value', [{ key: taint.key, operator: 'Equal', value: 'user', effect: 'NoSchedule' }], taint, true],
  ['without an operator it is Equal', [{ key: taint.key, value: 'user' }], taint, true],
  ['other value', [{ key: taint.key, value: 'core' }], taint, false],
  ['other key', [{ key: 'x', value: 'user' }], taint, false],
  ['other effect', [{ key: taint.key, value: 'user', effect: 'NoExecute' }], taint, false],
  ['Exists', [{ key: taint.key, operator: 'Exists' }], taint, true],
  ['Exists, other key', [{ key: 'x', operator: 'Exists' }], taint, false],
  ['Exists for all', [{ operator: 'Exists' }], taint, true],
  ['a wish is no taint', [], { ...taint, effect: 'PreferNoSchedule' }, true],
  ['cordoned', [], { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }, true],
  ['not ready', [], { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }, true],
  ['unreachable', [], { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }, true],
  ['pressure', [], { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' }, true],
  ['something like it', [], { key: 'my.node.kubernetes.io/not-ready', effect: 'NoSchedule' }, false],
  ['something longer', [], { key: 'node.kubernetes.io/not-ready-yet', effect: 'NoSchedule' }, false],
])('taint: %s', (_, tolerations, given, expected) => {
  expect(selects({ tolerations }, { taints: [given] })).toBe(expected);
});
