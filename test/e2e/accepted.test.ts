/**
 * What `generate` emits, given to a real API server object by object in Argo CD's order: all of it is taken, and at the moment a
 * puller is made its pods pass all of admission, Pod Security "restricted" included.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GATES } from '../../src/api/choices.ts';
import { readStream, printStream } from '../../src/manifest/stream.ts';
import { transform } from '../../src/prepull/transform.ts';
import { exampleNames, readGolden, readObjects, ROOT } from '../examples/argo-cd.ts';
import type { ReadObject } from '../examples/argo-cd.ts';
import { keyOf, placeOf, pullers, roleOf } from '../examples/ours.ts';
import { createApplier } from '../testbed/apply.ts';
import type { AnyObject, Applier } from '../testbed/apply.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { until } from '../testbed/until.ts';
import { caseOptions } from './cases.ts';

const folder = process.env.PREPULLER_CASES ?? join(ROOT, '../shared/cases');
const isHere = existsSync(folder);
if (!isHere && process.env.CI !== undefined) throw new Error(`rendered cases are missing: ${folder}`);
const cases = isHere ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'EXPECT.json'))) : [];
const good = exampleNames().filter((name) => !name.startsWith('mistakes/'));

let plane: ControlPlane;
let applier: Applier;
beforeAll(async () => {
  plane = await startControlPlane('accepted');
  applier = createApplier(plane.transportFor('admin'));
});
afterAll(() => plane.stop());

function isWorkload({ kind }: ReadObject): boolean {
  return ['DaemonSet', 'Deployment', 'StatefulSet', 'Job', 'CronJob', 'Pod'].includes(kind);
}

/** PreSync before Sync, then by wave; within a wave Argo CD goes by kind, workloads last. */
function inOrder(objects: readonly ReadObject[]): ReadObject[] {
  const phases = ['PreSync', 'Sync', 'PostSync'];
  const rank = (object: ReadObject): [number, number, number] => {
    const { phase, wave } = placeOf(object);
    return [phases.indexOf(phase), wave, isWorkload(object) ? 1 : 0];
  };
  const compare = (one: ReadObject, other: ReadObject): number => {
    const [a, b] = [rank(one), rank(other)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  };
  return objects.filter((object) => phases.includes(placeOf(object).phase)).sort(compare);
}

async function makeNamespace(name: string): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await applier.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } as AnyObject);
  const ref = { resource: 'serviceaccounts', namespace: name, name: 'default' };
  await until(
    'the namespace has its ServiceAccount',
    async () => (await plane.clientFor('admin').get(ref)).metadata.name,
  );
}

interface Outcome {
  /** Kind and name with the server's word, of what it did not take. */
  refused: string[];
  /** The same for pods of pullers, tried when the puller is made. */
  podsRefused: string[];
  /** Pods of pullers that passed. */
  podsPassed: number;
}

/** Gives all to the server, in namespaces of this case only; what the cluster shares is taken away again. */
async function applyAll(stream: string, fresh: string): Promise<Outcome> {
  const outcome: Outcome = { refused: [], podsRefused: [], podsPassed: 0 };
  const shared: AnyObject[] = [];
  const namespaces = new Set<string>();
  for (const read of inOrder(readObjects(stream))) {
    if (!(await applier.serves(read))) {
      if (roleOf(read) !== undefined) outcome.refused.push(`${keyOf(read)}: not served`);
      continue;
    }
    const object = await placed(read, fresh, namespaces);
    if (object.metadata.namespace === undefined) shared.push(object);
    await give(object, outcome);
  }
  for (const object of shared) await applier.remove(object);
  return outcome;
}

/** The object in a namespace of this case, which is made when it is the first there. */
async function placed(read: ReadObject, fresh: string, namespaces: Set<string>): Promise<ReadObject> {
  const object = { ...read, metadata: { ...read.metadata } };
  if (await applier.isNamespaced(object)) {
    const namespace = `${fresh}-${object.metadata.namespace ?? 'app'}`;
    object.metadata.namespace = namespace;
    if (!namespaces.has(namespace)) await makeNamespace(namespace);
    namespaces.add(namespace);
  }
  // A volume outlives its case while a claim holds it.
  if (object.kind === 'PersistentVolume') object.metadata.name = `${fresh}-${object.metadata.name}`;
  return object;
}

async function give(object: ReadObject, outcome: Outcome): Promise<void> {
  // Workloads of others are only tried: nobody here needs their pods.
  const dryRun = isWorkload(object) && roleOf(object) === undefined;
  const refusal = await applier.apply(object, { dryRun });
  if (refusal !== undefined) outcome.refused.push(`${keyOf(object)}: ${refusal}`);
  else if (pullers([object]).length > 0) await tryPods(object, outcome);
}

async function tryPods(puller: ReadObject, outcome: Outcome): Promise<void> {
  const { template } = puller.spec as { template: object };
  const refusal = await applier.tryPod(puller.metadata.namespace ?? '', template);
  if (refusal === undefined) outcome.podsPassed += 1;
  else outcome.podsRefused.push(`${keyOf(puller)}: ${refusal}`);
}

let tried = 0;
let passed = 0;

test.each(good)('example %s is accepted', async (name) => {
  tried += 1;
  const outcome = await applyAll(readGolden(name, 'expected.yaml')!, `e${tried}`);
  expect(outcome).toMatchObject({ refused: [], podsRefused: [] });
  expect(outcome.podsPassed).toBeGreaterThan(0);
  passed += outcome.podsPassed;
});

const describeCases = isHere ? describe : describe.skip;
describeCases('cases', () => {
  test.each(cases)('%s is accepted, whatever the gate', async (name) => {
    for (const gate of GATES) {
      tried += 1;
      const options = caseOptions(join(folder, name), gate);
      const { manifests } = transform(readStream(readFileSync(join(folder, name, 'rendered.yaml'))), options);
      const outcome = await applyAll(Buffer.from(printStream(manifests)).toString(), `c${tried}`);
      expect({ gate, ...outcome }).toMatchObject({ refused: [], podsRefused: [] });
      passed += outcome.podsPassed;
    }
  });
});

test('the suite saw what it is about', () => {
  expect(good.length).toBeGreaterThanOrEqual(15);
  expect(cases.length).toBeGreaterThanOrEqual(isHere ? 38 : 0);
  console.log(
    `${good.length} examples, ${cases.length} cases in ${GATES.length} gates, ${passed} pods of pullers passed admission`,
  );
});
