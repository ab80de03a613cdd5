/** `prepuller await`: waits for one puller with the controller's own judge, and ends by its verdict. It writes nothing. */
import type { Command } from 'commander';
import type { Call, Result, Terminal } from './command.ts';
import { CLUSTER_PARAMETERS } from './config/controller-parameters.ts';
import { readClusterSettings } from './config/controller-settings.ts';
import { UserError } from './errors.ts';
import { addParameterFlags } from './parameter-flags.ts';
import { remarksOn } from './remarks.ts';
import type { Verdict } from './verdict/verdict.ts';
import { awaitVerdict } from './watch/await-verdict.ts';
import { systemClock } from './watch/clock.ts';
import { connect } from './watch/kube-client.ts';

export function configure(command: Command): void {
  command
    .argument('<name>', 'the DaemonSet to wait for')
    .option('--namespace <name>', 'its namespace; without it that of the kubeconfig, or of the pod');
  addParameterFlags(command, Object.values(CLUSTER_PARAMETERS));
  const example = '  prepuller await --namespace hub hook-image-puller\n';
  command.addHelpText('after', `\nExits 0 when the puller is Healthy, 1 when it is not. Example:\n${example}`);
}

export async function run({ args, flags, env, options, signal, terminal, log }: Call): Promise<Result> {
  const { client, namespace: home } = connect(readClusterSettings(flags, env));
  const namespace = typeof options.namespace === 'string' ? options.namespace : home;
  const [name = ''] = args;
  log.doing(`waiting for puller ${namespace}/${name}`);
  const verdict = await awaitVerdict({
    client,
    clock: systemClock,
    random: Math.random,
    namespace,
    name,
    signal,
    progress: teller(terminal),
    remark: remarksOn(terminal),
  });
  if (verdict === undefined)
    throw new UserError(`there is no puller ${namespace}/${name}: no DaemonSet with our label`);
  const { health, reason, message } = verdict;
  if (health === 'Degraded') throw new UserError(`puller ${namespace}/${name} failed (${reason})\n${message}`);
  return { stdout: `puller ${namespace}/${name} is done (${reason})\n${message}\n` };
}

/** Milliseconds between two lines of progress in a log, unless the reason changes. */
const LINE_EVERY = 10_000;

function teller(terminal: Terminal): (verdict: Verdict) => void {
  let said = { reason: '', at: -Infinity };
  return ({ reason, message }) => {
    const now = systemClock.now();
    if (!terminal.isInteractive && reason === said.reason && now - said.at < LINE_EVERY) return;
    said = { reason, at: now };
    terminal.say(message, true);
  };
}
