/** Requests that only explain: a failure is told and passes, and what is forbidden is not asked for again for a while. */
import type { Clock } from './clock.ts';
import { isForbidden } from './kube-api.ts';
import type { KubeClient } from './kube-api.ts';

export interface Permitted {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Never fails: gives the failure back. Undefined too when nothing was asked because it is forbidden. */
  attempt(request: () => Promise<void>): Promise<Error | undefined>;
  isForbidden(): boolean;
}

export interface PermittedOptions {
  client: KubeClient;
  clock: Clock;
  signal: AbortSignal;
  failed: (error: unknown) => void;
}

/** Milliseconds until a right that was missing is tried again. */
const FORBIDDEN_FOR = 600_000;

export function permitting({ client, clock, signal, failed }: PermittedOptions): Permitted {
  let forbiddenUntil = -Infinity;
  return {
    client,
    clock,
    signal,
    isForbidden: () => clock.now() < forbiddenUntil,
    async attempt(request) {
      if (clock.now() < forbiddenUntil) return undefined;
      try {
        await request();
        return undefined;
      } catch (error) {
        if (isForbidden(error)) forbiddenUntil = clock.now() + FORBIDDEN_FOR;
        if (!signal.aborted) failed(error);
        return error as Error;
      }
    },
  };
}
