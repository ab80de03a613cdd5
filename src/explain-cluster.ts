/** The live half of `prepuller explain`: what is in the cluster now, once or as it changes. It only reads. */
import type { Call } from './command.ts';
import { readClusterSettings } from './config/controller-settings.ts';
import { createBoard } from './explain-board.ts';
import { createLines } from './explain-lines.ts';
import { writeStdout } from './output.ts';
import { remarksBy } from './remarks.ts';
import { createScreen } from './screen.ts';
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

/** Shows every change on stdout: drawn over on a terminal, a line each elsewhere. Ends only by the signal, whose reason it throws. */
export async function watchCluster({ args, flags, env, options, signal }: Call): Promise<never> {
  const { client } = connect(readClusterSettings(flags, env));
  const namespace = namespaceIn(options);
  const screen = createScreen();
  const now = (): number => systemClock.now();
  const teller = screen.isInteractive
    ? createBoard(screen, now)
    : createLines((line) => void writeStdout(`${line}\n`), now);
  const controller = startController({
    client,
    clock: systemClock,
    random: Math.random,
    namespaces: namespace === undefined ? undefined : [namespace],
    judged: (daemonSet, verdict) => {
      if (choosePullers([daemonSet], args).length === 0) return;
      teller.judged({ namespace: daemonSet.namespace, name: daemonSet.name, verdict });
    },
    gone: teller.gone,
    remark: remarksBy(teller.remark),
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
    teller.stop();
    await controller.stop();
  }
}

function namespaceIn({ namespace }: Call['options']): string | undefined {
  return typeof namespace === 'string' ? namespace : undefined;
}
