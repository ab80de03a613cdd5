/**
 * install/ on a real API server, Pod Security and all: as docs/install.md says it, word for word, over the manifests Argo CD is released
 * with; and the real controller with the token of its ServiceAccount and nothing else, in a whole cluster and in two namespaces.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandsOf, writeRepository } from '../docs/install-page.ts';
import { build, find, ours, podSpecIn, INSTALL } from '../install/kustomize.ts';
import type { Built } from '../install/kustomize.ts';
import { createApplier } from '../testbed/apply.ts';
import { moduleFolder } from '../testbed/argocd-install.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import type { TestbedFleet } from '../testbed/fleet.ts';
import type { Running } from '../testbed/processes.ts';
import { startReconciler } from '../testbed/reconciler.ts';
import { until } from '../testbed/until.ts';
import { writeKubeconfig } from '../testbed/users.ts';
import { missingForPod, startAsPod } from './as-pod.ts';
import { GOOD, MISSING, OTHER, registry } from './images.ts';
import { setScene } from './scene.ts';
import type { Scene } from './scene.ts';

const ROOT = join(INSTALL, '..');
const HOME = 'argocd-prepuller';
const IMAGE = 'registry.example.org/campus/argocd-prepuller:0.1.0';

let plane: ControlPlane;
let fleet: TestbedFleet;
beforeAll(async () => {
  plane = await startControlPlane('install');
  fleet = startTestbedFleet(plane, { registry });
  for (const name of ['one', 'two', 'three']) await fleet.nodes.add({ name, memory: '32Gi', cpu: '16' });
});
afterAll(async () => {
  fleet.stop();
  await plane.stop();
});

/** A script as an administrator runs it in the project's folder; throws with what it said. */
async function shell(script: string): Promise<string> {
  const env = { ...process.env, KUBECONFIG: plane.kubeconfigOf('admin'), IMAGE };
  const options = { cwd: ROOT, env, timeout: 110_000, maxBuffer: 1 << 26 };
  const program = `prepuller() { node ${ROOT}/bin/prepuller.mjs "$@"; }\n`;
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', program + script], options);
  return stdout;
}

async function get(kind: string, name: string, namespace: string): Promise<Built> {
  return JSON.parse(await shell(`kubectl -n ${namespace} get ${kind} ${name} -o json`)) as Built;
}

/** As Kubernetes gives it to the pods. */
async function tokenOfPods(): Promise<string> {
  return (await shell(`kubectl -n ${HOME} create token argocd-prepuller`)).trim();
}

/** A controller with the token of the pods, and with what the Deployment tells it. */
async function startAsInstalled(namespaces: readonly string[]): Promise<Running> {
  const token = await tokenOfPods();
  const kubeconfig = writeKubeconfig(plane.folder, `installed-${namespaces.length}`, { server: plane.server, token });
  return startReconciler(plane, { kubeconfig, namespaces });
}

async function sceneIn(namespace: string): Promise<Scene> {
  const scene = await setScene(namespace, plane.transportFor('admin'), fleet.nodes);
  await scene.join('a');
  return scene;
}

describe('in two namespaces', () => {
  let controller: Running;
  const scenes = {} as Record<'hub' | 'staging' | 'elsewhere', Scene>;
  beforeAll(async () => {
    for (const name of ['hub', 'staging', 'elsewhere'] as const) scenes[name] = await sceneIn(name);
    const { folder, remove } = writeRepository((text) => text);
    try {
      await shell(`kubectl create namespace ${HOME}
        kubectl label namespace ${HOME} pod-security.kubernetes.io/enforce=restricted
        kubectl apply -k ${folder}/two`);
    } finally {
      remove();
    }
    const deployment = await get('deployment', 'argocd-prepuller', HOME);
    const list = ours(podSpecIn(deployment)).env?.[0]?.value?.split(',') ?? [];
    expect(list).toEqual(['hub', 'staging']);
    controller = await startAsInstalled(list);
  });
  afterAll(async () => {
    await controller.kill();
    for (const scene of Object.values(scenes)) await scene.tidy();
  });

  test.each(['hub', 'staging'] as const)('pullers of %s are judged', async (namespace) => {
    const scene = scenes[namespace];
    await scene.puller({ images: [GOOD] });
    await scene.puller({ name: 'bad', images: [MISSING] });
    expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
    expect(await scene.verdict('bad')).toMatchObject({ status: 'False', reason: 'ImageMissing' });
  });

  test('without nodes full ones are still told from slow ones', async () => {
    const scene = scenes.hub;
    // The two pullers before this one leave no room.
    const full = await scene.join('full', { pods: 2 });
    await until('it is full', async () => {
      const { items } = await scene.client.list('pods', { namespace: 'hub' });
      return items.filter(({ spec }) => spec?.nodeName === full).length === 2;
    });
    await scene.puller({ name: 'tolerant', images: [OTHER] });
    const { status, message } = await scene.verdict('tolerant');
    expect(status).toBe('True');
    expect(message).toContain(full);
  });

  test('pullers of others are left alone', async () => {
    const scene = scenes.elsewhere;
    await scene.puller({ images: [GOOD] });
    await scene.stays('no verdict', async () => (await scene.stated()) === undefined, 5_000);
  });

  test('only nodes are refused, and it says so', () => {
    const user = `system:serviceaccount:${HOME}:argocd-prepuller`;
    const refused = plane.requestsOf(user).filter(({ code }) => code === 403);
    expect(new Set(refused.map(({ resource }) => resource))).toEqual(new Set(['nodes']));
    expect(readFileSync(join(plane.folder, 'controller-1.log'), 'utf8')).toContain('nodes cannot be read');
  });
});

