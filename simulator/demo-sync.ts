/**
 * A stand-in for Argo CD's sync (gitops-engine, sync_context.go), as much of it as a puller meets: PreSync hooks wave by wave, each
 * wave waited for by its health, then everything else and its health; hooks that ask for it are deleted behind a good sync.
 */
import type { Health } from '../src/api/reasons.ts';
import type { ApiClient, Ref } from './api-client.ts';
import type { Clock } from './clock.ts';
import { healthOf } from './demo-health.ts';
import { resourceOf } from './resources.ts';
import type { ApiObject, Fields } from './store.ts';

export interface SyncOptions {
  client: ApiClient;
  clock: Clock;
  apply: (objects: readonly Fields[]) => Promise<void>;
  /** Where objects without a namespace go. */
  namespace: string;
  signal: AbortSignal;
  /** A part of the sync begins. */
  step: (step: SyncStep) => void;
  /** Health and message of what is waited for, told whenever they change. */
  waiting: (object: ApiObject, health: Health, message: string) => void;
}

export interface SyncStep {
  phase: 'PreSync' | 'Sync' | 'Deleted';
  /** The wave of hooks. */
  wave: number;
  objects: readonly ApiObject[];
}

export interface SyncOutcome {
  phase: 'Succeeded' | 'Failed';
  /** Of what failed; empty when nothing did. */
  message: string;
}

const HOOK = 'argocd.argoproj.io/hook';
const HOOK_DELETION = 'argocd.argoproj.io/hook-delete-policy';
const WAVE = 'argocd.argoproj.io/sync-wave';
/** Milliseconds between two looks; Argo CD is told by watches and is as quick. */
const LOOK_EVERY = 1_000;

/** Ends when the sync does, or rejects with the signal's reason. */
export async function syncOnce(objects: readonly Fields[], options: SyncOptions): Promise<SyncOutcome> {
  const placed = objects.map((object) => inNamespace(object as ApiObject, options.namespace));
  const hooks = placed.filter(isHook);
  for (const object of hooks.filter(deletedBy('BeforeHookCreation'))) await deleteAndWait(object, options);
  for (const [wave, members] of inWaves(hooks)) {
    const failed = await run({ phase: 'PreSync', wave, objects: members }, options);
    if (failed !== undefined) return { phase: 'Failed', message: failed };
  }
  const rest = placed.filter((object) => !isHook(object));
  const ordered = inWaves(rest).flatMap(([, members]) => members);
  const failed = await run({ phase: 'Sync', wave: 0, objects: ordered }, options);
  if (failed !== undefined) return { phase: 'Failed', message: failed };
  const doomed = hooks.filter(deletedBy('HookSucceeded'));
  for (const object of doomed) await deleteAndWait(object, options);
  options.step({ phase: 'Deleted', wave: 0, objects: doomed });
  return { phase: 'Succeeded', message: '' };
}

/** Everything but hooks, at once and without waiting: how the cluster stood before the commit. */
export function ordinary(objects: readonly Fields[], namespace: string): ApiObject[] {
  const placed = objects.map((object) => inNamespace(object as ApiObject, namespace));
  return inWaves(placed.filter((object) => !isHook(object))).flatMap(([, members]) => members);
}

function isHook({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[HOOK] !== undefined;
}

function deletedBy(policy: string): (object: ApiObject) => boolean {
  return ({ metadata }) => (metadata.annotations?.[HOOK_DELETION] ?? '').split(',').includes(policy);
}

function inNamespace(object: ApiObject, namespace: string): ApiObject {
  const { apiVersion, kind, metadata } = object;
  const namespaced = resourceOf(apiVersion, kind)?.namespaced === true;
  return namespaced ? { ...object, metadata: { ...metadata, namespace: metadata.namespace ?? namespace } } : object;
}

function inWaves(objects: readonly ApiObject[]): [number, ApiObject[]][] {
  const waves = Map.groupBy(objects, ({ metadata }) => Number(metadata.annotations?.[WAVE] ?? 0));
  return [...waves].sort(([one], [other]) => one - other);
}

/** Undefined when everything turned Healthy, else the message of what did not. */
async function run(step: SyncStep, options: SyncOptions): Promise<string | undefined> {
  options.step(step);
  await options.apply(step.objects);
  for (const object of step.objects) {
    const failed = await untilHealthy(refOf(object), options);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

async function untilHealthy(ref: Ref, options: SyncOptions): Promise<string | undefined> {
  let told = '';
  for (;;) {
    const object = await options.client.get(ref);
    const { health, message } = healthOf(object);
    if (message !== '' && `${health} ${message}` !== told) options.waiting(object, health, message);
    told = `${health} ${message}`;
    if (health === 'Healthy') return undefined;
    if (health === 'Degraded') return message;
    await pause(options);
  }
}

async function deleteAndWait(object: ApiObject, options: SyncOptions): Promise<void> {
  const ref = refOf(object);
  const isThere = (): Promise<boolean> =>
    options.client.get(ref).then(
      () => true,
      () => false,
    );
  if (!(await isThere())) return;
  await options.client.delete(ref, { propagationPolicy: 'Foreground' });
  while (await isThere()) await pause(options);
}

function refOf({ apiVersion, kind, metadata: { name, namespace } }: ApiObject): Ref {
  const resource = resourceOf(apiVersion, kind)?.plural ?? kind;
  return { resource, name, ...(namespace === undefined ? {} : { namespace }) };
}

function pause({ clock, signal }: SyncOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(LOOK_EVERY, () => {
      signal.removeEventListener('abort', stopped);
      resolve();
    });
    if (signal.aborted) stopped();
    signal.addEventListener('abort', stopped, { once: true });
  });
}
