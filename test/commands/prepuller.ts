/** Calls the built program as a user does. `npm test` builds it first. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const PREPULLER = join(ROOT, 'bin/prepuller.mjs');

if (!existsSync(join(ROOT, 'dist/main.js'))) throw new Error('dist/ is not there: run `npm run build` first');

export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface Circumstances {
  folder?: string;
  input?: string;
  env?: Record<string, string>;
}

/** PATH and HOME alone: what the developer's shell holds decides nothing. */
export function environment(more: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...more };
}

export function prepuller(
  args: readonly string[],
  { folder = ROOT, input = '', env = {} }: Circumstances = {},
): Outcome {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [PREPULLER, ...args], {
    cwd: folder,
    input,
    env: environment(env),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
  if (error) throw error;
  return { exitCode: status, stdout, stderr };
}

/** A running call; whoever starts it ends it. */
export function startPrepuller(args: readonly string[], { folder = ROOT, env = {} }: Circumstances = {}): ChildProcess {
  return spawn(process.execPath, [PREPULLER, ...args], { cwd: folder, env: environment(env), stdio: 'pipe' });
}

/** A hub as the chart renders it, as small as can be. */
export const HUB = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: hook-image-puller
  labels: { app: jupyterhub, release: hub, component: hook-image-puller }
  annotations: { helm.sh/hook: "pre-install,pre-upgrade" }
spec:
  selector:
    matchLabels: { app: jupyterhub, release: hub, component: hook-image-puller }
  template:
    metadata:
      labels: { app: jupyterhub, release: hub, component: hook-image-puller }
    spec:
      initContainers:
        - name: image-pull-singleuser
          image: quay.io/example/notebook:1.0
          command: [/bin/sh, -c, "echo done"]
      containers:
        - name: pause
          image: registry.k8s.io/pause:3.10
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: hub
  labels: { app: jupyterhub, release: hub, component: hub }
spec:
  selector:
    matchLabels: { app: jupyterhub, release: hub, component: hub }
  template:
    metadata:
      labels: { app: jupyterhub, release: hub, component: hub }
    spec:
      containers:
        - name: hub
          image: quay.io/jupyterhub/k8s-hub:4.3.1
`;
