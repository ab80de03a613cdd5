/** The built program against a simulated API server over HTTP: controller, await and clean as a user calls them. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resourceNamed } from '../../simulator/resources.ts';
import { ROLE_LABEL } from '../../src/api/names.ts';
import { serveSimulation, until } from '../watch/kubeconfig.ts';
import type { Served } from '../watch/kubeconfig.ts';
import { environment, PREPULLER, startPrepuller } from './prepuller.ts';

let served: Served;
const children: ChildProcess[] = [];

beforeEach(async () => {
  served = await serveSimulation();
  const { simulation } = served;
  for (const name of ['a', 'b', 'c']) simulation.node(name);
  simulation.puller('pull');
  for (const name of ['a', 'b', 'c']) simulation.pod('pull', name, 'pulling');
  simulation.observe('pull');
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await served.stop();
});

interface Running {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  exited: Promise<number | null>;
}

function start(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = startPrepuller(args, { env: { KUBECONFIG: served.kubeconfig, ...env } });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, stdout: () => stdout, stderr: () => stderr, exited };
}

function pullEverywhere(): void {
  for (const name of ['a', 'b', 'c']) served.simulation.pod('pull', name, 'pulled');
}

/** Where the controller listens, from its own log. */
async function portOf({ child }: Running): Promise<number> {
  for await (const line of createInterface({ input: child.stderr! })) {
    const entry = JSON.parse(line) as { message: string; port?: number };
    if (entry.message === 'serving') return entry.port ?? 0;
  }
  throw new Error('the controller ended before it listened');
}

test('controller: ready, writes the verdict, shows it as a metric, ends well on SIGTERM', async () => {
  const controller = start(['controller', '--lease-namespace', 'prepuller', '--open', 'metrics'], {
    PREPULLER_PORT: '0',
  });
  const url = `http://127.0.0.1:${await portOf(controller)}`;
  await until(async () => (await fetch(`${url}/readyz`)).ok);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  await until(() => served.simulation.condition('pull') === 'Unknown Pulling');
  pullEverywhere();
  await until(() => served.simulation.condition('pull') === 'True Pulled');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('prepull_nodes{namespace="hub",name="pull",app="",role="hook",state="pulled"} 3');
  controller.child.kill('SIGTERM');
  expect(await controller.exited).toBe(0);
  expect(controller.stdout()).toBe('');
  const lease = served.simulation.store.get(resourceNamed('leases'), 'argocd-prepuller', 'prepuller');
  expect(lease?.spec?.holderIdentity).toBe('');
});

test('controller: every wrong setting in one answer', async () => {
  const { exited, stderr } = start(['controller', '--port', 'http'], { PREPULLER_LOG_LEVEL: 'loud' });
  expect(await exited).toBe(2);
  expect(stderr()).toMatch(/2 mistakes: .*port.*log-level/);
});

test('await: exits 0 with the verdict as soon as it is Healthy', async () => {
  const waiting = start(['await', '--namespace', 'hub', 'pull']);
  await until(() => waiting.stderr().includes('3 pulling'));
  pullEverywhere();
  expect(await waiting.exited).toBe(0);
  expect(waiting.stdout()).toMatch(/^puller hub\/pull is done \(Pulled\)\n3\/3 nodes pulled/);
  expect(served.simulation.server.traffic.total({ verb: 'patch' }).requests).toBe(0);
});

test('await: exits 1 when it is Degraded, and says why', async () => {
  served.simulation.puller('pull', { annotations: { override: 'give-up', 'override-generation': '1' } });
  const waiting = start(['await', '--namespace', 'hub', 'pull']);
  expect(await waiting.exited).toBe(1);
  expect(waiting.stderr()).toMatch(/^prepuller: puller hub\/pull failed \(GivenUp\)\n.*a person gave it up/m);
  expect(waiting.stdout()).toBe('');
});

test('await: a name that does not exist is answered, not waited for', async () => {
  const { exited, stderr } = start(['await', '--namespace', 'hub', 'pul']);
  expect(await exited).toBe(1);
  expect(stderr()).toContain('there is no puller hub/pul');
});

test('await: a signal ends it at once', async () => {
  const waiting = start(['await', '--namespace', 'hub', 'pull']);
  await until(() => waiting.stderr().includes('3 pulling'));
  waiting.child.kill('SIGTERM');
  expect(await waiting.exited).toBe(143);
});

test('await: without the right to read nodes it judges all the same', async () => {
  served.simulation.server.faults.revoked.push({ verb: '*', resource: 'nodes' });
  pullEverywhere();
  const { exited, stderr } = start(['await', '--namespace', 'hub', 'pull']);
  expect(await exited).toBe(0);
  expect(stderr()).toContain('nodes cannot be read');
});

function leaveBehind(collection: string, name: string, annotations: Record<string, string>): void {
  const { kind, group } = resourceNamed(collection);
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const namespace = kind === 'PriorityClass' ? undefined : 'hub';
  const content = kind === 'PriorityClass' ? { value: -10 } : {};
  const metadata = { name, labels: { [ROLE_LABEL]: 'prerequisite' }, annotations };
  served.simulation.create(collection, namespace, { apiVersion, kind, metadata, ...content });
}

const { status: hasScript } = spawnSync('script', ['--version']);
if (hasScript !== 0 && process.env.CI !== undefined) throw new Error('script(1) of util-linux is not there');
const onTerminal = hasScript === 0 ? test.each : test.skip.each;

