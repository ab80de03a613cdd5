/** Whether a pod may be on a node by name, labels and taints: the rules the DaemonSet controller and the scheduler share (component-helpers). */
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

function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
}

/** nodeSelector and the required node affinity. */
export function matchesNodeAffinity(node: ApiObject, podSpec: Fields): boolean {
  const labels = node.metadata.labels ?? {};
  const selector = (podSpec.nodeSelector ?? {}) as Record<string, string>;
  if (!Object.entries(selector).every(([key, value]) => labels[key] === value)) return false;
  const required = podSpec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution as
    | { nodeSelectorTerms: SelectorTerm[] }
    | undefined;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(node, labels, term));
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
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution as
    | { nodeSelectorTerms: SelectorTerm[] }
    | undefined;
  const fields = (required?.nodeSelectorTerms ?? []).flatMap((term) => term.matchFields ?? []);
  return fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values?.[0];
}
