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
export const HOME = 'argocd-prepuller';

/** The objects of install/controller that say what the reconciler may do. */
export function installedRights(): AnyObject[] {
  return ['clusterrole.yaml', 'role.yaml'].flatMap(
    (file) => loadAll(readFileSync(join(ROOT, 'install/controller', file), 'utf8')) as AnyObject[],
  );
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

export interface Reconciler extends Running {
  /** What it logged so far, one object a line. */
  lines(): LogLine[];
  isReady(): Promise<boolean>;
}

export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

let started = 0;

/** Starts one; resolves when it is ready, unless `whenReady` is false. */
export async function startReconciler(plane: ControlPlane, { whenReady = true } = {}): Promise<Reconciler> {
  const [port = 0] = await freePorts(1);
  started += 1;
  const log = join(plane.folder, `controller-${started}.log`);
  const flags = { kubeconfig: plane.kubeconfigOf('reconciler'), host: '127.0.0.1', port, 'lease-namespace': HOME };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const program = join(ROOT, 'bin/prepuller.mjs');
  const running = start({ name: 'controller', command: process.execPath, args: [program, 'controller', ...args], log });
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
  const isUp = async (): Promise<boolean> => !running.isAlive() || (await isReady());
  if (whenReady) await until('the controller is ready', isUp);
  if (!running.isAlive()) throw new Error(`the controller ended:\n${running.lastWords()}`);
  return { ...running, isReady, lines: () => readLog(log) };
}

function readLog(path: string): LogLine[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line) as LogLine);
}
