/**
 * What the chart's labels tell: the component an object belongs to, and which of several hubs in one render. Charts before 3.3.8
 * write `app`, `release` and `component` only, newer ones also app.kubernetes.io/*, Bitnami's chart only the latter.
 */
import { ROLE_LABEL, ROLES, type Role } from '../api/names.ts';
import type { KubeObject } from './manifest.ts';
import { asText, valueAt } from './mapping.ts';

/** A label's text, or undefined: labels of a rendered object may be of any type. */
export function labelOf(object: KubeObject, name: string): string | undefined {
  return asText(valueAt(object, 'metadata', 'labels', name));
}

/** The part of the chart an object belongs to, such as `hook-image-puller`. */
export function componentOf(object: KubeObject): string | undefined {
  return labelOf(object, 'component') ?? labelOf(object, 'app.kubernetes.io/component');
}

/** Ours: the role we gave the object when it went through once before. */
export function roleOf(object: KubeObject): Role | undefined {
  const role = labelOf(object, ROLE_LABEL);
  return ROLES.find((known) => known === role);
}

/** What tells the hubs of one namespace apart: chart (or alias) and release. */
export interface HubLabels {
  app?: string;
  release?: string;
}

export function hubLabelsOf(object: KubeObject): HubLabels {
  const app = labelOf(object, 'app') ?? labelOf(object, 'app.kubernetes.io/name');
  const release = labelOf(object, 'release') ?? labelOf(object, 'app.kubernetes.io/instance');
  return { ...(app !== undefined && { app }), ...(release !== undefined && { release }) };
}

/** Whether two objects carry the same hub labels; an object without any is like no other. */
export function sameHubLabels(one: HubLabels, other: HubLabels): boolean {
  return hasHubLabels(one) && one.app === other.app && one.release === other.release;
}

export function hasHubLabels(labels: HubLabels): boolean {
  return labels.app !== undefined || labels.release !== undefined;
}

export function nameOf(object: KubeObject): string | undefined {
  return asText(valueAt(object, 'metadata', 'name'));
}

/** As written; undefined where the render leaves it to whoever applies it. */
export function namespaceOf(object: KubeObject): string | undefined {
  return asText(valueAt(object, 'metadata', 'namespace'));
}

/** `Kind/name`, as warnings and errors name an object. */
export function titleOf(object: KubeObject): string {
  return `${object.kind}/${nameOf(object) ?? '?'}`;
}
