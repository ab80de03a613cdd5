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
import { LONG } from '../long-mode.ts';

export { CHART } from './tiny-chart.ts';

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

const BUILT = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'argocd-prepuller');

const HELM3 = tool('PREPULLER_HELM3', 'helm3', join(BUILT, 'helm-3.19.5/helm'));
export const KUSTOMIZE = tool('PREPULLER_KUSTOMIZE', 'kustomize', join(BUILT, 'kustomize-5.8.1/kustomize'));

/** Both Helms in CI and wherever one is named; the short mode is content with the newer. */
export const HELMS: [string, string][] = [
  ['Helm 4', 'helm'],
  ...(HELM3 !== undefined && (LONG || process.env.PREPULLER_HELM3 !== undefined)
    ? ([['Helm 3', HELM3]] as [string, string][])
    : []),
];

/** A program named by a variable, else on PATH, else where .ci/run builds it. Absent in CI is an error. */
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
