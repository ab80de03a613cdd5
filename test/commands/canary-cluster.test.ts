/**
 * Secrets planted wherever the controller and its helpers could come across them: the kubeconfig, the environment, the token file, a pull
 * Secret, a pod's variables, the registry's own words. None is in a log, an error, a metric, an annotation, a condition, an event or a page.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resourceNamed } from '../../simulator/resources.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { configFor, serveSimulation, until } from '../watch/kubeconfig.ts';
import type { Served } from '../watch/kubeconfig.ts';
import { freePorts } from '../testbed/ports.ts';
import { prepuller, startPrepuller } from './prepuller.ts';

/** Where it is planted → what is planted; each its own, so that a leak names its source. */
const CANARIES = {
  kubeconfig: 'canary-kubeconfig-7f3a',
  environment: 'canary-environment-1c9d',
  tokenFile: 'canary-token-file-55e0',
  pullSecret: 'canary-pull-secret-0b6a',
  podVariable: 'canary-pod-variable-94d1',
  registryUser: 'canary-registry-user-3ee7',
  registryQuery: 'canary-registry-query-a8c2',
  nodeLabel: 'canary-node-label-6d24',
} as const;

/** What containerd says of a registry that answers with a redirect to a signed address. */
const WORDS =
  'failed to pull and unpack image "registry.example/user:2": failed to copy: httpReadSeeker: failed open: failed to do request: ' +
  `Get "https://robot:${CANARIES.registryUser}@store.example/blobs/1?X-Signature=${CANARIES.registryQuery}": 503 Service Unavailable`;

let served: Served;
let folder: string;
let kubeconfig: string;
let controller: ChildProcess;
let url: string;
let log = '';

beforeAll(async () => {
  served = await serveSimulation();
  folder = mkdtempSync(join(tmpdir(), 'prepuller-canary-cluster-'));
  kubeconfig = writeKubeconfig(served.http.url);
  writeFileSync(join(folder, 'token'), CANARIES.tokenFile);
  plant();
  const [port = 0] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
  const flags = ['--host=127.0.0.1', `--port=${port}`, `--token-file=${join(folder, 'token')}`, '--log-level=debug'];
  const env = { KUBECONFIG: kubeconfig, DATABASE_PASSWORD: CANARIES.environment };
  controller = startPrepuller(['controller', '--lease-namespace=prepuller', ...flags], { env });
  for (const stream of [controller.stdout, controller.stderr])
    stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await until(() => served.simulation.condition('pull') !== '');
  await until(async () => (await pathOf('/readyz').catch(() => undefined))?.status === 200);
});

afterAll(async () => {
  if (controller.exitCode === null) {
    controller.kill('SIGKILL');
    await once(controller, 'exit');
  }
  await served.stop();
  rmSync(folder, { recursive: true });
});

function writeKubeconfig(server: string): string {
  const path = join(folder, `config-${new URL(server).port}`);
  const config = configFor(server) as { users: object[] };
  writeFileSync(path, JSON.stringify({ ...config, users: [{ name: 'tester', user: { token: CANARIES.kubeconfig } }] }));
  return path;
}

/** Three nodes that pull and hear the registry's words, and what else lies in a cluster. */
function plant(): void {
  const { simulation } = served;
  const dockerConfig = { auths: { 'registry.example': { password: CANARIES.pullSecret } } };
  simulation.create('secrets', 'hub', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'pull-secret' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(JSON.stringify(dockerConfig)).toString('base64') },
  });
  for (const name of ['a', 'b', 'c']) simulation.node(name);
  simulation.puller('pull');
  change('nodes', undefined, 'a', { metadata: { labels: { team: CANARIES.nodeLabel } } });
  for (const name of ['a', 'b', 'c']) {
    simulation.pod('pull', name, 'busy');
    change('pods', 'hub', `pull-${name}`, {
      spec: { imagePullSecrets: [{ name: 'pull-secret' }], env: [{ name: 'PASSWORD', value: CANARIES.podVariable }] },
    });
    const waiting = { reason: 'ErrImagePull', message: WORDS };
    const status = { containerStatuses: [{ name: 'image-0', image: 'registry.example/user:2', state: { waiting } }] };
    change('pods', 'hub', `pull-${name}`, { status });
  }
  simulation.observe('pull');
}

