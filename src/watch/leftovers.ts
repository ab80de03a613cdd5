/**
 * What hooks left behind: objects with our role label that Argo CD made as hooks and never prunes. Those of a sync that may be running
 * are kept: by its Application where that can be read, else by a hook puller without a verdict that stands.
 */
import { PULLED_CONDITION, ROLE_LABEL } from '../api/names.ts';
import { at, conditionAt, textAt } from '../verdict/fields.ts';
import { codeOf, isForbidden, listAll, pathOf } from './kube-api.ts';
import type { Collection, KubeClient } from './kube-api.ts';

export interface Leftover {
  collection: Collection;
  /** Empty for cluster-scoped objects. */
  namespace: string;
  name: string;
  uid: string;
  /** As Argo CD's tracking names it; empty when nothing says so. */
  app: string;
  /** Why it is kept; undefined when it may go. */
  kept?: string;
}

export interface Findings {
  leftovers: Leftover[];
  /** Collections that may not be read. */
  unread: Collection[];
}

/** Pullers and Jobs first, so that nothing is taken away from under them. */
const NAMESPACED: readonly Collection[] = ['daemonsets', 'jobs', 'rolebindings', 'roles', 'serviceaccounts', 'secrets'];
const CLUSTER: readonly Collection[] = ['clusterrolebindings', 'clusterroles', 'priorityclasses'];

const HOOKS = ['argocd.argoproj.io/hook', 'helm.sh/hook'];

interface Found {
  leftover: Leftover;
  object: unknown;
}

/** Of one namespace, or of the whole cluster. */
export async function findLeftovers(
  client: KubeClient,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<Findings> {
  const unread: Collection[] = [];
  const found: Found[] = [];
  for (const collection of namespace === undefined ? [...NAMESPACED, ...CLUSTER] : NAMESPACED) {
    try {
      const objects = await listAll(client, pathOf(collection, namespace), { labelSelector: ROLE_LABEL }, signal);
      found.push(...objects.filter(isHook).map((object) => readLeftover(collection, object)));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      unread.push(collection);
    }
  }
  const running = await runningApps(client, signal);
  const owners = found.filter(isUndecided).map(({ leftover }) => ownerOf(leftover));
  const busy = running ?? new Set(owners);
  const kept =
    running === undefined ? 'a hook puller of it has no verdict yet' : 'a sync of its application is running';
  const leftovers = found.map(({ leftover }) => (busy.has(ownerOf(leftover)) ? { ...leftover, kept } : leftover));
  return { unread, leftovers };
}

function isHook(object: unknown): boolean {
  return HOOKS.some((annotation) => textAt(object, 'metadata', 'annotations', annotation) !== '');
}

function readLeftover(collection: Collection, object: unknown): Found {
  const tracking = textAt(object, 'metadata', 'annotations', 'argocd.argoproj.io/tracking-id');
  const instance = textAt(object, 'metadata', 'labels', 'app.kubernetes.io/instance');
  const leftover = {
    collection,
    namespace: textAt(object, 'metadata', 'namespace'),
    name: textAt(object, 'metadata', 'name'),
    uid: textAt(object, 'metadata', 'uid'),
    app: tracking === '' ? instance : (tracking.split(':')[0] ?? ''),
  };
  return { leftover, object };
}

/** Objects that belong together: of one application, else of one namespace. */
function ownerOf({ app, namespace }: Leftover): string {
  return app === '' ? `namespace ${namespace}` : app;
}

/** A hook's verdict stands for good; before that Argo CD may be waiting for it. */
function isUndecided({ leftover, object }: Found): boolean {
  if (leftover.collection !== 'daemonsets') return false;
  return !['True', 'False'].includes(conditionAt(object, PULLED_CONDITION)?.status ?? '');
}

/** Names of applications with an operation, as tracking ids spell them; undefined where Applications cannot be read. */
async function runningApps(client: KubeClient, signal: AbortSignal): Promise<Set<string> | undefined> {
  try {
    const apps = (await listAll(client, pathOf('applications'), {}, signal)).filter(isBusy);
    return new Set(
      apps.flatMap((app) => {
        const name = textAt(app, 'metadata', 'name');
        return [name, `${textAt(app, 'metadata', 'namespace')}_${name}`];
      }),
    );
  } catch (error) {
    if (isForbidden(error) || codeOf(error) === 404) return undefined;
    throw error;
  }
}

function isBusy(app: unknown): boolean {
  const phase = textAt(app, 'status', 'operationState', 'phase');
  return at(app, 'operation') !== undefined || phase === 'Running' || phase === 'Terminating';
}

/** Whether it was there. Only the object that was found is deleted, never one that took its name. */
export async function removeLeftover(
  client: KubeClient,
  { collection, namespace, name, uid }: Leftover,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `${pathOf(collection, namespace === '' ? undefined : namespace)}/${name}`;
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions: { uid } };
  try {
    await client.remove(path, options, signal);
    return true;
  } catch (error) {
    if (codeOf(error) === 404 || codeOf(error) === 409) return false;
    throw error;
  }
}
