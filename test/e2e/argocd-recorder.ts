/** Sees every write to the objects of hubs, in the one order etcd gave them: a watch on each kind, in all namespaces. */
import type { ApiObject } from '../../simulator/store.ts';
import type { Transport } from '../../simulator/transports.ts';

/** One write, as a watch showed it. */
export interface Moment {
  /** Milliseconds since 1970 when it was seen here. */
  at: number;
  /** etcd's revision: writes to different objects are in its order too. */
  revision: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: ApiObject;
}

export interface Recorder {
  /** Of one namespace, and of the Application of that name, in order. */
  of(namespace: string): Moment[];
  stop(): void;
}

const WATCHED = [
  ...['pods', 'events', 'configmaps', 'secrets', 'services', 'serviceaccounts'].map((name) => `/api/v1/${name}`),
  ...['daemonsets', 'deployments', 'statefulsets'].map((name) => `/apis/apps/v1/${name}`),
  ...['roles', 'rolebindings'].map((name) => `/apis/rbac.authorization.k8s.io/v1/${name}`),
  '/apis/batch/v1/jobs',
  '/apis/argoproj.io/v1alpha1/applications',
];

export function startRecorder(transport: Transport): Recorder {
  const moments: Moment[] = [];
  const stops = WATCHED.map((path) =>
    transport.watch(
      { method: 'GET', path: `${path}?watch=true`, contentType: 'application/json' },
      (events) => {
        const at = Date.now();
        for (const { type, object } of events as { type: Moment['type']; object: ApiObject }[]) {
          moments.push({ at, revision: Number(object.metadata.resourceVersion), type, object });
        }
      },
      () => undefined,
    ),
  );
  return {
    of: (namespace) => moments.filter(({ object }) => isOf(object, namespace)).sort((a, b) => a.revision - b.revision),
    stop() {
      for (const stop of stops) stop();
    },
  };
}

function isOf({ kind, metadata }: ApiObject, namespace: string): boolean {
  return metadata.namespace === namespace || (kind === 'Application' && metadata.name === namespace);
}
