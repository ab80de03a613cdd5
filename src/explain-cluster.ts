/** The live half of `prepuller explain`: what is in the cluster now, once or as it changes. It only reads. */
import type { Call } from './command.ts';
import { readClusterSettings } from './config/controller-settings.ts';
import { remarksOn } from './remarks.ts';
import { explanationAsText } from './verdict/explanation.ts';
import { choosePullers } from './verdict/which-pullers.ts';
import { systemClock } from './watch/clock.ts';
import { startController } from './watch/controller.ts';
import { connect } from './watch/kube-client.ts';
import { lookOnce } from './watch/look-once.ts';

/** The Lists that a saved list would hold. */
export function readCluster({ flags, env, options, signal }: Call): Promise<unknown[]> {
  const { client } = connect(readClusterSettings(flags, env));
  return lookOnce(client, namespaceIn(options), signal);
}

/** Says each explanation that differs from the last one of its puller. Ends only by the signal, whose reason it throws. */
export async function watchCluster({ args, flags, env, options, signal, terminal }: Call): Promise<never> {
  const { client } = connect(readClusterSettings(flags, env));
  const namespace = namespaceIn(options);
  const said = new Map<string, string>();
  const controller = startController({
    client,
    clock: systemClock,
    random: Math.random,
    namespaces: namespace === undefined ? undefined : [namespace],
    judged: (daemonSet, verdict) => {
      if (choosePullers([daemonSet], args).length === 0) return;
      const text = explanationAsText([{ namespace: daemonSet.namespace, name: daemonSet.name, verdict }]);
      if (said.get(daemonSet.uid) === text) return;
      said.set(daemonSet.uid, text);
      for (const line of text.trimEnd().split('\n')) terminal.say(line);
    },
    gone: (key) => {
      terminal.say(`${key} is gone`);
    },
    remark: remarksOn(terminal),
  });
  try {
    return await new Promise<never>((_resolve, reject) => {
      const stop = (): void => {
        reject(signal.reason as Error);
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop);
    });
  } finally {
    await controller.stop();
  }
}

function namespaceIn({ namespace }: Call['options']): string | undefined {
  return typeof namespace === 'string' ? namespace : undefined;
}
