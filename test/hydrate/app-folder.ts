/** Apps made on the spot for these tests, and the programs they are rendered with. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { hydrate } from '../../src/hydrate/hydrate.ts';
import {
  DEFAULT_SOURCE,
  type HelmOptions,
  type HydrateContext,
  type Hydrated,
  type KustomizeOptions,
  type SourceOptions,
} from '../../src/hydrate/source.ts';

/** Helm is fast, a shared machine is not. */
jest.setTimeout(60_000);

const made: string[] = [];

/** A folder with these files, those with null left out; removed by `removeFolders`. */
export function makeFolder(files: Record<string, string | null>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hydrate-test-')));
  made.push(folder);
  for (const [name, text] of Object.entries(files)) {
    if (text === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The hub of a very small chart: its image, and everything a render knows, in one ConfigMap. */
export const CHART: Record<string, string> = {
  'Chart.yaml': 'apiVersion: v2\nname: tiny\nversion: 1.2.3\nappVersion: "9"\n',
  'values.yaml': 'image:\n  name: quay.io/tiny/nb\n  tag: "1.0"\nextra: none\nlist: []\nnested: {}\n',
  'crds/thing.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.tiny.example}\n',
  'templates/tests/test.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: test\n  annotations: {helm.sh/hook: test}\n',
  'templates/config.yaml': [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: {name: config}',
    'data:',
    '  image: "{{ .Values.image.name }}:{{ .Values.image.tag }}"',
    '  release: {{ .Release.Name | quote }}',
    '  namespace: {{ .Release.Namespace | quote }}',
    '  kube: {{ .Capabilities.KubeVersion.Version | quote }}',
    '  apis: {{ list (.Capabilities.APIVersions.Has "a.example/v1") (.Capabilities.APIVersions.Has "b.example/v1/B") | toJson | quote }}',
    '  values: {{ .Values | toJson | quote }}',
    '',
  ].join('\n'),
};

export const HELM3 = tool('PREPULLER_HELM3', 'helm3', join(homedir(), '.cache/prepuller-go/helm'));
export const KUSTOMIZE = tool('PREPULLER_KUSTOMIZE', 'kustomize', join(homedir(), '.cache/prepuller-go/kustomize'));

/** Both Helms where the machine has both; CI must. */
export const HELMS: [string, string][] = [['Helm 4', 'helm'], ...(HELM3 === undefined ? [] : [helm3(HELM3)])];

function helm3(path: string): [string, string] {
  return ['Helm 3', path];
}

/** A program named by a variable, else on PATH, else where `go install` was asked to put it. Absent in CI is an error. */
function tool(variable: string, name: string, installed: string): string | undefined {
  const named = process.env[variable];
  const candidates = named === undefined ? [name, installed] : [named];
  const found = candidates.find((path) => (path.includes('/') ? existsSync(path) : onPath(path)));
  if (found === undefined && process.env.CI !== undefined) throw new Error(`CI needs ${name}: set ${variable}`);
  return found;
}

function onPath(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

export interface Settings {
  source?: Partial<Omit<SourceOptions, 'helm' | 'kustomize'>>;
  helm?: Partial<HelmOptions>;
  kustomize?: Partial<KustomizeOptions>;
  context?: Partial<HydrateContext>;
}

/** `hydrate` with everything unset but what a case is about; the app is called `hub`. */
export function render(folder: string, settings: Settings = {}): Promise<Hydrated> {
  const source: SourceOptions = {
    ...DEFAULT_SOURCE,
    appName: 'hub',
    ...settings.source,
    helm: { ...DEFAULT_SOURCE.helm, ...settings.helm },
    kustomize: { ...DEFAULT_SOURCE.kustomize, ...settings.kustomize },
  };
  return hydrate(source, folder, {
    env: process.env,
    signal: new AbortController().signal,
    timeLimitMs: 80_000,
    ...(KUSTOMIZE === undefined ? {} : { kustomize: KUSTOMIZE }),
    ...settings.context,
  });
}

export async function text(rendered: Promise<Hydrated>): Promise<string> {
  return Buffer.from((await rendered).stream).toString('utf8');
}

/** What the program itself prints for a command line written out by hand. */
export function plainly(program: string, args: string[], folder: string): string {
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The message of the error a promise ends in; fails the test when it does not. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('expected an error, there was none');
  return outcome;
}
