/** What an Argo CD finds in its cluster: its own CRDs and ConfigMaps as released, and install/argocd put on top as its page says. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';
import { createApplier } from './apply.ts';
import type { AnyObject, Applier } from './apply.ts';
import type { ControlPlane } from './control-plane.ts';
import { until } from './until.ts';

export const ARGOCD = 'argocd';
const CRD = 'CustomResourceDefinition';
const ROOT = join(import.meta.dirname, '../..');

/** The folder of the Go module that Argo CD is built from. */
export function moduleFolder(): string {
  const args = ['list', '-m', '-f', '{{.Dir}}', 'github.com/argoproj/argo-cd/v3'];
  return execFileSync('go', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

export async function installArgoCd(plane: ControlPlane): Promise<void> {
  const manifests = join(moduleFolder(), 'manifests');
  const transport = plane.transportFor('admin');
  const applier = createApplier(transport);
  await applyAll(applier, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: ARGOCD } }]);
  await applyAll(applier, objectsIn(join(manifests, 'crds')));
  await applyAll(applier, objectsIn(join(manifests, 'base/config')));
  await applyAll(applier, [{ ...named('Secret', 'argocd-redis'), stringData: { auth: '' } } as AnyObject]);
  await until('Applications are served', async () => {
    const { code } = await transport.request({ method: 'GET', path: PROJECTS, contentType: 'application/json' });
    return code === 200;
  });
  await applyAll(createApplier(transport), [DEFAULT_PROJECT]);
  await patchConfigMap(plane);
}

const PROJECTS = `/apis/argoproj.io/v1alpha1/namespaces/${ARGOCD}/appprojects`;
const DEFAULT_PROJECT = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: ARGOCD },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ namespace: '*', server: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
};

/** In install/argocd/argocd-cm.yaml's own words. */
async function patchConfigMap(plane: ControlPlane): Promise<void> {
  const file = join(ROOT, 'install/argocd/argocd-cm.yaml');
  const args = ['-n', ARGOCD, 'patch', 'configmap', 'argocd-cm', '--patch-file', file];
  await promisify(execFile)('kubectl', ['--kubeconfig', plane.kubeconfigOf('admin'), ...args]);
}

function named(kind: string, name: string): AnyObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: ARGOCD } };
}

function objectsIn(folder: string): AnyObject[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  return files
    .flatMap((name) => loadAll(readFileSync(join(folder, name), 'utf8')) as AnyObject[])
    .map((object) =>
      object.kind === CRD ? object : { ...object, metadata: { ...object.metadata, namespace: ARGOCD } },
    );
}

async function applyAll(applier: Applier, objects: readonly AnyObject[]): Promise<void> {
  const apply = async (object: AnyObject): Promise<void> => {
    const refusal = await applier.apply(object);
    if (refusal !== undefined) throw new Error(`${object.kind} ${object.metadata.name} was refused: ${refusal}`);
  };
  await Promise.all(objects.map(apply));
}
