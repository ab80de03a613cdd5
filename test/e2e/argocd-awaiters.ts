/** Runs the Jobs of the job gate: scripted kubelets only say that their pods run; here the program runs, as the pod's ServiceAccount. */
import { join } from 'node:path';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { ROLE_LABEL } from '../../src/api/names.ts';
import { kubeconfigOf } from '../testbed/accounts.ts';
import type { Running } from '../testbed/processes.ts';
import { start } from '../testbed/processes.ts';
import { PROGRAM } from '../testbed/reconciler.ts';
import { pause } from '../testbed/until.ts';
import type { ArgoStage } from './argocd-stage.ts';

const LOOK_EVERY = 500;

/** What the pod of a scene's Job wrote goes here. */
export function awaiterLog({ plane }: Pick<ArgoStage, 'plane'>, namespace: string): string {
  return join(plane.folder, `await-${namespace}.log`);
}

/** Runs the program of each such pod once it is Running, and ends the pod as the program ended; stopped by what this gives. */
export function runAwaiters({ plane }: ArgoStage): () => Promise<void> {
  const client = plane.clientFor('admin');
  const running = new Map<string, Running | undefined>();
  const over = new AbortController();

  async function run(pod: ApiObject): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    const [{ command }] = pod.spec?.containers as [{ command: string[] }];
    if (command[0] !== 'prepuller') return;
    const kubeconfig = await kubeconfigOf(plane, namespace, pod.spec?.serviceAccountName as string);
    const program = start({
      name,
      command: process.execPath,
      args: [PROGRAM, ...command.slice(1)],
      log: awaiterLog({ plane }, namespace),
      env: { PREPULLER_KUBECONFIG: kubeconfig },
    });
    running.set(uid, program);
    const exitCode = await program.exited;
    if (!over.signal.aborted)
      await client.patch({ resource: 'pods', namespace, name }, ended(pod, exitCode), { subresource: 'status' });
  }

  async function look(): Promise<void> {
    const { items } = await client.list('pods', { labelSelector: `${ROLE_LABEL}=prerequisite` });
    for (const pod of items.filter(({ status }) => status?.phase === 'Running')) {
      if (running.has(pod.metadata.uid)) continue;
      running.set(pod.metadata.uid, undefined);
      // A pod may be deleted under the program.
      void run(pod).catch(() => undefined);
    }
  }

  const looks = (async () => {
    while (!over.signal.aborted) {
      await look().catch(() => undefined);
      await pause(LOOK_EVERY);
    }
  })();
  return async () => {
    over.abort();
    await looks;
    await Promise.all([...running.values()].map(async (program) => program?.kill()));
  };
}

/** Its conditions stay as the scripted kubelet wrote them: it would put them right else. */
function ended({ status }: ApiObject, exitCode: number): Fields {
  const containerStatuses = ((status?.containerStatuses ?? []) as Fields[]).map((container) => ({
    ...container,
    state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } },
  }));
  return { status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses } };
}
