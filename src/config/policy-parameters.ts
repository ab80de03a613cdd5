/** The policy's parameters: text forms and defaults come from api/policy.ts, only the wording is here. */
import { DEFAULT_POLICY, POLICY_SETTINGS } from '../api/policy.ts';
import type { Policy } from '../api/policy.ts';
import type { Parameter, ParameterTable } from './parameter.ts';

const WORDING: Record<keyof Policy, { title: string; tooltip: string; choices?: readonly string[] }> = {
  strict: {
    title: 'Strict',
    tooltip: 'Nodes that would be tolerated fail the sync.',
    choices: ['true', 'false'],
  },
  schedulingGrace: {
    title: 'Grace for nodes that take no pod',
    tooltip: 'How long a node may turn the pod away, be not ready or not start it, before it is tolerated.',
  },
  rejectionGrace: {
    title: 'Grace for rejected pods',
    tooltip: 'How long a node may reject pods, or pods may be missing, before that counts.',
  },
  networkGrace: {
    title: 'Grace for connection errors',
    tooltip: 'How long one node may fail to reach the registry, while another has the image, before it is tolerated.',
  },
  missingImageWindow: {
    title: 'Time for an image to appear',
    tooltip: 'How long a missing image may still be on its way from CI, before the pull has failed.',
  },
  deadline: {
    title: 'Deadline of a node',
    tooltip: 'How long a node may go without progress; on-deadline says what happens then.',
  },
  onDeadline: {
    title: 'At the deadline',
    tooltip: 'fail: the sync fails. tolerate: it goes on without the node.',
    choices: ['fail', 'tolerate'],
  },
  minPulled: {
    title: 'Nodes that must have the images',
    tooltip: 'A number of nodes, or a percentage of those that count; fewer fail the sync.',
  },
  judge: {
    title: 'Who judges',
    tooltip:
      "reconciler: the prepuller controller. builtin: Argo CD's own health rule; the job gate sets it by itself.",
    choices: ['reconciler', 'builtin'],
  },
};

function parameter<K extends keyof Policy>(key: K): Parameter<Policy[K]> {
  const { name, takes, read, print } = POLICY_SETTINGS[key];
  const row: Parameter<Policy[K]> = {
    name,
    ...WORDING[key],
    type: 'string',
    default: print(DEFAULT_POLICY[key]),
    takes,
    read: (value) => (typeof value === 'string' ? read(value) : undefined),
  };
  return typeof DEFAULT_POLICY[key] === 'boolean' ? { ...row, itemType: 'boolean' } : row;
}

export const POLICY_PARAMETERS: ParameterTable<Policy> = {
  strict: parameter('strict'),
  schedulingGrace: parameter('schedulingGrace'),
  rejectionGrace: parameter('rejectionGrace'),
  networkGrace: parameter('networkGrace'),
  missingImageWindow: parameter('missingImageWindow'),
  deadline: parameter('deadline'),
  onDeadline: parameter('onDeadline'),
  minPulled: parameter('minPulled'),
  judge: parameter('judge'),
};
