/** `prepuller controller`: judges pullers, writes their verdicts, serves page, probes and metrics, until a signal ends it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import { CLUSTER_PARAMETERS, CONTROLLER_PARAMETERS } from './config/controller-parameters.ts';
import { readControllerSettings } from './config/controller-settings.ts';
import { createControllerLog } from './controller-log.ts';
import { createWeb } from './controller-web.ts';
import { Stopped } from './failure.ts';
import { keepHeapTight } from './heap.ts';
import { addParameterFlags } from './parameter-flags.ts';
import { systemClock } from './watch/clock.ts';
import { startController } from './watch/controller.ts';
import { connect } from './watch/kube-client.ts';

export const endsBySignal = true;

export function configure(command: Command): void {
  addParameterFlags(command, Object.values({ ...CONTROLLER_PARAMETERS, ...CLUSTER_PARAMETERS }));
  command.addHelpText(
    'after',
    '\nEvery flag can be given as a variable too: PREPULLER_LOG_LEVEL=debug. Example:\n' +
      '  prepuller controller --namespaces hub --port 8080 --token-file /etc/prepuller/token\n',
  );
}

export async function run({ flags, env, home, signal }: Call): Promise<Result> {
  const settings = readControllerSettings(flags, env);
  keepHeapTight();
  const { namespaces, leaseName } = settings;
  const log = createControllerLog(settings.logLevel);
  const { client, namespace } = connect(settings);
  const web = await createWeb({ settings, home, state: () => controller.state(), now: Date.now, remark: log });
  const controller = startController({
    client: web.counting(client),
    clock: systemClock,
    random: Math.random,
    namespaces: namespaces.length === 0 ? undefined : namespaces,
    writing: {
      identity: `${hostname()}_${randomUUID()}`,
      leaseNamespace: settings.leaseNamespace ?? namespace,
      leaseName,
      marksNodes: settings.markNodes,
    },
    judged: web.judged,
    gone: web.gone,
    heard: web.heard,
    remark: log,
  });
  try {
    const server = await web.serve();
    if (!signal.aborted) await once(signal, 'abort');
    log('info', 'stopping', {});
    await server.stop(settings.stopWithin);
  } finally {
    await controller.stop();
  }
  if (!(signal.reason instanceof Stopped)) throw signal.reason;
  return { stdout: '' };
}
