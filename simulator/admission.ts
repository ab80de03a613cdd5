/**
 * Who may refuse or complete a new object: service account, priority, taint of new nodes, quota, and a test's own webhook
 * (plugin/pkg/admission, in the server's order; the texts are the server's).
 */
import type { Admission } from './api.ts';
import { ApiError, forbidden } from './errors.ts';
import type { Resource } from './resources.ts';
import { resourceNamed } from './resources.ts';
import type { ApiObject, Fields, Metadata, Store } from './store.ts';

/** A test's webhook: an error to refuse the object with, nothing to let it pass. */
export type Webhook = (kind: string, object: Fields) => ApiError | undefined;

export function createAdmission(store: Store, webhook: () => Webhook | undefined): Admission {
  return {
    mutate(resource, object) {
      if (resource.kind === 'Node') return withNotReadyTaint(object);
      if (resource.kind !== 'Pod') return object;
      return withPriority(store, resource, withServiceAccount(store, resource, object));
    },
    validate(resource, object) {
      const refusal = webhook()?.(resource.kind, object);
      if (refusal !== undefined) throw refusal;
      if (resource.kind === 'Pod') checkQuota(store, resource, object);
    },
  };
}

/** A webhook with failurePolicy Fail that nobody answers. */
export function webhookDown(name: string): ApiError {
  const url = 'https://webhook.webhooks.svc:443/validate?timeout=10s';
  const why = `failed to call webhook: Post "${url}": dial tcp 10.0.0.7:443: connect: connection refused`;
  return new ApiError(500, 'InternalError', `Internal error occurred: failed calling webhook "${name}": ${why}`);
}

/** A webhook that says no. */
export function webhookDenied(name: string, why: string): ApiError {
  return new ApiError(403, 'Forbidden', `admission webhook "${name}" denied the request: ${why}`);
}

function nameOf(object: Fields): string {
  const metadata = object.metadata as Partial<Metadata> & { generateName?: string };
  return metadata.name ?? metadata.generateName ?? '';
}

/** TaintNodesByCondition: nobody may be put on a node before it was seen ready. */
function withNotReadyTaint(node: Fields): Fields {
  const spec = (node.spec ?? {}) as Fields;
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const others = ((spec.taints ?? []) as Fields[]).filter(
    (one) => one.key !== taint.key || one.effect !== taint.effect,
  );
  return { ...node, spec: { ...spec, taints: [...others, taint] } };
}

function withServiceAccount(store: Store, resource: Resource, pod: Fields): Fields {
  const { namespace } = pod.metadata as Metadata;
  const name = ((pod.spec as Fields).serviceAccountName as string | undefined) ?? 'default';
  if (store.get(resourceNamed('serviceaccounts'), name, namespace) === undefined) {
    const account = `${namespace ?? ''}/${name}`;
    const why = `error looking up service account ${account}: serviceaccount "${name}" not found`;
    throw forbidden(resource, nameOf(pod), why);
  }
  const spec: Fields = { ...(pod.spec as Fields), serviceAccountName: name, serviceAccount: name };
  return { ...pod, spec };
}

function withPriority(store: Store, resource: Resource, pod: Fields): Fields {
  const classes = resourceNamed('priorityclasses');
  const spec = pod.spec as Fields;
  const name = (spec.priorityClassName as string | undefined) ?? '';
  const byDefault = store.list(classes).find(({ globalDefault }) => globalDefault === true);
  const found = name === '' ? byDefault : store.get(classes, name);
  if (found === undefined && name !== '') {
    throw forbidden(resource, nameOf(pod), `no PriorityClass with name ${name} was found`);
  }
  const given: Fields = {
    priority: found?.value ?? 0,
    preemptionPolicy: found?.preemptionPolicy ?? 'PreemptLowerPriority',
  };
  if (found !== undefined) given.priorityClassName = found.metadata.name;
  return { ...pod, spec: { ...spec, ...given } };
}

/** Quotas on the number of pods, the only resource counted here. */
function checkQuota(store: Store, resource: Resource, pod: Fields): void {
  const { namespace, name } = pod.metadata as Metadata;
  for (const quota of store.list(resourceNamed('resourcequotas'), namespace)) {
    const limit = (quota.spec?.hard as Fields | undefined)?.pods as string | undefined;
    if (limit === undefined) continue;
    const used = store.list(resource, namespace).filter(counts).length;
    if (used + 1 <= Number(limit)) continue;
    const figures = `requested: pods=1, used: pods=${String(used)}, limited: pods=${limit}`;
    throw forbidden(resource, name, `exceeded quota: ${quota.metadata.name}, ${figures}`);
  }
}

function counts(pod: ApiObject): boolean {
  return pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded';
}
