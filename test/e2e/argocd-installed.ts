/** Argo CD as docs/install.md leaves it: the page's commands over the manifests of the release, and the sidecar as the Deployment then has it. */
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandsOf } from '../docs/install-page.ts';
import { INSTALL, ours, podSpecIn } from '../install/kustomize.ts';
import type { Built, Container } from '../install/kustomize.ts';
import type { ArgoCd } from '../testbed/argocd.ts';
import { startArgoCd } from '../testbed/argocd.ts';
import { ARGOCD, moduleFolder } from '../testbed/argocd-install.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { PROGRAM } from '../testbed/reconciler.ts';

const ROOT = join(INSTALL, '..');
const IMAGE = 'registry.example.org/campus/argocd-prepuller:0.1.0';

/** A script as an administrator runs it in the project's folder; throws with what it said. */
export async function shell(plane: ControlPlane, script: string): Promise<string> {
  const env = { ...process.env, KUBECONFIG: plane.kubeconfigOf('admin'), IMAGE };
  const options = { cwd: ROOT, env, timeout: 110_000, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options);
  return stdout;
}

/** The container that runs our image, in the Deployment as the API server has it now. */
export async function installedSidecar(plane: ControlPlane): Promise<Container> {
  const text = await shell(plane, `kubectl -n ${ARGOCD} get deployment argocd-repo-server -o json`);
  return ours(podSpecIn(JSON.parse(text) as Built));
}

export function startInstalled(plane: ControlPlane): Promise<ArgoCd> {
  return startArgoCd(plane, {
    async install() {
      const official = join(moduleFolder(), 'manifests/install.yaml');
      await shell(
        plane,
        `kubectl create namespace ${ARGOCD}
        kubectl apply -n ${ARGOCD} --server-side --force-conflicts -f ${official} >/dev/null`,
      );
      await shell(plane, commandsOf('Five minutes'));
    },
    sidecar: async ({ program, sockets }) => asContainer(await installedSidecar(plane), program, { plane, sockets }),
  });
}

/** Its command, arguments, environment and user are those of the container; what it mounts is where the script puts it. */
function asContainer(
  { command = [], args = [], env = [], securityContext = {} }: Container,
  program: string,
  { plane, sockets }: { plane: ControlPlane; sockets: string },
): { command: string; args: string[] } {
  const image = join(plane.folder, 'image');
  mkdirSync(image, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(dirname(PROGRAM), '..', part), join(image, part), { recursive: true });
  copyFileSync(join(ROOT, 'plugin.yaml'), join(image, 'plugin.yaml'));
  // As an emptyDir is.
  chmodSync(sockets, 0o777);
  const settings = env.map(({ name, value = '' }) => `${name}=${value}`);
  const user = String(securityContext.runAsUser);
  const script = join(import.meta.dirname, 'as-sidecar.sh');
  const own = [user, sockets, program, image, process.execPath, ...settings, ...command, ...args];
  return { command: 'unshare', args: ['--mount', script, ...own] };
}
