/** What kubelets write about pods: in the background; what a broken connection swallowed is written again, what the server refused is not. */
import type { ApiClient } from './api-client.ts';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';
import type { Occurrence } from './events.ts';
import { createCorrelator } from './events.ts';
import type { ApiObject, Fields } from './store.ts';

export interface PodWriter {
  status(pod: ApiObject, status: Fields): void;
  /** Away with a pod that was marked for deletion and has ended. */
  remove(pod: ApiObject): void;
  event(occurrence: Occurrence, node: string): void;
}

const RETRY_AFTER = 1_000;

export function createPodWriter(client: ApiClient, clock: Clock): PodWriter {
  const correlate = createCorrelator(clock);
  const latest = new Map<string, symbol>();

  /** A newer write under the same key makes an older one that has to be repeated pointless. */
  function attempt(key: string, request: () => Promise<unknown>): void {
    const turn = Symbol(key);
    latest.set(key, turn);
    const settle = (): void => {
      if (latest.get(key) === turn) latest.delete(key);
    };
    const go = (): void => {
      request().then(settle, (error: unknown) => {
        if (error instanceof ApiError && error.code < 500 && error.code !== 429) settle();
        else {
          clock.after(RETRY_AFTER, () => {
            if (latest.get(key) === turn) go();
          });
        }
      });
    };
    go();
  }

  return {
    status(pod, status) {
      const patch = { metadata: { uid: pod.metadata.uid }, status };
      attempt(pod.metadata.uid, () => client.patch(refOf(pod), patch, { subresource: 'status' }));
    },
    remove(pod) {
      const { uid } = pod.metadata;
      attempt(uid, () => client.delete(refOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } }));
    },
    event(occurrence, node) {
      const written = correlate(occurrence, { component: 'kubelet', host: node });
      if (written === undefined) return;
      const { name, namespace = '' } = (written.event as ApiObject).metadata;
      const ref = { resource: 'events', namespace, name };
      attempt(name, () =>
        written.action === 'create' ? client.create(written.event) : client.patch(ref, written.patch),
      );
    },
  };
}

function refOf({ metadata }: ApiObject): { resource: string; namespace: string; name: string } {
  return { resource: 'pods', namespace: metadata.namespace ?? '', name: metadata.name };
}
