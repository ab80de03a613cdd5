/** Whether a node is one of a DaemonSet's: NodeShouldRunDaemonPod of the daemon controller, without the taints of a bad health. */
import type { Node, NodeTerm, Placement, Requirement, Taint, Toleration } from './snapshot.ts';

/** The controller tolerates these itself, or the node has them only while it is not ready. */
const HEALTH_TAINTS =
  /^node\.kubernetes\.io\/(?:not-ready|unreachable|disk-pressure|memory-pressure|pid-pressure|unschedulable|network-unavailable)$/;

/** The cluster autoscaler's and Karpenter's word that a node is on its way out. */
const LEAVING_TAINTS = new Set(['ToBeDeletedByClusterAutoscaler', 'karpenter.sh/disrupted', 'karpenter.sh/disruption']);

/** Labels of nodes that are no machines. */
const VIRTUAL_LABELS: readonly (readonly [string, string])[] = [
  ['type', 'virtual-kubelet'],
  ['eks.amazonaws.com/compute-type', 'fargate'],
];

export function isSelected(node: Node, placement: Placement): boolean {
  for (const [key, value] of placement.selector) if (node.labels.get(key) !== value) return false;
  if (placement.terms?.some((term) => matchesTerm(node, term)) === false) return false;
  return node.taints.every(
    (taint) => isHarmless(taint) || placement.tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

function isHarmless({ key, effect }: Taint): boolean {
  return effect === 'PreferNoSchedule' || HEALTH_TAINTS.test(key);
}

function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && value === taint.value;
}

/** A term without requirements matches nothing, as the API says. */
function matchesTerm(node: Node, { expressions, fields }: NodeTerm): boolean {
  if (expressions.length + fields.length === 0) return false;
  const byLabel = expressions.every((requirement) => holds(requirement, node.labels.get(requirement.key)));
  return (
    byLabel &&
    fields.every((requirement) => holds(requirement, requirement.key === 'metadata.name' ? node.name : undefined))
  );
}

function holds({ operator, values }: Requirement, value: string | undefined): boolean {
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'DoesNotExist') return value === undefined;
  if (value === undefined) return false;
  if (operator === 'Exists') return true;
  if (operator === 'Gt') return Number(value) > Number(values[0]);
  if (operator === 'Lt') return Number(value) < Number(values[0]);
  return operator === 'In' && values.includes(value);
}

export function isLeaving(node: Node): boolean {
  return node.deletedAt !== undefined || node.taints.some(({ key }) => LEAVING_TAINTS.has(key));
}

export function isVirtual(node: Node): boolean {
  const labelled = VIRTUAL_LABELS.some(([key, value]) => node.labels.get(key) === value);
  return labelled || node.taints.some(({ key }) => key === 'virtual-kubelet.io/provider');
}

/** The operating system of a node that is known and not the one the images are for. */
export function otherSystem(node: Node, placement: Placement): string | undefined {
  const os = node.labels.get('kubernetes.io/os');
  return os === undefined || os === placement.os ? undefined : os;
}
