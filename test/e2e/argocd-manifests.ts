/** Manifests straight from Argo CD's repo-server, asked for as its application controller asks: with that client and its time limit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Fields } from '../../simulator/store.ts';
import type { ReadObject } from '../examples/argo-cd.ts';
import type { ArgoCd } from '../testbed/argocd.ts';
import { testbedProgram } from '../testbed/build.mjs';

/** `spec.source` of an Application, and what else the answer depends on. */
export interface Asked {
  app: string;
  namespace: string;
  /** With its repoURL and targetRevision. */
  source: Fields;
}

export interface Answer {
  /** None where there is an error. */
  objects: ReadObject[];
  /** Helm, Kustomize, Directory or Plugin. */
  sourceType: string;
  error: string;
  milliseconds: number;
}

export interface Manner {
  /** How many wait for an answer at the same time. */
  atOnce?: number;
  /** Whether the repo-server may answer from its cache. */
  cached?: boolean;
  /** How long each waits for its answer; absent: as the controller does. */
  seconds?: number;
}

/** As those of Kubernetes 1.34; the real list has a few hundred entries more. */
const API_VERSIONS = ['v1', 'apps/v1', 'apps/v1/DaemonSet', 'batch/v1', 'policy/v1', 'scheduling.k8s.io/v1'];

function requestOf({ app, namespace, source }: Asked, cached: boolean): Fields {
  return {
    repo: { repo: source.repoURL, ...(source.chart !== undefined && { type: 'helm' }) },
    revision: source.targetRevision,
    noCache: !cached,
    appLabelKey: 'app.kubernetes.io/instance',
    appName: app,
    namespace,
    applicationSource: source,
    kubeVersion: '1.34.4',
    apiVersions: API_VERSIONS,
    trackingMethod: 'annotation',
    enabledSourceTypes: { Helm: true, Kustomize: true, Directory: true },
    kustomizeOptions: { BuildOptions: '--enable-helm' },
    projectName: 'default',
    projectSourceRepos: ['*'],
  };
}

interface Printed {
  index: number;
  manifests?: string[];
  sourceType?: string;
  error?: string;
  milliseconds: number;
}

/** An answer for each, in their order. */
export async function askForManifests(argo: ArgoCd, asked: readonly Asked[], manner: Manner = {}): Promise<Answer[]> {
  const { atOnce = 4, cached = false, seconds = 60 } = manner;
  const args = [`--address=${argo.repoServer}`, `--at-once=${atOnce}`, `--timeout=${seconds}`];
  const child = spawn(await testbedProgram('manifests'), args, { timeout: 1_800_000 });
  child.stdin.end(JSON.stringify(asked.map((one) => requestOf(one, cached))));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`nobody could be asked: ${stderr}`);
  const lines = stdout.trimEnd().split('\n');
  const printed = lines.map((line) => JSON.parse(line) as Printed).sort((one, other) => one.index - other.index);
  return printed.map(({ manifests = [], sourceType = '', error = '', milliseconds }) => ({
    objects: manifests.map((manifest) => JSON.parse(manifest) as ReadObject),
    sourceType,
    error,
    milliseconds,
  }));
}
