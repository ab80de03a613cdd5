/** The real `prepuller controller` as a process of its own, with the rights of install/controller and no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { createApplier } from './apply.ts';
import type { AnyObject } from './apply.ts';
import type { ControlPlane } from './control-plane.ts';
import { freePorts } from './ports.ts';
import type { Running } from './processes.ts';
import { start } from './processes.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The built program; a copy, where it may be built anew meanwhile. */
export const PROGRAM = join(process.env.PREPULLER_PROGRAM ?? ROOT, 'bin/prepuller.mjs');
export const HOME = 'argocd-prepuller';

/** The objects of install/controller that say what the reconciler may do. */
export function installedRights(): AnyObject[] {
  return ['clusterrole.yaml', 'role.yaml'].flatMap((file) => installed('controller', file));
}

/** The objects of a file of install/. */
export function installed(folder: string, file: string): AnyObject[] {
  return loadAll(readFileSync(join(ROOT, 'install', folder, file), 'utf8')) as AnyObject[];
}

/** Makes the reconciler's namespace and rights; `rights` stands for those of install/. */
export async function installRights(plane: ControlPlane, rights: AnyObject[] = installedRights()): Promise<void> {
  const applier = createApplier(plane.transportFor('admin'));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } };
  for (const object of [namespace, ...rights]) {
    const refusal = await applier.apply(object);
    if (refusal !== undefined) throw new Error(`${object.kind} was refused: ${refusal}`);
  }
}

let started = 0;

export interface ReconcilerOptions {
  /** The path of another program than that of all suites. */
  program?: string;
  /** Absent: that of the user with the rights of install/. */
  kubeconfig?: string;
  /** Absent: all. */
  namespaces?: readonly string[];
  leaseNamespace?: string;
  /** What else it is told. */
  flags?: readonly string[];
  /** Do not wait until it is ready; it may never be. */
  waits?: false;
}

/** Starts one; resolves when it is ready. */
export async function startReconciler(plane: ControlPlane, options: ReconcilerOptions = {}): Promise<Running> {
  const { kubeconfig = plane.kubeconfigOf('reconciler'), namespaces = [], leaseNamespace = HOME } = options;
  const { program = PROGRAM, flags: more = [], waits } = options;
  const [port = 0] = await freePorts(1);
  started += 1;
  const log = join(plane.folder, `controller-${started}.log`);
  const flags = { kubeconfig, host: '127.0.0.1', port, 'lease-namespace': leaseNamespace };
  const args = [
    ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    ...namespaces.map((namespace) => `--namespaces=${namespace}`),
    ...more,
  ];
  const running = start({ name: 'controller', command: process.execPath, args: [program, 'controller', ...args], log });
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
  const isUp = async (): Promise<boolean> => !running.isAlive() || (await isReady());
  if (waits !== false) await until('the controller is ready', isUp);
  if (!running.isAlive()) throw new Error(`the controller ended:\n${running.lastWords()}`);
  return running;
}