describe('as docs/install.md says it', () => {
  const official = () => join(moduleFolder(), 'manifests/install.yaml');
  let controller: Running;
  beforeAll(async () => {
    await shell(`kubectl create namespace argocd
      kubectl apply -n argocd --server-side --force-conflicts -f ${official()} >/dev/null`);
    await shell(commandsOf('Five minutes'));
    controller = await startAsInstalled([]);
  });
  afterAll(() => controller.kill());

  test('two pods of the controller run in a namespace where nothing else could', async () => {
    const deployment = await get('deployment', 'argocd-prepuller', HOME);
    expect(ours(podSpecIn(deployment)).image).toBe(IMAGE);
    expect(deployment).toMatchObject({ status: { readyReplicas: 2, updatedReplicas: 2 } });
    const open = { spec: { containers: [{ name: 'open', image: IMAGE }] } };
    const refusal = await createApplier(plane.transportFor('admin')).tryPod(HOME, open);
    expect(refusal).toContain('violates PodSecurity "restricted');
  });

  test('the server keeps all that the base says', async () => {
    const applier = createApplier(plane.transportFor('admin'));
    for (const object of build(join(INSTALL, 'controller'))) {
      expect(await applier.apply(object, { dryRun: true })).toBeUndefined();
    }
    expect(
      await shell('kubectl diff -k install/controller | grep "^[-+] " | grep -v "image:\\|generation:" || true'),
    ).toBe('');
  });

  test('Argo CD has the plugin beside its repository server, and runs', async () => {
    const deployment = await get('deployment', 'argocd-repo-server', 'argocd');
    const pod = podSpecIn(deployment);
    expect(pod.containers.map(({ name }) => name).sort()).toEqual(['argocd-prepuller', 'argocd-repo-server']);
    expect(ours(pod).image).toBe(IMAGE);
    expect(deployment).toMatchObject({ status: { readyReplicas: 1, updatedReplicas: 1 } });
    // What the container mounts is there: the init container fills one, the repository server reads the other.
    const mounted = ours(pod).volumeMounts?.map(({ name }) => name);
    expect(pod.volumes?.map(({ name }) => name)).toEqual(expect.arrayContaining(mounted ?? []));
  });

  test('Argo CD has the scripts, and kept its other settings', async () => {
    const { data = {} } = await get('configmap', 'argocd-cm', 'argocd');
    const health = readFileSync(join(INSTALL, 'argocd/health.lua'), 'utf8');
    expect(data['resource.customizations.health.apps_DaemonSet']).toBe(health);
    expect(data).toHaveProperty(['resource.customizations.actions.apps_DaemonSet']);
    expect(data).toHaveProperty(['resource.exclusions']);
  });

  test('the controller judges a puller of any namespace, and is refused nothing', async () => {
    const scene = await sceneIn('campus');
    const since = Date.now();
    await scene.puller({ images: [GOOD] });
    expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
    const user = `system:serviceaccount:${HOME}:argocd-prepuller`;
    expect(plane.requestsOf(user).filter(({ code, at }) => code === 403 && at >= since)).toEqual([]);
    await scene.tidy();
  });

  const rootless = missingForPod();
  if (rootless.length > 0 && process.env.CI !== undefined) throw new Error('the suite needs root');
  const asPod = rootless.length === 0 ? test : test.skip;
  asPod('it judges with what a pod finds: the mounted token, a read-only root, any user (needs root)', async () => {
    await controller.terminate();
    const token = await tokenOfPods();
    controller = await startAsPod(plane, { namespace: HOME, token, uid: 1_000_650_000 });
    const scene = await sceneIn('as-pod');
    await scene.puller({ images: [GOOD] });
    expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
    const lease = await get('lease', 'argocd-prepuller', HOME);
    expect(lease.spec?.holderIdentity).toEqual(expect.any(String));
    await scene.tidy();
  });

  test('from git the same comes out, and the server takes it', async () => {
    const { folder, remove } = writeRepository((text) => text.replace(/https:\S+\/install\.yaml/, 'install.yaml'));
    try {
      copyFileSync(official(), join(folder, 'argocd/install.yaml'));
      const built = podSpecIn(find(build(join(folder, 'argocd')), 'Deployment', 'argocd-repo-server'));
      expect(ours(built).image).toBe(IMAGE);
      const before = await get('deployment', 'argocd-repo-server', 'argocd');
      await shell(`kubectl apply -k ${folder}/argocd --server-side --force-conflicts >/dev/null
        kubectl apply -k ${folder}/prepuller`);
      const after = await get('deployment', 'argocd-repo-server', 'argocd');
      expect(ours(podSpecIn(after))).toEqual(ours(podSpecIn(before)));
    } finally {
      remove();
    }
  });

  test('taken away, nothing of ours is left', async () => {
    await controller.kill();
    await shell(commandsOf('Take it away'));
    const kinds = 'clusterroles,clusterrolebindings,namespaces,deployments,roles,rolebindings,serviceaccounts';
    await until('everything is gone', async () => {
      const left = await shell(`kubectl get ${kinds} -A -o name | grep prepuller || true`);
      return left === '';
    });
    const deployment = await get('deployment', 'argocd-repo-server', 'argocd');
    expect(JSON.stringify(deployment.spec)).not.toContain('argocd-prepuller');
    const { data = {} } = await get('configmap', 'argocd-cm', 'argocd');
    expect(Object.keys(data).filter((key) => key.endsWith('.apps_DaemonSet'))).toEqual([]);
  });
});
