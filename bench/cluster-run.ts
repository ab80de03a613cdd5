/** The two processes of the cluster half: the simulated cluster, and the reconciler from the bundle, which knows of it by a kubeconfig only. */
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NAMESPACE, RECONCILER } from './cluster-objects.ts';
import type { Orders } from './cluster-process.ts';

export interface ClusterProcess {
  do<Name extends keyof Orders>(order: Name, ...given: Parameters<Orders[Name]>): ReturnType<Orders[Name]>;
  stop(): Promise<void>;
}

export function startClusterProcess(): ClusterProcess {
  const child = fork(fileURLToPath(new URL('cluster-process.ts', import.meta.url)), {
    execArgv: ['--max-old-space-size=3000'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let orders = 0;
  child.on('message', ({ id, answer, error }: { id: number; answer: unknown; error?: string }) => {
    const { resolve, reject } = waiting.get(id) ?? Promise.withResolvers();
    waiting.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the simulated cluster ended'));
  });
  return {
    do(order, ...[given]) {
      const answer = Promise.withResolvers<unknown>();
      waiting.set(++orders, answer);
      child.send({ id: orders, order, given });
      return answer.promise as never;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

export interface Reconciler {
  port: number;
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  ready: number;
  /** Bytes resident at most so far. Undefined where there is no /proc. */
  memory(): number | undefined;
  /** The first time; throws when it has ended on its own. */
  stop(): Promise<void>;
}

export async function startReconciler(
  url: string,
  kubeconfig: string,
  more: readonly string[] = [],
): Promise<Reconciler> {
  await writeFile(kubeconfig, JSON.stringify(configFor(url)));
  const began = Date.now();
  const program = fileURLToPath(new URL('../bin/prepuller.mjs', import.meta.url));
  const args = ['controller', '--kubeconfig', kubeconfig, '--host', '127.0.0.1', '--port', '0', ...more];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const port = await portOf(child);
  while (!(await isReady(port))) await sleep(20);
  let stopped = false;
  return {
    port,
    ready: Date.now() - began,
    memory: () => memoryOf(child.pid ?? 0),
    async stop() {
      if (stopped) return;
      stopped = true;
      if (child.exitCode !== null) throw new Error('the reconciler has ended on its own');
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Logs are read on until the end, so that the pipe never fills. */
async function portOf({ stdout, stderr }: ChildProcess): Promise<number> {
  if (stdout === null || stderr === null) throw new TypeError('no pipes');
  const port = Promise.withResolvers<number>();
  const errors: string[] = [];
  for (const stream of [stdout, stderr]) {
    createInterface(stream).on('line', (line) => {
      const found = /"port":(\d+)/.exec(line);
      if (found !== null) port.resolve(Number(found[1]));
      else if (errors.length < 10) errors.push(line);
    });
  }
  stderr.on('end', () => {
    port.reject(new Error(`the reconciler did not start: ${errors.join('\n')}`));
  });
  return port.promise;
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  await response.text();
  return response.ok;
}

function memoryOf(pid: number): number | undefined {
  try {
    return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** JSON is YAML too. Plain HTTP is taken only with certificates unchecked. */
function configFor(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    clusters: [{ name: 'bench', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'bench', user: { token: RECONCILER } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench', namespace: NAMESPACE } }],
  };
}
