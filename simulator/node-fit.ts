/** Whether a pod may be on a node by name, labels and taints: the rules the DaemonSet controller and the scheduler share (component-helpers). */
import { fieldsAt } from './fields.ts';
import { matchesExpression } from './selectors.ts';
import type { ApiObject, Fields } from './store.ts';

export interface Taint {
  key: string;
  value?: string;
  effect: 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule';
  timeAdded?: string;
}

interface Toleration {
  key?: string;
  operator?: 'Exists' | 'Equal';
  value?: string;
  effect?: string;
}

interface Requirement {
  key: string;
  operator: string;
  values?: string[];
}

interface SelectorTerm {
  matchExpressions?: Requirement[];
  matchFields?: Requirement[];
}

export function taintsOf(node: ApiObject): Taint[] {
  return (node.spec?.taints as Taint[] | undefined) ?? [];
}

/** The first taint of these effects that no toleration covers. */
export function untolerated(node: ApiObject, podSpec: Fields, effects: readonly string[]): Taint | undefined {
  const tolerations = (podSpec.tolerations as Toleration[] | undefined) ?? [];
  return taintsOf(node).find(
    (taint) => effects.includes(taint.effect) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** An absent effect or key stands for all; without a key only `Exists` is valid. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
  if (!['', taint.effect].includes(effect) || !['', taint.key].includes(key)) return false;
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
}

/** nodeSelector and the required node affinity. */
export function matchesNodeAffinity(node: ApiObject, podSpec: Fields): boolean {
  const labels = node.metadata.labels ?? {};
  const selector = (podSpec.nodeSelector ?? {}) as Record<string, string>;
  if (!Object.entries(selector).every(([key, value]) => labels[key] === value)) return false;
  const terms = requiredTerms(podSpec);
  return terms === undefined || terms.some((term) => matchesTerm(node, labels, term));
}

function requiredTerms(podSpec: Fields | undefined): SelectorTerm[] | undefined {
  const required = fieldsAt(podSpec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  return required.nodeSelectorTerms as SelectorTerm[] | undefined;
}

/** A term without any requirement matches nothing. */
function matchesTerm(node: ApiObject, labels: Record<string, string>, term: SelectorTerm): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((one) => matchesExpression(one, labels)) &&
    matchFields.every((one) => matchesExpression(one, fields))
  );
}

/** The node a DaemonSet's pod is for, bound or not (GetTargetNodeName): its nodeName, else what its affinity names. */
export function targetNode(pod: ApiObject): string | undefined {
  if (typeof pod.spec?.nodeName === 'string') return pod.spec.nodeName;
  const fields = (requiredTerms(pod.spec) ?? []).flatMap((term) => term.matchFields ?? []);
  return fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values?.[0];
}
