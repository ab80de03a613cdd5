/** let-through, give-up and retry as a user calls them: the annotations of the Lua actions, and what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { PREFIX } from '../../src/api/names.ts';
import { refuse } from '../../src/intervention.ts';
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import { serveSimulation, until } from '../watch/kubeconfig.ts';
import type { Served } from '../watch/kubeconfig.ts';
import type { Simulation } from '../watch/simulation.ts';
import { startWatcher } from '../watch/watchers.ts';
import { prepuller, ROOT, startPrepuller } from './prepuller.ts';

const WORDS = ['let-through', 'give-up', 'retry'] as const;
let served: Served;

beforeEach(async () => {
  served = await serveSimulation();
  const { simulation } = served;
  for (const name of ['a', 'b']) simulation.node(name);
  simulation.puller('pull');
  for (const name of ['a', 'b']) simulation.pod('pull', name, 'pulling');
  simulation.observe('pull');
});
afterEach(() => served.stop());

async function call(...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = startPrepuller(args, { env: { KUBECONFIG: served.kubeconfig } });
  const texts = { stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, ...texts };
}

function annotations(): Record<string, string> {
  return served.simulation.daemonSet('pull')?.metadata.annotations ?? {};
}

test.each([
  ['let-through', 'True LetThrough', /the sync goes on without the images that are missing/],
  ['give-up', 'False GivenUp', /the sync fails, and nothing behind the puller is changed/],
] as const)('%s: the override of this generation, which the controller takes up', async (word, condition, says) => {
  const controller = startWatcher(served.simulation as Simulation, 'one');
  const { exitCode, stdout, stderr } = await call(word, '--namespace', 'hub', 'pull');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(says);
  expect(stdout).toContain('This holds for generation 1');
  expect(stdout).toContain('prepuller explain --namespace hub pull\n');
  expect(annotations()).toMatchObject({ [`${PREFIX}/override`]: word, [`${PREFIX}/override-generation`]: '1' });
  await until(() => served.simulation.condition('pull') === condition);
  await controller.stop();
});

test('retry: the moment before which everything is forgotten; the namespace is that of the kubeconfig', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const { exitCode, stdout } = await call('retry', 'pull');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^hub\/pull is judged afresh: /);
  const at = annotations()[`${PREFIX}/retry-at`]!;
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  expect(Object.keys(annotations())).not.toContain(`${PREFIX}/override`);
});

test.each(WORDS)('%s: nothing of that name', async (word) => {
  const { exitCode, stdout, stderr } = await call(word, 'pul');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('prepuller: there is no DaemonSet hub/pul: prepuller explain lists the pullers\n');
});

test.each(WORDS)('%s: without the right to patch', async (word) => {
  served.simulation.server.faults.revoked.push({ verb: 'patch', resource: 'daemonsets' });
  const { exitCode, stderr } = await call(word, 'pull');
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/answered 403 Forbidden\nThe right is missing: /);
});

test.each(WORDS)('%s --help has an example', (word) => {
  const { exitCode, stdout } = prepuller([word, '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Example:\n  prepuller ${word} --namespace hub hook-image-puller\n`);
});

test.each(WORDS)('%s without a name is a wrong call', (word) => {
  expect(prepuller([word]).exitCode).toBe(2);
});

describe('the rules are those of the Lua actions, by the cases of their own tests', () => {
  const folder = join(ROOT, 'install/argocd/actions');
  interface Cases {
    discoveryTests: { inputPath: string; result: { name: string; disabled?: boolean }[] }[];
  }
  const { discoveryTests } = load(readFileSync(join(folder, 'action_test.yaml'), 'utf8')) as Cases;

  test('in enough cases', () => {
    expect(discoveryTests.length).toBeGreaterThanOrEqual(15);
  });

  test.each(discoveryTests)('$inputPath', ({ inputPath, result }) => {
    const daemonSet = readDaemonSet(load(readFileSync(join(folder, inputPath), 'utf8')));
    const offered = result.filter(({ disabled }) => disabled !== true).map(({ name }) => name);
    expect(WORDS.filter((word) => refuse(word, daemonSet) === undefined)).toEqual(
      WORDS.filter((word) => offered.includes(word)),
    );
  });
});
