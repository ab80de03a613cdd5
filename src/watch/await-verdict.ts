/** Waits until one puller has a verdict that ends the wait. */
import type { Verdict } from '../verdict/verdict.ts';
import { startController } from './controller.ts';
import type { Controller, ControllerOptions } from './controller.ts';

export interface AwaitOptions extends Pick<ControllerOptions, 'client' | 'clock' | 'random' | 'remark'> {
  namespace: string;
  name: string;
  signal: AbortSignal;
  /** Each verdict on the way. */
  progress: (verdict: Verdict) => void;
}

/** The verdict, Healthy or Degraded; undefined when there is no such puller, or none any more. Rejects when stopped. */
export async function awaitVerdict(options: AwaitOptions): Promise<Verdict | undefined> {
  const { namespace, name, signal, progress, ...parts } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Verdict | undefined>();
  const stopped = (): void => {
    reject(signal.reason as Error);
  };
  if (signal.aborted) stopped();
  signal.addEventListener('abort', stopped);
  const controller: Controller = startController({
    ...parts,
    namespaces: [namespace],
    name,
    judged: (_daemonSet, verdict) => {
      if (verdict.health === 'Progressing') progress(verdict);
      else resolve(verdict);
    },
    gone: () => {
      resolve(undefined);
    },
    changed: () => {
      const { picture } = controller;
      if (picture.isLive(namespace) && picture.puller(`${namespace}/${name}`) === undefined) resolve(undefined);
    },
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stopped);
    await controller.stop();
  }
}
