/** Replicas of the reconciler on a simulated cluster. */
import type { DaemonSet } from '../../src/verdict/snapshot.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { startController } from '../../src/watch/controller.ts';
import type { Controller, ControllerOptions } from '../../src/watch/controller.ts';
import { simulatedClient } from './simulated-client.ts';
import type { Simulation } from './simulation.ts';

export interface Watcher extends Controller {
  /** Every verdict it came to, newest last. */
  verdicts: { daemonSet: DaemonSet; verdict: Verdict }[];
  remarks: string[];
}

/** A replica. Without an identity it writes nothing, as `await` does. */
export function startWatcher(
  { server, clock }: Simulation,
  identity?: string,
  options: Partial<ControllerOptions> = {},
): Watcher {
  const verdicts: Watcher['verdicts'] = [];
  const remarks: string[] = [];
  const controller = startController({
    client: simulatedClient(server, clock, identity ?? 'await'),
    clock,
    random: () => 0.5,
    namespaces: undefined,
    ...(identity !== undefined && { writing: { identity, leaseNamespace: 'prepuller', leaseName: 'prepuller' } }),
    judged: (daemonSet, verdict) => void verdicts.push({ daemonSet, verdict }),
    gone: () => undefined,
    remark: (level, message, fields) => void remarks.push(`${level}: ${message} ${JSON.stringify(fields)}`),
    ...options,
  });
  return { ...controller, verdicts, remarks };
}

/** Stops it while time goes on, as it does for a process that ends. */
export async function stopWatcher({ clock }: Simulation, watcher: Watcher): Promise<void> {
  const ended = new AbortController();
  const stopping = watcher.stop().then(() => {
    ended.abort();
  });
  const hasEnded = (): boolean => ended.signal.aborted;
  while (!hasEnded()) await clock.advance(100);
  await stopping;
}
