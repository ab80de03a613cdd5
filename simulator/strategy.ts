/**
 * What creating and updating does to an object by its kind, as the registries' strategies do it (pkg/registry/<group>/<kind>/strategy.go):
 * who owns which field, what a status starts with, what raises the generation, what validation refuses.
 */
import { isDeepStrictEqual } from 'node:util';
import { withDefaults } from './defaults.ts';
import { invalid } from './errors.ts';
import { fieldsAt } from './fields.ts';
import type { Resource } from './resources.ts';
import { matchesSelector } from './selectors.ts';
import type { ApiObject, Fields, Metadata } from './store.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const NEW_DAEMONSET = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};

/** The object as it is stored first: with its defaults, without what only the server may say. */
export function prepareCreate(resource: Resource, given: Fields): Fields {
  const object = withDefaults(resource.kind, given);
  validate(resource, object);
  const next: Fields = { ...object, ...(resource.status ? { status: firstStatus(resource.kind, object) } : {}) };
  if (next.status === undefined) delete next.status;
  return resource.kind === 'DaemonSet' ? withTemplateGeneration(next, 1) : next;
}

/** Nodes may come with a status, other kinds start with an empty one. */
function firstStatus(kind: string, object: Fields): Fields | undefined {
  if (kind === 'Node') return object.status as Fields | undefined;
  if (kind === 'DaemonSet') return NEW_DAEMONSET;
  if (kind === 'Pod') return { phase: 'Pending', qosClass: 'BestEffort' };
  return kind === 'Namespace' ? { phase: 'Active' } : {};
}

/** A write to the object: the status stays, a changed spec raises the generation. */
export function prepareUpdate(resource: Resource, before: ApiObject, given: Fields): ApiObject {
  const wanted = withDefaults(resource.kind, given);
  const metadata = kept(before.metadata, wanted.metadata as Partial<Metadata>);
  const { apiVersion, kind, status } = before;
  const changed = !isDeepStrictEqual(wanted.spec, before.spec);
  const raised = resource.generation && changed && kind !== 'Pod' ? 1 : 0;
  if (metadata.generation !== undefined) metadata.generation += raised;
  const next: Fields = { ...wanted, apiVersion, kind, metadata };
  if (resource.status) next.status = status;
  if (next.status === undefined) delete next.status;
  validateChange(resource, before, next);
  validate(resource, next);
  return (kind === 'DaemonSet' ? withTemplateGeneration(next, templateGeneration(before, next)) : next) as ApiObject;
}

/** A write to the status subresource: the spec stays; labels and annotations are taken, as apps/v1's strategy takes them. */
export function prepareStatus(before: ApiObject, wanted: Fields): ApiObject {
  const metadata = kept(before.metadata, wanted.metadata as Partial<Metadata>);
  return { ...before, metadata, ...(wanted.status === undefined ? {} : { status: wanted.status as Fields }) };
}

/** What a client may not change stays: identity, times, generation. Its resourceVersion stands, it is the lock. */
function kept(before: Metadata, wanted: Partial<Metadata>): Metadata {
  const { name, uid, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, namespace } = before;
  const fixed = { name, uid, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, namespace };
  const given = Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined));
  return { ...wanted, ...given, resourceVersion: wanted.resourceVersion ?? '' } as Metadata;
}

function withTemplateGeneration(object: Fields, generation: number): Fields {
  const metadata = object.metadata as Partial<Metadata>;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) } },
  };
}

function templateGeneration(before: ApiObject, next: Fields): number {
  const last = Number(before.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
  return isDeepStrictEqual(before.spec?.template, (next.spec as Fields | undefined)?.template) ? last : last + 1;
}

function validate(resource: Resource, object: Fields): void {
  const metadata = object.metadata as Partial<Metadata> & { generateName?: string };
  const name = metadata.name ?? metadata.generateName ?? '';
  if (name === '') throw invalid(resource, '', 'metadata.name', 'Required value: name or generateName is required');
  if (resource.kind === 'DaemonSet') validateDaemonSet(resource, name, object.spec as Fields);
  if (resource.kind === 'Pod' && ((object.spec as Fields).containers as Fields[]).length === 0)
    throw invalid(resource, name, 'spec.containers', 'Required value');
}

function validateDaemonSet(resource: Resource, name: string, spec: Fields): void {
  const { matchLabels = {}, matchExpressions = [] } = (spec.selector ?? {}) as {
    matchLabels?: Fields;
    matchExpressions?: [];
  };
  const rules = Object.keys(matchLabels).length + matchExpressions.length;
  if (rules === 0) {
    throw invalid(resource, name, 'spec.selector', 'Invalid value: {}: empty selector is invalid for daemonset');
  }
  const labels = fieldsAt(spec, 'template', 'metadata', 'labels') as Record<string, string>;
  if (!matchesSelector(spec.selector as Fields, labels)) {
    const why = `Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``;
    throw invalid(resource, name, 'spec.template.metadata.labels', why);
  }
}

/** What no update may change. */
function validateChange(resource: Resource, before: ApiObject, next: Fields): void {
  const { name } = before.metadata;
  const immutable = (field: string, value: unknown): Error =>
    invalid(resource, name, field, `Invalid value: ${JSON.stringify(value)}: field is immutable`);
  const [old, wanted] = [before.spec ?? {}, (next.spec ?? {}) as Fields];
  if (resource.kind === 'DaemonSet' && !isDeepStrictEqual(old.selector, wanted.selector))
    throw immutable('spec.selector', wanted.selector);
  if (resource.kind === 'PriorityClass' && before.value !== next.value)
    throw invalid(resource, name, 'value', `Forbidden: may not be changed in an update.`);
  // Leases are the lock of leaders: a blind write is refused (AllowUnconditionalUpdate is false).
  if (resource.kind === 'Lease' && (next.metadata as Metadata).resourceVersion === '')
    throw invalid(resource, name, 'metadata.resourceVersion', 'Invalid value: 0: must be specified for an update');
}
