/** Label and field selectors as the API server reads them from a query, and LabelSelectors of objects. */
import type { ApiObject, Fields } from './store.ts';
import { badRequest } from './errors.ts';

export type Predicate = (object: ApiObject) => boolean;

const EQUALITY = /^([^!=\s]+)\s*(==|=|!=)\s*([^!=\s]*)$/;
const SET = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/;

/** `a=b,c!=d,e in (f,g),!h,i`; an empty text takes everything. 400 for anything else. */
export function labelSelector(text: string): Predicate {
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  const rules = parts.filter((part) => part !== '').map(labelRule);
  return (object) => rules.every((rule) => rule(object.metadata.labels ?? {}));
}

type LabelRule = (labels: Record<string, string>) => boolean;

function labelRule(text: string): LabelRule {
  const set = SET.exec(text);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return (labels) => values.includes(labels[key] ?? '\0') === (operator === 'in');
  }
  const equality = EQUALITY.exec(text);
  if (equality !== null) {
    const [, key = '', operator, value] = equality;
    return (labels) => (labels[key] === value) === (operator !== '!=');
  }
  if (!/^!?[A-Za-z0-9./_-]+$/.test(text)) throw badRequest(`unable to parse requirement: ${text}`);
  return text.startsWith('!') ? (labels) => !(text.slice(1) in labels) : (labels) => text in labels;
}

/** Fields a selector may name beside metadata.name and metadata.namespace, by the resource's plural (the registries' field label conversions). */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  jobs: ['status.successful'],
};

/** `a.b=c,d!=e`, on the fields the resource offers for it; 400 for others. */
export function fieldSelector(text: string, plural: string): Predicate {
  const rules = text
    .split(',')
    .filter((part) => part !== '')
    .map((part): Predicate => {
      const [, path = '', operator, value] = EQUALITY.exec(part) ?? [];
      if (path === '') throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
      const known = ['metadata.name', 'metadata.namespace', ...(SELECTABLE[plural] ?? [])];
      if (!known.includes(path)) throw badRequest(`field label not supported: ${path}`);
      return (object) => (fieldAt(object, path) === value) === (operator !== '!=');
    });
  return (object) => rules.every((rule) => rule(object));
}

function fieldAt(object: ApiObject, path: string): string {
  // Events select by `source`, which stands for the component in it; unset booleans read as false.
  const full = path === 'source' ? 'source.component' : path;
  let at: unknown = object;
  for (const key of full.split('.')) at = (at as Fields | undefined)?.[key];
  if (at === undefined && (path === 'spec.unschedulable' || path === 'spec.hostNetwork')) return 'false';
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : '';
}

export interface Expression {
  key: string;
  operator: string;
  values?: string[];
}

/** One requirement of a LabelSelector or a node selector term, on a map of labels (or of fields). */
export function matchesExpression({ key, operator, values = [] }: Expression, labels: Record<string, string>): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** A metav1.LabelSelector: an empty one takes everything. */
export function matchesSelector(selector: Fields, labels: Record<string, string>): boolean {
  const equal = Object.entries((selector.matchLabels ?? {}) as Record<string, string>);
  const expressions = (selector.matchExpressions ?? []) as Expression[];
  return equal.every(([key, value]) => labels[key] === value) && expressions.every((e) => matchesExpression(e, labels));
}
