/** `prepuller controller`: judges pullers, writes their verdicts, serves probes and metrics, until a signal ends it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import { CLUSTER_PARAMETERS, CONTROLLER_PARAMETERS } from './config/controller-parameters.ts';
import { readControllerSettings } from './config/controller-settings.ts';
import { createControllerLog } from './controller-log.ts';
import { Stopped } from './failure.ts';
import { keepHeapTight } from './heap.ts';
import { addParameterFlags } from './parameter-flags.ts';
import { systemClock } from './watch/clock.ts';
import { startController } from './watch/controller.ts';
import { liveness, readiness } from './watch/health.ts';
import { connect } from './watch/kube-client.ts';
import { createApp } from './web/app.ts';
import { createMetrics } from './web/metrics.ts';
import { serve } from './web/serve.ts';

export const endsBySignal = true;

export function configure(command: Command): void {
  addParameterFlags(command, Object.values({ ...CONTROLLER_PARAMETERS, ...CLUSTER_PARAMETERS }));
  command.addHelpText(
    'after',
    '\nEvery flag can be given as a variable too: PREPULLER_LOG_LEVEL=debug. Example:\n' +
      '  prepuller controller --namespaces hub --port 8080\n',
  );
}

export async function run({ flags, env, signal }: Call): Promise<Result> {
  const settings = readControllerSettings(flags, env);
  keepHeapTight();
  const { namespaces, leaseName, pictureLimit } = settings;
  const log = createControllerLog(settings.logLevel);
  const { client, namespace } = connect(settings);
  const metrics = createMetrics(() => controller.state());
  const controller = startController({
    client,
    clock: systemClock,
    random: Math.random,
    namespaces: namespaces.length === 0 ? undefined : namespaces,
    writing: {
      identity: `${hostname()}_${randomUUID()}`,
      leaseNamespace: settings.leaseNamespace ?? namespace,
      leaseName,
    },
    judged: (daemonSet, verdict) => {
      metrics.judged(daemonSet, verdict);
    },
    gone: (key) => {
      metrics.gone(key);
    },
    remark: log,
  });
  try {
    const ready = (): ReturnType<typeof readiness> => readiness(controller.state(), pictureLimit);
    const server = await serve(createApp({ live: () => liveness(controller.state()), ready, metrics }), settings);
    log('info', 'serving probes and metrics', { host: settings.host, port: server.port });
    if (!signal.aborted) await once(signal, 'abort');
    log('info', 'stopping', {});
    await server.stop(settings.stopWithin);
  } finally {
    await controller.stop();
  }
  if (!(signal.reason instanceof Stopped)) throw signal.reason;
  return { stdout: '' };
}