const HOOK = { 'argocd.argoproj.io/hook': 'PreSync' };

test('clean: removes what hooks left, keeps what is no hook and what a running sync may need', async () => {
  leaveBehind('serviceaccounts', 'old', { ...HOOK, 'argocd.argoproj.io/tracking-id': 'old:/ServiceAccount:hub/old' });
  leaveBehind('priorityclasses', 'low', { ...HOOK, 'argocd.argoproj.io/tracking-id': 'old:/PriorityClass:hub/low' });
  leaveBehind('secrets', 'ordinary', {});
  served.simulation.annotate('daemonsets', 'pull', {
    ...HOOK,
    'argocd.argoproj.io/tracking-id': 'lab:apps/DaemonSet:hub/pull',
  });
  const unasked = start(['clean']);
  expect(await unasked.exited).toBe(2);
  expect(unasked.stderr()).toContain('--yes');
  const cleaning = start(['clean', '--yes']);
  expect(await cleaning.exited).toBe(0);
  expect(cleaning.stdout().split('\n')).toEqual([
    'kept daemonsets hub/pull (application lab): a hook puller of it has no verdict yet',
    'removed serviceaccounts hub/old (application old)',
    'removed priorityclasses low (application old)',
    '',
  ]);
  const { store } = served.simulation;
  expect(store.get(resourceNamed('secrets'), 'ordinary', 'hub')).toBeDefined();
  expect(store.get(resourceNamed('daemonsets'), 'pull', 'hub')).toBeDefined();
  expect(store.get(resourceNamed('serviceaccounts'), 'old', 'hub')).toBeUndefined();
});

onTerminal([
  ['y', 'removed serviceaccounts hub/old (application old)', false],
  ['Yes', 'removed serviceaccounts hub/old (application old)', false],
  ['n', 'nothing was removed', true],
  ['', 'nothing was removed', true],
])('clean, answered with "%s" on a terminal (skipped without script(1) of util-linux)', async (answer, says, stays) => {
  leaveBehind('serviceaccounts', 'old', { ...HOOK, 'argocd.argoproj.io/tracking-id': 'old:/ServiceAccount:hub/old' });
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `exec ${process.execPath} ${PREPULLER} clean`, '/dev/null'],
    { env: environment({ TERM: 'xterm', KUBECONFIG: served.kubeconfig }), stdio: ['pipe', 'pipe', 'inherit'] },
  );
  children.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  await until(() => text.includes('Remove 1? [y/N]'));
  child.stdin.write(`${answer}\n`);
  expect((await ended)[0]).toBe(0);
  expect(text).toContain('left behind: serviceaccounts hub/old (application old)');
  expect(text).toContain(says);
  const { store } = served.simulation;
  expect(store.get(resourceNamed('serviceaccounts'), 'old', 'hub') !== undefined).toBe(stays);
});

test('clean: says what may not be read, and removes nothing of it', async () => {
  served.simulation.server.faults.revoked.push({ verb: 'list', resource: 'secrets' });
  const { exited, stdout, stderr } = start(['clean', '--yes', '--namespace', 'hub']);
  expect(await exited).toBe(0);
  expect(stdout()).toBe('nothing to remove\n');
  expect(stderr()).toContain('collection=secrets');
});

test('explain: node by node what is in the cluster, read once, and 0 whatever it finds', async () => {
  served.simulation.pod('pull', 'c', 'full');
  const { exited, stdout } = start(['explain', '-o', 'json', '--namespace', 'hub']);
  expect(await exited).toBe(0);
  const [puller] = JSON.parse(stdout()) as {
    name: string;
    health: string;
    nodes: { node: string; reason: string }[];
  }[];
  expect(puller).toMatchObject({ name: 'pull', health: 'Progressing' });
  expect(puller?.nodes.map(({ node, reason }) => `${node} ${reason}`)).toContain('c Waiting');
});

test('explain --watch: a line for each change where nobody looks, until a signal ends it', async () => {
  const watching = start(['explain', '--watch'], { TERM: 'xterm' });
  await until(() => watching.stdout().includes('3 pulling'));
  served.simulation.pod('pull', 'c', 'missing');
  await until(() => / hub\/pull node c pulling: image \S+: not found in the registry: /.test(watching.stdout()));
  pullEverywhere();
  await until(() => watching.stdout().includes(' hub/pull Healthy (Pulled): 3/3 nodes pulled'));
  served.simulation.removePuller('pull');
  await until(() => watching.stdout().includes(' hub/pull is gone'));
  expect(watching.stdout()).not.toContain('\u001b');
  watching.child.kill('SIGINT');
  expect(await watching.exited).toBe(130);
});

test('a cluster that does not answer is a failure of the cluster, with the next step', async () => {
  await served.http.stop();
  const { exited, stderr } = start(['explain']);
  expect(await exited).toBe(3);
  expect(stderr()).toMatch(
    /^prepuller: GET \/apis\/apps\/v1\/daemonsets failed: ECONNREFUSED\nIs the cluster there\? .*--context/,
  );
});

test('a right that is missing is said, with the next step', async () => {
  served.simulation.server.faults.revoked.push({ verb: 'list', resource: 'daemonsets' });
  const { exited, stderr } = start(['explain']);
  expect(await exited).toBe(3);
  expect(stderr()).toMatch(/answered 403 Forbidden\nThe right is missing: /);
});
