/**
 * Labels on nodes, on a real control plane, with the rights in install/node-marks: who gets them, when they go, what a scheduler makes
 * of them, and that the right is no wider than the label.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { combinedDigest } from '../../src/api/digest.ts';
import { PULLED_LABEL } from '../../src/api/names.ts';
import { createApplier } from '../testbed/apply.ts';
import { installed, startReconciler } from '../testbed/reconciler.ts';
import type { Running } from '../testbed/processes.ts';
import { until } from '../testbed/until.ts';
import { GOOD, OTHER, SLOW } from './images.ts';
import type { Scene } from './scene.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

const LAB = 'registry-test-lab-1';
const LARGE = 'registry-test-large-1';
/** The longest rest after a refused write, and a little more. */
const REST = 40_000;

let stage: Stage;
let controller: Running;
let scene: Scene;
let done: string;
let busy: string;
beforeAll(async () => {
  stage = await startStage('node-marks', { reconciler: false });
  scene = await stage.scene('marks');
  done = await scene.join('done');
  busy = await scene.join('busy', { behaviour: { slow: 20 } });
  controller = await startReconciler(stage.plane, { flags: ['--mark-nodes'] });
});
afterAll(async () => {
  await controller.kill();
  await stage.stop();
});

async function labelOf(name: string): Promise<string | undefined> {
  const node = await scene.client.get({ resource: 'nodes', name });
  return node.metadata.labels?.[PULLED_LABEL];
}

async function marked(expected: Record<string, string | undefined>, within = 15_000): Promise<void> {
  for (const [node, label] of Object.entries(expected))
    await until(`${node} is marked ${label ?? 'nothing'}`, async () => (await labelOf(node)) === label, { within });
}

function continuous(images: readonly string[], name = 'continuous'): Promise<ApiObject> {
  return scene.puller({ name, role: 'continuous', images });
}

/** What docs/node-marks.md tells the hub to ask of a node, as KubeSpawner puts it into pods. */
function required(): Fields {
  const page = readFileSync(join(import.meta.dirname, '../../docs/node-marks.md'), 'utf8');
  const block = /^```yaml\n((?:(?!```).*\n)*? {4}required:\n(?:(?!```).*\n)*)```/m.exec(page)?.[1] ?? '';
  const values = load(block) as { singleuser: { extraNodeAffinity: { required: Fields[] } } };
  return { nodeSelectorTerms: values.singleuser.extraNodeAffinity.required };
}

/** A pod that runs only where the label is. */
async function user(name: string, nodeSelector: Fields = { scene: 'marks' }): Promise<void> {
  await scene.client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: scene.namespace },
    spec: {
      nodeSelector,
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required() } },
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'notebook', image: 'registry.test/filler:1' }],
    },
  });
}

/** The node a pod of a user is on; undefined while the scheduler finds none. */
async function placeOf(name: string): Promise<string | undefined> {
  const { spec, status } = await scene.client.get({ resource: 'pods', namespace: scene.namespace, name });
  const conditions = (status?.conditions ?? []) as Fields[];
  const isUnplaced = conditions.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable');
  if (isUnplaced) return 'nowhere';
  return spec?.nodeName as string | undefined;
}

test('without its ClusterRole: no mark, said once, the verdict as ever; with it the marks come', async () => {
  await continuous([GOOD]);
  expect(await scene.verdict('continuous')).toMatchObject({ status: 'True', reason: 'Pulled' });
  const log = join(stage.plane.folder, 'controller-1.log');
  const said = () => readFileSync(log, 'utf8').split('nodes cannot be marked').length - 1;
  await until('it is said', () => Promise.resolve(said() > 0));
  await marked({ [done]: undefined, [busy]: undefined });
  const applier = createApplier(stage.plane.transportFor('admin'));
  for (const file of ['clusterrole.yaml', 'admission.yaml'])
    for (const object of installed('node-marks', file)) expect(await applier.apply(object)).toBeUndefined();
  await marked({ [done]: LAB, [busy]: LAB }, REST);
  expect(said()).toBe(1);
});

test('a second hub: marked where both are done; without it as before', async () => {
  await continuous([OTHER], 'second');
  const both = combinedDigest([LAB, 'registry-test-tools-1']);
  await marked({ [done]: both, [busy]: both });
  await scene.remove('second');
  await marked({ [done]: LAB, [busy]: LAB });
});

test('another digest: only where its images are, and users come only there', async () => {
  await continuous([SLOW]);
  await marked({ [done]: LARGE, [busy]: undefined });
  for (const name of ['one', 'two', 'three']) await user(name);
  for (const name of ['one', 'two', 'three']) await until('it has a place', async () => (await placeOf(name)) === done);
  await user('waiting', { 'kubernetes.io/hostname': busy });
  await until('it finds no place', async () => (await placeOf('waiting')) === 'nowhere');
});

test('what waited gets its place when the node is done', async () => {
  await continuous([GOOD]);
  await marked({ [done]: LAB, [busy]: LAB });
  await until('it has a place', async () => (await placeOf('waiting')) === busy);
});

test('so far every change was written once', () => {
  const name = 'system:serviceaccount:argocd-prepuller:argocd-prepuller';
  const writes = stage.plane.requestsOf(name).filter(({ verb, resource }) => verb === 'patch' && resource === 'nodes');
  const taken = writes.filter(({ code }) => code === 200).length;
  console.log(`writes on two nodes: ${taken} taken, ${writes.length - taken} refused`);
  // Both marked; gone, two lists, one list; the large image on one, gone from both; both marked.
  expect(taken).toBeGreaterThanOrEqual(12);
  expect(taken).toBeLessThanOrEqual(16);
});

test('the right is no wider than the label', async () => {
  const as = stage.plane.transportFor('reconciler');
  const patch = async (body: Fields): Promise<string> => {
    const contentType = 'application/merge-patch+json';
    const asked = { method: 'PATCH', path: `/api/v1/nodes/${done}?dryRun=All`, contentType, body };
    const { code, body: answer } = await as.request(asked);
    return code === 200 ? 'taken' : (answer as { message: string }).message;
  };
  expect(await patch({ metadata: { labels: { [PULLED_LABEL]: 'x' } } })).toBe('taken');
  expect(await patch({ metadata: { labels: { [PULLED_LABEL]: null } } })).toBe('taken');
  const label = 'may change no other label';
  expect(await patch({ metadata: { labels: { pool: 'users' } } })).toContain(label);
  expect(await patch({ metadata: { labels: { scene: null } } })).toContain(label);
  expect(await patch({ metadata: { labels: { scene: 'x', [PULLED_LABEL]: 'x' } } })).toContain(label);
  const rest = 'may change nothing of a node but its label';
  expect(await patch({ metadata: { annotations: { x: 'y' } } })).toContain(rest);
  expect(await patch({ metadata: { finalizers: ['example.org/x'] } })).toContain(rest);
  expect(await patch({ spec: { unschedulable: true } })).toContain(rest);
  expect(await patch({ spec: { taints: null } })).toBe('taken');
  expect(await patch({ spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } })).toContain(rest);
});

test('the puller gone, its marks go', async () => {
  await scene.remove('continuous');
  await marked({ [done]: undefined, [busy]: undefined });
});
