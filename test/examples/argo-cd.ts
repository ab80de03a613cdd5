/** Runs an example as Argo CD runs the plugin: its Application's parameters and build environment, in a copy of the repository. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { load, loadAll } from 'js-yaml';

export const ROOT = join(import.meta.dirname, '../..');
export const EXAMPLES = join(ROOT, 'examples');

const REVISION = '0123456789abcdef0123456789abcdef01234567';

/** As an Argo CD on Kubernetes 1.34 states it; the real list has a few hundred entries more. */
const API_VERSIONS = ['v1', 'apps/v1', 'apps/v1/DaemonSet', 'batch/v1', 'policy/v1', 'scheduling.k8s.io/v1'];

export interface PluginParameter {
  name: string;
  string?: string;
  array?: string[];
  map?: Record<string, string>;
}

interface Application {
  metadata: { name: string };
  spec: {
    project: string;
    source: {
      repoURL: string;
      targetRevision: string;
      path?: string;
      chart?: string;
      plugin: { name: string; parameters?: PluginParameter[] };
    };
    destination: { namespace: string };
  };
}

/** A Kubernetes object as an independent YAML reader sees it. */
export interface ReadObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string> | null;
  };
  [field: string]: unknown;
}

export interface Outcome {
  exitCode: number | null;
  stdout: string;
  /** Paths of the copy are written as from the repository's root. */
  stderr: string;
}

/** Names of all examples, `mistakes/…` among them. */
export function exampleNames(): string[] {
  return globSync('**/application.yaml', { cwd: EXAMPLES, exclude: ['**/charts/**'] })
    .map((path) => dirname(path))
    .filter((name) => !name.split('/').includes('explain'))
    .sort();
}

export function readApplication(name: string): Application {
  return load(readFileSync(join(EXAMPLES, name, 'application.yaml'), 'utf8')) as Application;
}

/** A copy of examples/ as the repository Argo CD checked out, without `.git`; the caller removes it. */
export function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prepuller-examples-'));
  cpSync(EXAMPLES, join(folder, 'repository'), { recursive: true });
  return folder;
}

export function removeRepository(folder: string): void {
  rmSync(folder, { recursive: true });
}

/** What Argo CD's repository server sets for a plugin, beside the plugin's own environment. */
export function buildEnvironment({ metadata, spec }: Application): Record<string, string> {
  const parameters = spec.source.plugin.parameters ?? [];
  return {
    ARGOCD_APP_NAME: metadata.name,
    ARGOCD_APP_NAMESPACE: spec.destination.namespace,
    ARGOCD_APP_PROJECT_NAME: spec.project,
    ARGOCD_APP_REVISION: REVISION,
    ARGOCD_APP_REVISION_SHORT: REVISION.slice(0, 7),
    ARGOCD_APP_REVISION_SHORT_8: REVISION.slice(0, 8),
    ARGOCD_APP_SOURCE_REPO_URL: spec.source.repoURL,
    ARGOCD_APP_SOURCE_PATH: spec.source.path ?? '',
    ARGOCD_APP_SOURCE_TARGET_REVISION: spec.source.targetRevision,
    ARGOCD_APP_PARAMETERS: JSON.stringify(parameters),
    KUBE_VERSION: '1.34.4',
    KUBE_API_VERSIONS: API_VERSIONS.join(','),
    ...Object.fromEntries(
      parameters.flatMap(({ name, string }) => (string === undefined ? [] : [[`PARAM_${shout(name)}`, string]])),
    ),
  };
}

function shout(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}

/**
 * `prepuller generate` in the app's folder of the copied repository. For a chart source that is the unpacked chart.
 * `tools` is a folder that comes first on PATH.
 */
export function runExample(name: string, copy: string, tools?: string): Outcome {
  const application = readApplication(name);
  const repository = join(copy, 'repository');
  const folder = join(repository, application.spec.source.path ?? 'chart');
  const { PATH = '', HOME } = process.env;
  const path = tools === undefined ? PATH : `${tools}:${PATH}`;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [join(ROOT, 'bin/prepuller.mjs'), 'generate'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: path, HOME, TMPDIR: copy, ...buildEnvironment(application) },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
  if (error) throw error;
  return { exitCode: status, stdout, stderr: stderr.replaceAll(`${repository}/`, '').replaceAll(copy, 'TMPDIR') };
}

/** The golden files an outcome stands for; a file that should not exist is undefined. */
export function goldens({ exitCode, stdout, stderr }: Outcome): Record<string, string | undefined> {
  const failed = exitCode !== 0;
  return {
    'expected.yaml': failed && stdout === '' ? undefined : stdout,
    'expected-error.txt': failed ? `exit ${String(exitCode)}\n${stderr}` : undefined,
    'expected-warnings.txt': failed || stderr === '' ? undefined : stderr,
  };
}

export function readGolden(name: string, file: string): string | undefined {
  const path = join(EXAMPLES, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Objects of a stream; documents that hold only comments are none. Of a key that comes twice the last counts, as for kubectl. */
export function readObjects(stream: string): ReadObject[] {
  return loadAll(stream, { json: true }).filter((object) => object !== null && object !== undefined) as ReadObject[];
}

export function fromRoot(path: string): string {
  return relative(ROOT, path);
}
