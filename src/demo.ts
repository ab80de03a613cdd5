/** `prepuller demo`: an example app rendered as Argo CD would call us, its plan below it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Call, Result } from './command.ts';
import type { Environment } from './config/environment.ts';
import { run as generate } from './generate.ts';
import type { KubeObject } from './manifest/manifest.ts';
import { readStream } from './manifest/stream.ts';

const EXAMPLE = 'examples/profiles';

/** The fields of an Argo CD Application that the example has. */
interface Application extends KubeObject {
  spec: {
    source: { repoURL: string; targetRevision: string; path: string; plugin: { parameters: unknown[] } };
    destination: { namespace: string };
  };
}

export function configure(command: Command): void {
  command.addHelpText('after', '\nNeeds helm on the PATH. Example:\n  prepuller demo\n');
}

export async function run(call: Call): Promise<Result> {
  const application = await readApplication(new URL(`${EXAMPLE}/application.yaml`, call.home));
  const folder = fileURLToPath(new URL(`examples/${application.spec.source.path}`, call.home));
  const env = { ...call.env, ...buildEnvironment(application) };
  const { stdout, warnings = [], summary = '' } = await generate({ ...call, folder, env });
  const plan = [`${EXAMPLE} as Argo CD gets it from prepuller generate. The plan:`, ...summary.trimEnd().split('\n')];
  return { stdout: `${Buffer.from(stdout).toString()}${plan.map((line) => `# ${line}\n`).join('')}`, warnings };
}

async function readApplication(file: URL): Promise<Application> {
  const [manifest] = readStream(await readFile(file));
  return manifest?.object as Application;
}

/** What Argo CD's repository server sets for a plugin (reposerver/repository/repository.go: newEnv, getPluginEnvs). */
function buildEnvironment({ metadata, spec: { source, destination } }: Application): Environment {
  return {
    ARGOCD_APP_NAME: metadata.name,
    ARGOCD_APP_NAMESPACE: destination.namespace,
    ARGOCD_APP_REVISION: '0123456789abcdef0123456789abcdef01234567',
    ARGOCD_APP_SOURCE_REPO_URL: source.repoURL,
    ARGOCD_APP_SOURCE_PATH: source.path,
    ARGOCD_APP_SOURCE_TARGET_REVISION: source.targetRevision,
    ARGOCD_APP_PARAMETERS: JSON.stringify(source.plugin.parameters),
    KUBE_VERSION: '1.34.4',
    KUBE_API_VERSIONS: 'v1,apps/v1,batch/v1,policy/v1,scheduling.k8s.io/v1',
  };
}
