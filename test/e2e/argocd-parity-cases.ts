/** What is rendered twice in one Argo CD, by itself and through the plugin: a repository for the files of each row, and the examples. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import type { Fields } from '../../simulator/store.ts';
import { EXAMPLES, readApplication } from '../examples/argo-cd.ts';
import { KUSTOMIZE } from '../hydrate/app-folder.ts';
import type { ParityRow } from '../hydrate/parity-helm.ts';
import { KUSTOMIZE_FILES } from '../hydrate/parity-kustomize.ts';
import type { KustomizeRow } from '../hydrate/parity-kustomize.ts';
import { createRepository } from '../testbed/argocd-repository.ts';
import type { Asked } from './argocd-manifests.ts';
import type { BothSources } from './argocd-sources.ts';
import { hasPatches, helmFiles, helmSources, kustomizeSources, nativeOf } from './argocd-sources.ts';

/** The same, asked of Argo CD itself and of the plugin. */
export interface Twice {
  native: Asked;
  ours: Asked;
}

const NAMESPACE = 'campus';
const PLUGIN = 'argocd-prepuller';

function twice(app: Omit<Asked, 'source'>, place: Fields, { native, parameters }: BothSources): Twice {
  return {
    native: { ...app, source: { ...place, ...native } },
    ours: { ...app, source: { ...place, plugin: { name: PLUGIN, parameters } } },
  };
}

/** Makes repositories in a folder, one for each name. */
export function repositoriesIn(folder: string) {
  let made = 0;
  return async (files: Record<string, string>, prepare?: (folder: string) => void): Promise<Fields> => {
    made += 1;
    const path = join(folder, String(made));
    const repository = await createRepository(path);
    await repository.commit(files, 'The files of a row');
    if (prepare !== undefined) {
      prepare(path);
      await repository.commit({}, 'As prepared');
    }
    return { repoURL: repository.url, targetRevision: 'main' };
  };
}

export type MakeRepository = ReturnType<typeof repositoriesIn>;

export async function helmCase(row: ParityRow, make: MakeRepository): Promise<Twice> {
  const place = { ...(await make(helmFiles(row))), path: '.' };
  return twice({ app: row.settings.source?.appName ?? 'hub', namespace: NAMESPACE }, place, helmSources(row));
}

/**
 * Each in a repository of its own: Argo CD edits the checkout for its own kustomize, and lets others read it meanwhile where only
 * replicas are set (AllowsConcurrentProcessing does not know them).
 */
export async function kustomizeCase(row: KustomizeRow, make: MakeRepository): Promise<Twice> {
  const files = { ...KUSTOMIZE_FILES, ...row.files };
  const both = twice(
    { app: 'hub', namespace: NAMESPACE },
    { ...(await make(files)), path: 'app' },
    kustomizeSources(row),
  );
  if (!hasPatches(row)) return both;
  const edited = await make(files, (folder) => {
    for (const edit of row.by) execFileSync(KUSTOMIZE!, ['edit', ...edit], { cwd: join(folder, 'app') });
  });
  return { ...both, ours: { ...both.ours, source: { ...both.ours.source, ...edited } } };
}

/** Patches of kustomize in `.argocd-source.yaml`, beside a plugin. */
export async function patchesBesidePlugin(make: MakeRepository): Promise<Asked> {
  const patches = { 'app/.argocd-source.yaml': '{"kustomize":{"patches":[{"path":"patch.yaml"}]}}' };
  const place = { ...(await make({ ...KUSTOMIZE_FILES, ...patches })), path: 'app' };
  return twice({ app: 'hub', namespace: NAMESPACE }, place, { native: {}, parameters: [] }).ours;
}

export interface Sources {
  /** Fields of spec.source: the repository with all examples. */
  git: Fields;
  /** The chart's repository. */
  charts: Fields;
}

export function exampleCase(name: string, { git, charts }: Sources): Twice {
  const { metadata, spec } = readApplication(name);
  const { path, chart, targetRevision, plugin } = spec.source;
  const { parameters = [] } = plugin;
  const place = chart === undefined ? { ...git, path } : { ...charts, chart, targetRevision };
  return twice({ app: metadata.name, namespace: spec.destination.namespace }, place, {
    native: nativeOf(parameters),
    parameters,
  });
}

export async function commitExamples(folder: string): Promise<Fields> {
  cpSync(EXAMPLES, folder, { recursive: true });
  const repository = await createRepository(folder);
  await repository.commit({}, 'All examples');
  return { repoURL: repository.url, targetRevision: 'main' };
}

/** A chart repository on loopback with the chart of examples/ in it. */
export async function serveCharts(folder: string): Promise<{ charts: Fields; close: () => void }> {
  mkdirSync(folder, { recursive: true });
  execFileSync('helm', ['package', join(EXAMPLES, 'chart'), '--destination', folder], { stdio: 'pipe' });
  const server = createServer((request, response) => {
    readFile(join(folder, basename(request.url ?? ''))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const repoURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  execFileSync('helm', ['repo', 'index', folder, '--url', repoURL], { stdio: 'pipe' });
  return { charts: { repoURL }, close: () => server.close() };
}
