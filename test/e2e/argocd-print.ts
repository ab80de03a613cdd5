/** A timeline as text, for the folder of logs: one line a write, with who made it where the audit log knows. */
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { PULLED_CONDITION } from '../../src/api/names.ts';
import { isWrite } from '../testbed/audit.ts';
import type { Request } from '../testbed/audit.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import type { Moment } from './argocd-recorder.ts';

interface Line {
  at: number;
  text: string;
}

/** All that was seen of a namespace and its Application, and all that Argo CD, the controller and the test wrote there. */
export function printTimeline(plane: ControlPlane, namespace: string, moments: readonly Moment[]): string {
  const lines = [...seen(moments), ...asked(plane, namespace)].sort((one, other) => one.at - other.at);
  const first = lines[0]?.at ?? 0;
  return lines.map(({ at, text }) => `${((at - first) / 1000).toFixed(3).padStart(9)}  ${text}\n`).join('');
}

/** Each object's moments, without those that show nothing new. */
function seen(moments: readonly Moment[]): Line[] {
  const last = new Map<string, string>();
  return moments.flatMap(({ at, revision, type, object }) => {
    const key = `${object.kind}/${object.metadata.name}`;
    const text = `${type.padEnd(8)} ${key} ${stateOf(object)}`;
    if (last.get(key) === text) return [];
    last.set(key, text);
    return [{ at, text: `${revision} ${text}` }];
  });
}

function stateOf(object: ApiObject): string {
  const state = STATES[object.kind]?.(object) ?? '';
  return object.metadata.deletionTimestamp === undefined ? state : `(being deleted) ${state}`;
}

const STATES: Readonly<Record<string, (object: ApiObject) => string>> = {
  Pod: ({ spec, status }) => {
    const containers = (status?.containerStatuses ?? []) as { name: string; state: Fields }[];
    const states = containers.map(({ name, state }) => `${name}=${reasonOf(state)}`);
    return [spec?.nodeName ?? 'no node', status?.phase, ...states].join(' ');
  },
  DaemonSet: ({ metadata, status = {} }) => {
    const pulled = ((status.conditions ?? []) as Fields[]).find(({ type }) => type === PULLED_CONDITION);
    const available = `${status.numberAvailable ?? 0} of ${status.desiredNumberScheduled ?? 0} available`;
    const verdict = `${pulled?.status ?? 'no verdict'} ${pulled?.message ?? ''}`;
    return `generation ${metadata.generation ?? 0}, ${available}: ${verdict}`;
  },
  Event: ({ involvedObject, reason, message }) =>
    `${(involvedObject as Fields).name}: ${reason as string}: ${message as string}`,
  Application: ({ status = {} }) => {
    const { phase, message, retryCount = 0, syncResult } = (status.operationState ?? {}) as Fields;
    const results = ((syncResult?.resources ?? []) as Fields[]).map(printResult);
    const said = [`retry ${retryCount}`, phase, message, status.sync?.status, status.health?.status];
    return [said.join(' · '), ...results].join('\n             ');
  },
};

function printResult({ kind, name, status, hookPhase, message }: Fields): string {
  return `${kind}/${name}: ${[status, hookPhase, message].filter(Boolean).join(' ')}`;
}

function reasonOf(state: Fields): string {
  const [[kind, details] = ['none', {}]] = Object.entries(state) as [string, Fields][];
  return details.reason === undefined ? kind : `${kind}(${details.reason as string})`;
}

const ASKING = ['argocd', 'reconciler', 'admin'] as const;

function asked(plane: ControlPlane, namespace: string): Line[] {
  const isHere = (request: Request): boolean => request.namespace === namespace || request.name === namespace;
  return ASKING.flatMap((user) =>
    plane
      .requestsOf(user)
      .filter((request) => isWrite(request) && !request.isDryRun && isHere(request))
      .map(({ at, verb, resource, name, code }) => ({ at, text: `${user}: ${verb} ${resource}/${name} → ${code}` })),
  );
}
