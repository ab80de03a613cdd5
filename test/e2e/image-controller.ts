/** The controller of the image, as a pod of install/controller runs it: the mounted token, no kubeconfig, no name. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { freePorts } from '../testbed/ports.ts';
import type { Running } from '../testbed/processes.ts';
import { HOME } from '../testbed/reconciler.ts';
import { until } from '../testbed/until.ts';
import type { Unpacked } from './image-build.ts';
import { startInImage } from './in-image.ts';
import type { Container } from './in-image.ts';

/** The folder that the kubelet mounts for a pod of the Deployment. */
async function accountFolder(plane: ControlPlane, name: string): Promise<string> {
  const path = `/api/v1/namespaces/${HOME}/serviceaccounts/argocd-prepuller`;
  const admin = plane.transportFor('admin');
  const post = (at: string, body: Record<string, unknown>) =>
    admin.request({ method: 'POST', path: at, contentType: 'application/json', body });
  // Conflicts when it is there already, which is as good.
  await post(dirname(path), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'argocd-prepuller' } });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { body } = await post(`${path}/token`, request);
  const folder = join(plane.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'token'), (body as { status: { token: string } }).status.token);
  writeFileSync(join(folder, 'namespace'), HOME);
  copyFileSync(join(plane.folder, 'certificates/apiserver.crt'), join(folder, 'ca.crt'));
  return folder;
}

export interface StartedController {
  container: Container;
  controller: Running;
  log: string;
  /** Milliseconds from the start to the first answer that says ready. */
  took: number;
}

/** Resolves when it is ready. */
export async function startController(image: Unpacked, plane: ControlPlane, uid: number): Promise<StartedController> {
  const account = await accountFolder(plane, `account-${uid}`);
  const { hostname, port } = new URL(plane.server);
  const container = {
    uid,
    env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
    mounts: { [account]: 'run/secrets/kubernetes.io/serviceaccount' },
  };
  const [web = 0] = await freePorts(1);
  const command = ['prepuller', 'controller', `--port=${web}`, '--host=127.0.0.1'];
  const log = join(plane.folder, `controller-${uid}.log`);
  const began = performance.now();
  const controller = startInImage(image, container, { name: 'controller', command, log });
  const ready = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${web}/readyz`).catch(() => undefined))?.status === 200;
  await until('the controller is ready', async () => !controller.isAlive() || (await ready()), { every: 20 });
  if (!controller.isAlive()) throw new Error(`the controller ended:\n${controller.lastWords()}`);
  return { container, controller, log, took: Math.round(performance.now() - began) };
}
