/**
 * The pods that run our image, wherever install/ puts them: as closed as Pod Security "restricted" asks and closer, with the settings,
 * ports, probes and memory that the program has.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { load } from 'js-yaml';
import { CLUSTER_PARAMETERS, CONTROLLER_PARAMETERS } from '../../src/config/controller-parameters.ts';
import { readControllerSettings, variableOf } from '../../src/config/controller-settings.ts';
import { OPERATOR_VARIABLES } from '../../src/config/environment.ts';
import type { Parameter } from '../../src/config/parameter.ts';
import { build, find, INSTALL, ours, podSpecIn } from './kustomize.ts';
import type { Built, Container, PodSpec, Probe } from './kustomize.ts';

const ROOT = join(INSTALL, '..');
const BASES = ['controller', 'namespaced'] as const;
const deployments = Object.fromEntries(BASES.map((base) => [base, [] as Built[]])) as Record<string, Built[]>;
beforeAll(() => {
  for (const base of BASES) deployments[base] = build(join(INSTALL, base));
});

function read(path: string): unknown {
  return load(readFileSync(join(INSTALL, path), 'utf8'));
}

function operatorPod(): PodSpec {
  const { repo } = (read('argocd/openshift-gitops.yaml') as Built).spec as { repo: Record<string, unknown> };
  return { containers: repo.sidecarContainers, volumes: repo.volumes } as PodSpec;
}

function helmPod(): PodSpec {
  const { repoServer } = read('argocd/argo-helm-values.yaml') as { repoServer: Record<string, unknown> };
  return { containers: repoServer.extraContainers, volumes: repoServer.volumes } as PodSpec;
}

const PODS: Record<string, () => PodSpec> = {
  'install/controller': () => podSpecIn(find(deployments.controller!, 'Deployment')),
  'install/namespaced': () => podSpecIn(find(deployments.namespaced!, 'Deployment')),
  'install/argocd': () => podSpecIn(read('argocd/repo-server.yaml') as Built),
  'argo-helm': helmPod,
  'OpenShift GitOps': operatorPod,
};

describe.each(Object.keys(PODS))('%s', (place) => {
  let pod: PodSpec;
  let container: Container;
  beforeAll(() => {
    pod = PODS[place]!();
    container = ours(pod);
  });

  test('gives no right away', () => {
    // What the pod's own context says holds where the container says nothing.
    const context = { ...pod.securityContext, ...container.securityContext };
    expect(context).toMatchObject({
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(context.capabilities).toEqual({ drop: ['ALL'] });
    expect(context).not.toHaveProperty('privileged');
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) expect(pod).not.toHaveProperty(field);
    expect(pod.containers).toHaveLength(1);
    expect(pod.initContainers ?? []).toEqual([]);
  });

  test('writes to volumes of its own only', () => {
    const kinds = (pod.volumes ?? []).map((volume) => Object.keys(volume).filter((key) => key !== 'name'));
    expect(kinds.flat()).toEqual(['emptyDir']);
    const tmp = container.volumeMounts?.find(({ mountPath }) => mountPath === '/tmp');
    expect(pod.volumes?.map(({ name }) => name)).toEqual([tmp?.name]);
  });

  test('asks for what it needs, and may not take all', () => {
    const { requests, limits } = container.resources!;
    for (const list of [requests, limits]) expect(Object.keys(list).sort()).toEqual(['cpu', 'memory']);
    expect(bytesOf(limits.memory!)).toBeGreaterThanOrEqual(2 * bytesOf(requests.memory!));
  });
});

test('a user is fixed only where one is shared', () => {
  const users = Object.entries(PODS).map(([place, pod]) => [place, ours(pod()).securityContext?.runAsUser]);
  expect(Object.fromEntries(users)).toEqual({ 'install/argocd': 999, 'argo-helm': 999 });
  for (const pod of Object.values(PODS)) expect(pod().securityContext ?? {}).not.toHaveProperty('runAsUser');
});

function bytesOf(quantity: string): number {
  const parts = /^(\d+)(Mi|Gi)$/.exec(quantity);
  if (parts === null) throw new Error(`a quantity of memory: ${quantity}`);
  return Number(parts[1]) * 2 ** (parts[2] === 'Gi' ? 30 : 20);
}

test('the request of memory covers the most that was measured', () => {
  const page = readFileSync(join(ROOT, 'docs/benchmarks-cluster.md'), 'utf8');
  const measured = [...page.matchAll(/most ever resident \| (\d+) MB/g)].map(([, megabytes]) => Number(megabytes));
  expect(measured.length).toBeGreaterThanOrEqual(4);
  for (const base of BASES) {
    const { requests } = ours(podSpecIn(find(deployments[base]!, 'Deployment'))).resources!;
    expect(bytesOf(requests.memory!)).toBeGreaterThanOrEqual(Math.max(...measured) * 1e6);
  }
});

describe.each(BASES)('the controller of %s', (base) => {
  let pod: PodSpec;
  let container: Container;
  beforeAll(() => {
    pod = PODS[`install/${base}`]!();
    container = ours(pod);
  });
  const table: Parameter<unknown>[] = Object.values({ ...CONTROLLER_PARAMETERS, ...CLUSTER_PARAMETERS });

  test('is told nothing that it does not know', () => {
    const { command = [], args = [], env = [] } = container;
    const [program, name, ...flags] = [...command, ...args];
    expect([program, name]).toEqual(['prepuller', 'controller']);
    const names = flags.map((flag) => /^--([a-z-]+)=/.exec(flag)?.[1] ?? flag);
    expect(table.map((row) => row.name)).toEqual(expect.arrayContaining(names));
    expect(table.map(variableOf)).toEqual(expect.arrayContaining(env.map((variable) => variable.name)));
    const variables = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
    const { namespaces, leaseName } = readControllerSettings({}, variables);
    expect(namespaces).toEqual(base === 'controller' ? [] : ['hub']);
    expect(find(deployments[base]!, 'Role').rules?.[1]?.resourceNames).toEqual([leaseName]);
  });

  test('is probed where it answers', async () => {
    const { livenessProbe, readinessProbe, ports = [] } = container;
    expect(ports).toEqual([{ name: 'web', containerPort: Number(CONTROLLER_PARAMETERS.port.default) }]);
    const paths = [livenessProbe, readinessProbe].map((probe) => pathOf(probe));
    const { statuses, ended } = await runAndAsk(container, [...paths, '/elsewhere']);
    // Without a cluster it lives and is not ready.
    expect(statuses).toEqual([200, 503, 404]);
    expect(ended).toBe(0);
  });

  test('has the time to stop that it may take', () => {
    const { stopWithin } = readControllerSettings({}, {});
    expect((pod.terminationGracePeriodSeconds ?? 30) * 1000).toBeGreaterThanOrEqual(stopWithin + 5_000);
  });

  test('gets its token, and no variables of Services', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: true, enableServiceLinks: false });
    expect(find(deployments[base]!, 'ServiceAccount')).toMatchObject({ automountServiceAccountToken: false });
  });
});

function pathOf(probe: Probe | undefined): string {
  expect(probe?.httpGet?.port).toBe('web');
  return probe?.httpGet?.path ?? '';
}

/** Starts what the container starts, on a free port and with a cluster that is not there; asks, and stops it by a signal. */
async function runAndAsk(
  { command = [], env = [] }: Container,
  paths: readonly string[],
): Promise<{ statuses: number[]; ended: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'controller-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(NOWHERE));
  const given = env.map(({ name, value = '' }) => [name, value] as const);
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'bin/prepuller.mjs'),
      ...command.slice(1),
      '--port=0',
      '--host=127.0.0.1',
      `--kubeconfig=${kubeconfig}`,
    ],
    { env: { ...process.env, ...Object.fromEntries(given) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    const port = await portIn(child.stderr);
    const asked = paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status);
    const statuses = await Promise.all(asked);
    child.kill('SIGTERM');
    const [ended] = (await once(child, 'exit')) as [number | null];
    return { statuses, ended };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

const NOWHERE = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'none', user: { token: 'none' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
};

async function portIn(stderr: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stderr })) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) return port;
  }
  throw new Error('the controller ended without a port');
}

test('the sidecar is told nothing that the plugin does not know', () => {
  const known = OPERATOR_VARIABLES.map(({ name }) => name as string);
  for (const place of ['install/argocd', 'argo-helm', 'OpenShift GitOps']) {
    const { env = [], command } = ours(PODS[place]!());
    expect(command).toEqual(['/var/run/argocd/argocd-cmp-server']);
    expect(known).toEqual(expect.arrayContaining(env.map(({ name }) => name)));
  }
});
