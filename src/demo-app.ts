/** The app of the demo: a git repository with examples/hub, the commit that changes its user image, and what Argo CD gets for each. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedLines, commitAll, startRepository } from './checkout/example-repository.ts';
import type { Call } from './command.ts';
import type { Environment } from './config/environment.ts';
import { HOOK, OLD_TAG } from './demo-stories.ts';
import type { Story } from './demo-stories.ts';
import { run as generate } from './generate.ts';
import type { KubeObject } from './manifest/manifest.ts';
import { readStream } from './manifest/stream.ts';

export interface DemoApp {
  namespace: string;
  /** What the commit before put into the cluster. */
  before: KubeObject[];
  after: KubeObject[];
  commit: { hash: string; subject: string; lines: string[] };
  /** What generate says that Argo CD will wait for. */
  plan: string;
  /** Of the hook puller. */
  images: string[];
  /** Milliseconds that generate took, in real time. */
  took: number;
}

/** The fields of an Argo CD Application that the example has. */
interface Application extends KubeObject {
  spec: {
    source: { repoURL: string; targetRevision: string; path: string; plugin: { parameters: unknown[] } };
    destination: { namespace: string };
  };
}

interface Puller extends KubeObject {
  spec: { template: { spec: { containers: { image: string }[] } } };
}

/** Makes the repository in `folder`, which is the demo's own. */
export async function makeApp(call: Call, scratch: string, { tag, parameters }: Story): Promise<DemoApp> {
  const folder = join(scratch, 'repository');
  for (const part of ['chart', 'hub']) {
    await cp(fileURLToPath(new URL(`examples/${part}`, call.home)), join(folder, part), { recursive: true });
  }
  const [manifest] = readStream(await readFile(join(folder, 'hub/application.yaml')));
  const application = manifest?.object as Application;
  application.spec.source.plugin.parameters.push(...parameters);
  const render = async (revision: string): Promise<{ objects: KubeObject[]; plan: string }> => {
    const env = { ...call.env, ...argoEnvironment(application, revision) };
    const place = join(folder, application.spec.source.path);
    const { stdout, summary = '' } = await generate({ ...call, folder: place, flags: {}, env });
    const objects = readStream(Buffer.from(stdout)).flatMap(({ object }) => object ?? []);
    return { objects, plan: summary.split('\n', 1).join() };
  };
  await startRepository(folder, call.signal);
  const { objects: before } = await render(await commitAll(folder, 'A hub', call.signal));
  await setTag(join(folder, 'hub/values.yaml'), tag);
  const subject = `Move users to the notebook of ${tag}`;
  const hash = await commitAll(folder, subject, call.signal);
  const began = performance.now();
  const { objects: after, plan } = await render(hash);
  const took = performance.now() - began;
  const lines = await changedLines(folder, call.signal);
  return {
    namespace: application.spec.destination.namespace,
    before,
    after,
    commit: { hash, subject, lines },
    plan,
    images: imagesOf(after),
    took,
  };
}

function imagesOf(objects: readonly KubeObject[]): string[] {
  const hook = objects.find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === HOOK) as
    Puller | undefined;
  return hook?.spec.template.spec.containers.map(({ image }) => image) ?? [];
}

async function setTag(file: string, tag: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(OLD_TAG, tag));
}

/** What Argo CD's repository server sets for a plugin (reposerver/repository/repository.go: newEnv, getPluginEnvs). */
function argoEnvironment({ metadata, spec: { source, destination } }: Application, revision: string): Environment {
  return {
    ARGOCD_APP_NAME: metadata.name,
    ARGOCD_APP_NAMESPACE: destination.namespace,
    ARGOCD_APP_REVISION: revision,
    ARGOCD_APP_SOURCE_REPO_URL: source.repoURL,
    ARGOCD_APP_SOURCE_PATH: source.path,
    ARGOCD_APP_SOURCE_TARGET_REVISION: source.targetRevision,
    ARGOCD_APP_PARAMETERS: JSON.stringify(source.plugin.parameters),
    KUBE_VERSION: '1.34.4',
    KUBE_API_VERSIONS: 'v1,apps/v1,batch/v1,policy/v1,scheduling.k8s.io/v1',
  };
}
