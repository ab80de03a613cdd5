/** Who wrote what when in one hub's namespace: pods of pullers, pulls, the hub's own objects, Argo CD's operation; and what follows from it. */
import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { PULLED_CONDITION, ROLE_LABEL, VERDICT_ANNOTATION } from '../../src/api/names.ts';
import type { Moment, Recorder } from './argocd-recorder.ts';

/** What Argo CD says of an operation while it runs and after. */
export interface Said {
  at: number;
  phase: string;
  message: string;
  /** Of the hook puller, as Argo CD relays it. */
  hook: string;
}

export interface Timeline {
  moments(since?: number): Moment[];
  /** Of the operation with this start or, absent, of all: each time something else is said. */
  said(startedAt?: string): Said[];
  /** Writes to what is the hub's own: to no hook and nothing made for one, and by no controller. */
  hubWrites(since?: number): Moment[];
  /** By node, when the hook puller's newest pod there had all its images. */
  pulled(since?: number): Map<string, Moment>;
  /** When the hook puller was made and when it had its verdict; the newest one that has. */
  judged(since?: number): { made: Moment; verdict: Moment } | undefined;
  /** Of pods of hook pullers. */
  pullingEvents(since?: number): Moment[];
}

export function createTimeline(recorder: Recorder, namespace: string): Timeline {
  const moments = (since = 0): Moment[] => recorder.of(namespace).filter(({ revision }) => revision > since);
  return {
    moments,
    said(startedAt) {
      const all = moments().flatMap((moment) => saidAt(moment, startedAt));
      return all.filter((one, index) => {
        const before = all[index - 1];
        return one.phase !== before?.phase || one.message !== before.message || one.hook !== before.hook;
      });
    },
    hubWrites: (since) => changes(moments()).filter(({ revision }) => revision > (since ?? 0)),
    pulled(since) {
      const found = new Map<string, Moment>();
      const latest = new Map<string, string>();
      for (const moment of moments(since).filter(({ object }) => isHookPod(object))) {
        const { object } = moment;
        const node = object.spec?.nodeName as string | undefined;
        if (node === undefined || moment.type === 'DELETED') continue;
        if (latest.get(node) !== object.metadata.uid) found.delete(node);
        latest.set(node, object.metadata.uid);
        if (!found.has(node) && hasItsImages(object)) found.set(node, moment);
      }
      return found;
    },
    judged(since) {
      const pullers = moments(since).filter(({ object }) => object.kind === 'DaemonSet' && isHook(object));
      const verdict = pullers.findLast(({ object, type }) => type !== 'DELETED' && isJudged(object));
      const uid = verdict?.object.metadata.uid;
      const made = pullers.find(({ object, type }) => type === 'ADDED' && object.metadata.uid === uid);
      const first = pullers.find(({ object }) => object.metadata.uid === uid && isJudged(object));
      return made && first && { made, verdict: first };
    },
    pullingEvents: (since) => moments(since).filter(({ type, object }) => type !== 'DELETED' && isPulling(object)),
  };
}

function saidAt({ at, object }: Moment, startedAt: string | undefined): Said[] {
  const state = object.kind === 'Application' ? (object.status?.operationState as Fields | undefined) : undefined;
  if (state === undefined || (startedAt !== undefined && state.startedAt !== startedAt)) return [];
  const { phase, message = '' } = state as { phase: string; message?: string };
  return [{ at, phase, message, hook: messageOfHook(state) }];
}

function messageOfHook({ syncResult }: Fields): string {
  const resources = (syncResult?.resources ?? []) as { kind: string; hookType?: string; message?: string }[];
  return resources.find(({ kind, hookType }) => kind === 'DaemonSet' && hookType === 'PreSync')?.message ?? '';
}

export function isHookPod(object: ApiObject): boolean {
  return object.kind === 'Pod' && isHook(object);
}

function isHook({ metadata }: ApiObject): boolean {
  return metadata.labels?.[ROLE_LABEL] === 'hook';
}

function isJudged({ status }: ApiObject): boolean {
  const conditions = (status?.conditions ?? []) as { type: string; status: string }[];
  return conditions.some((one) => one.type === PULLED_CONDITION && one.status !== 'Unknown');
}

function hasItsImages({ spec, status = {} }: ApiObject): boolean {
  const states = (status.containerStatuses ?? []) as { imageID: string }[];
  return states.length === (spec?.containers as unknown[]).length && states.every(({ imageID }) => imageID !== '');
}

function isPulling({ kind, reason, involvedObject }: ApiObject): boolean {
  if (kind !== 'Event' || reason !== 'Pulling') return false;
  const { kind: about, name } = involvedObject as { kind: string; name: string };
  return about === 'Pod' && name.startsWith('hook-image-puller-');
}

const OF_CONTROLLERS = ['Pod', 'Event', 'Job', 'Application'];

const HOOKS = ['argocd.argoproj.io/hook', 'helm.sh/hook'];

function isHubs({ kind, metadata }: ApiObject): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  const isOfKubernetes = name === 'kube-root-ca.crt' || (kind === 'ServiceAccount' && name === 'default');
  const isOfHook = labels[ROLE_LABEL] === 'prerequisite' || HOOKS.some((key) => key in annotations);
  return !OF_CONTROLLERS.includes(kind) && !isOfKubernetes && !isOfHook;
}

/** Moments at which what people write of a hub's own object came, changed or went. */
function changes(moments: readonly Moment[]): Moment[] {
  const known = new Map<string, unknown>();
  return moments.filter(({ type, object }) => {
    if (!isHubs(object)) return false;
    const key = `${object.kind}/${object.metadata.name}`;
    const content = type === 'DELETED' ? undefined : contentOf(object);
    const isChange = !isDeepStrictEqual(known.get(key), content);
    known.set(key, content);
    return isChange;
  });
}

const BY_CONTROLLERS = [VERDICT_ANNOTATION, 'deployment.kubernetes.io/revision'];

/** Without status and what controllers add. */
function contentOf({ metadata, ...rest }: ApiObject): unknown {
  const { labels, annotations = {} } = metadata;
  const kept = Object.entries(annotations).filter(([key]) => !BY_CONTROLLERS.includes(key));
  return { ...rest, status: undefined, labels, annotations: Object.fromEntries(kept) };
}
