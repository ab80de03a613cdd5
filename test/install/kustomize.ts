/** Kustomizations as kubectl builds them, and what tests ask of the objects. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { V1PolicyRule } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';
import type { AnyObject } from '../testbed/apply.ts';

export const INSTALL = join(import.meta.dirname, '../../install');

/** An object with what the tests look at. */
export interface Built extends AnyObject {
  metadata: AnyObject['metadata'] & { labels?: Record<string, string> };
  data?: Record<string, string>;
  rules?: V1PolicyRule[];
  roleRef?: { kind: string; name: string };
  subjects?: { kind: string; name: string; namespace: string }[];
  spec?: Record<string, unknown>;
}

export interface Probe {
  httpGet?: { path: string; port: string };
}

/** The fields of a container that install/ may set. */
export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  resources?: { requests: Record<string, string>; limits: Record<string, string> };
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  securityContext?: Record<string, unknown>;
}

export interface PodSpec {
  serviceAccountName?: string;
  terminationGracePeriodSeconds?: number;
  initContainers?: Container[];
  containers: Container[];
  volumes?: { name: string; [source: string]: unknown }[];
  securityContext?: Record<string, unknown>;
}

/** What `kubectl apply -k` would apply. Throws with kustomize's own words. */
export function build(folder: string): Built[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return loadAll(text) as Built[];
}

/**
 * Builds the folder of somebody's own kustomization: path → text. `install(PATH)` in a text becomes the way from its file to that
 * folder of install/.
 */
export function buildOwn(files: Record<string, string>): Built[] {
  const folder = mkdtempSync(join(tmpdir(), 'install-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const home = dirname(join(folder, path));
      mkdirSync(home, { recursive: true });
      const way = (_: string, target: string): string => relative(home, join(INSTALL, target));
      writeFileSync(join(folder, path), text.replaceAll(/install\(([\w/-]+)\)/g, way));
    }
    return build(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function find(objects: readonly Built[], kind: string, name = 'argocd-prepuller'): Built {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} objects are ${kind} ${name}`);
  return found[0];
}

export function podSpecIn(workload: Built): PodSpec {
  return (workload.spec as unknown as { template: { spec: PodSpec } }).template.spec;
}

/** The one container that runs our image. */
export function ours(pod: PodSpec): Container {
  const found = pod.containers.filter(({ image }) => /(?:^|\/)argocd-prepuller:/.test(image));
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} containers run our image`);
  return found[0];
}

/** `verb group/resource`, sorted. */
export function verbsOf(rules: readonly V1PolicyRule[] = []): string[] {
  const all = rules.flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    verbs.flatMap((verb) => apiGroups.flatMap((group) => resources.map((resource) => `${verb} ${group}/${resource}`))),
  );
  return all.sort();
}
