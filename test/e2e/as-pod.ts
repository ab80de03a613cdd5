/** The controller as its pod runs it: no kubeconfig, no home, no name; the mounted token, a read-only root and a random user. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALL } from '../install/kustomize.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { freePorts } from '../testbed/ports.ts';
import type { Running } from '../testbed/processes.ts';
import { start } from '../testbed/processes.ts';
import { until } from '../testbed/until.ts';

const ROOT = join(INSTALL, '..');
const PROGRAM = join(process.env.PREPULLER_PROGRAM ?? ROOT, 'bin/prepuller.mjs');

/** What this machine lacks for it; empty when nothing. */
export function missingForPod(): string[] {
  return process.getuid?.() === 0 ? [] : ['root'];
}

export interface PodIdentity {
  namespace: string;
  token: string;
  uid: number;
}

/** Resolves when it is ready. */
export async function startAsPod(plane: ControlPlane, { namespace, token, uid }: PodIdentity): Promise<Running> {
  const folder = join(plane.folder, 'serviceaccount');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'token'), token);
  writeFileSync(join(folder, 'namespace'), namespace);
  copyFileSync(join(plane.folder, 'certificates/apiserver.crt'), join(folder, 'ca.crt'));
  const { hostname, port } = new URL(plane.server);
  const [web = 0] = await freePorts(1);
  const flags = [`--port=${web}`, '--host=127.0.0.1'];
  const running = start({
    name: 'controller',
    command: 'unshare',
    args: [
      ...['--mount', join(ROOT, 'test/e2e/as-pod.sh'), folder, String(uid)],
      ...[process.execPath, PROGRAM, 'controller', ...flags],
    ],
    log: join(plane.folder, 'controller-as-pod.log'),
    env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
  });
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${web}/readyz`).catch(() => undefined))?.status === 200;
  await until('the controller is ready', async () => !running.isAlive() || (await isReady()));
  if (!running.isAlive()) throw new Error(`the controller ended:\n${running.lastWords()}`);
  return running;
}