function change(plural: string, namespace: string | undefined, name: string, patch: Fields): void {
  const resource = resourceNamed(plural);
  const known = served.simulation.store.get(resource, name, namespace);
  if (known === undefined) throw new Error(`no ${plural} ${name}`);
  const changed: ApiObject = { ...known };
  for (const [field, value] of Object.entries(patch))
    changed[field] = { ...(known[field] as Fields), ...(value as Fields) };
  served.simulation.store.replace(resource, changed);
}

function pathOf(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}${path}`, { headers, redirect: 'manual' });
}

function leaksIn(text: string): string[] {
  const shapes = (canary: string) => [
    canary,
    Buffer.from(canary).toString('base64').replace(/=+$/, ''),
    encodeURIComponent(canary),
  ];
  return Object.entries(CANARIES).flatMap(([place, canary]) =>
    shapes(canary).some((shape) => text.includes(shape)) ? [place] : [],
  );
}

/** What ours wrote onto an object: everything but the template and what others put there. */
function written(): string {
  const { metadata, status } = served.simulation.daemonSet('pull') ?? {};
  return JSON.stringify([metadata?.annotations, status]);
}

const token = { authorization: `Bearer ${CANARIES.tokenFile}` };

test('the registry’s words get through, so that a leak would be seen', () => {
  expect(written()).toContain('503 Service Unavailable');
  expect(written()).toContain('store.example/blobs/1');
});

test.each(['/livez', '/readyz', '/', '/metrics', '/api/v1/pulls', '/nothing'])(
  '%s, without the token',
  async (path) => {
    const response = await pathOf(path);
    expect(leaksIn((await response.text()) + JSON.stringify([...response.headers]))).toEqual([]);
  },
);

test.each(['/', '/pulls/hub/pull', '/metrics', '/api/v1/pulls', '/api/v1/pulls/hub/pull'])(
  '%s, with it',
  async (path) => {
    const response = await pathOf(path, token);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('pull');
    expect(leaksIn(text + JSON.stringify([...response.headers]))).toEqual([]);
  },
);

test.each([
  ['a wrong token', '/metrics', { authorization: 'Bearer wrong' }],
  ['a broken header', '/api/v1/pulls', { authorization: `Basic ${CANARIES.tokenFile}` }],
  ['a broken address', '/api/v1/pulls/%E0%A4%A', token],
])('the answer to %s', async (_what, path, headers) => {
  const response = await pathOf(path, headers);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(leaksIn(await response.text())).toEqual([]);
});

test('annotations, conditions, events and the Lease', () => {
  const { store } = served.simulation;
  const kinds = ['events', 'leases'].map((plural) => store.list(resourceNamed(plural)));
  expect(kinds.map((objects) => objects.length > 0)).toEqual([true, true]);
  expect(leaksIn(written() + JSON.stringify(kinds))).toEqual([]);
});

test.each([
  'explain',
  'explain -o json',
  'clean --namespace hub',
  'retry --namespace hub pull',
  'let-through --namespace hub none-of-this-name',
  'await --namespace hub none-of-this-name',
])('%s', async (command) => {
  const child = startPrepuller(command.split(' '), {
    env: { KUBECONFIG: kubeconfig, PASSWORD: CANARIES.environment },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin?.end();
  await once(child, 'close');
  expect(said.length).toBeGreaterThan(10);
  expect(leaksIn(said)).toEqual([]);
});

test.each(['explain', 'clean', 'controller'])('%s, of a cluster that is not there', (command) => {
  const nowhere = writeKubeconfig(`http://robot:${CANARIES.registryUser}@127.0.0.1:1/?token=${CANARIES.registryQuery}`);
  const more = command === 'controller' ? ['--port=99999'] : [];
  const env = { KUBECONFIG: nowhere, HTTP_PROXY: `http://robot:${CANARIES.environment}@127.0.0.1:1` };
  const { exitCode, stdout, stderr } = prepuller([command, ...more], { env });
  expect(exitCode).toBeGreaterThan(0);
  expect(leaksIn(stdout + stderr)).toEqual([]);
});

test('the controller’s log, to its last line', async () => {
  controller.kill('SIGTERM');
  await once(controller, 'close');
  expect(log).toContain('"stopping"');
  expect(leaksIn(log)).toEqual([]);
});
