/**
 * `prepuller await` with the account and the rights that `generate` emits for the job gate, and no others: all objects of
 * examples/job that come before the sync, and the Job's own command.
 */
import { readGolden, readObjects } from '../examples/argo-cd.ts';
import type { ReadObject } from '../examples/argo-cd.ts';
import { placeOf, roleOf } from '../examples/ours.ts';
import { kubeconfigOf, userOf } from '../testbed/accounts.ts';
import { createApplier } from '../testbed/apply.ts';
import { isWrite } from '../testbed/audit.ts';
import { MISSING } from './images.ts';
import { runProgram } from './program.ts';
import type { Outcome } from './program.ts';
import { SHORT_POLICY } from './scene.ts';
import type { Scene } from './scene.ts';
import { playTogether } from './stage.ts';
import type { Play, Stage } from './stage.ts';

const EXAMPLE = 'job';
const PULLER = 'hook-image-puller';
/** What the example's objects say instead of the scene's namespace. */
const NAMESPACE = 'jupyterhub';
const NODE = { labels: { 'hub.jupyter.org/node-purpose': 'user' } };

let stage: Stage;

interface Job {
  account: string;
  command: string[];
}

/** All of ours that is there before the sync, in the scene's namespace and on its nodes; the verdict comes sooner. */
function emitted(namespace: string, image: (reference: string) => string): ReadObject[] {
  const ours = readObjects(readGolden(EXAMPLE, 'expected.yaml')!).filter(
    (object) => roleOf(object) !== undefined && placeOf(object).phase === 'PreSync',
  );
  const moved = JSON.parse(
    JSON.stringify(ours, (key, value: unknown) => {
      if (key === 'image') return image(value as string);
      if (key === 'nodeSelector') return { ...(value as object), scene: namespace };
      return value === NAMESPACE ? namespace : value;
    }),
  ) as ReadObject[];
  for (const { kind, metadata } of moved) if (kind === 'DaemonSet') Object.assign(metadata.annotations!, SHORT_POLICY);
  return moved;
}

/** Makes all but the Job, whose image no scripted node could run; what its container would run, and as whom. */
async function makeBefore({ namespace }: Scene, image = (reference: string) => reference): Promise<Job> {
  const applier = createApplier(stage.plane.transportFor('admin'));
  const objects = emitted(namespace, image);
  for (const object of objects.filter(({ kind }) => kind !== 'Job')) {
    if (await applier.isNamespaced(object)) object.metadata.namespace = namespace;
    const refusal = await applier.apply(object);
    if (refusal !== undefined) throw new Error(`${object.kind} was refused: ${refusal}`);
  }
  const job = objects.find(({ kind }) => kind === 'Job') as unknown as {
    spec: { template: { spec: { serviceAccountName: string; containers: { command: string[] }[] } } };
  };
  const { serviceAccountName: account, containers } = job.spec.template.spec;
  return { account, command: containers[0]?.command ?? [] };
}

/** Runs the Job's command as the Job's account; it must neither write nor ask for what it may not have, nodes apart. */
async function runJob({ namespace, program }: Scene, { account, command }: Job): Promise<Outcome> {
  const [name, ...args] = command;
  expect(name).toBe('prepuller');
  const kubeconfig = await kubeconfigOf(stage.plane, namespace, account);
  const outcome = await runProgram(program, args, { env: { PREPULLER_KUBECONFIG: kubeconfig } });
  const requests = stage.plane.requestsOf(userOf(namespace, account));
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter(isWrite)).toEqual([]);
  const refused = requests.filter(({ code, resource }) => code === 403 && resource !== 'nodes');
  expect(refused).toEqual([]);
  return outcome;
}

async function fullNode(scene: Scene): Promise<void> {
  await scene.join('good', NODE);
  const full = await scene.join('full', { ...NODE, pods: 1 });
  await scene.fill(full);
  const { code, stdout, stderr } = await runJob(scene, await makeBefore(scene));
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const [first = '', second = '', ...rest] = stdout.split('\n');
  expect(first).toBe(`puller ${scene.namespace}/${PULLER} is done (Pulled)`);
  expect(second).toMatch(/^1\/2 nodes pulled, 1 tolerated: .*Too many pods/);
  expect(second).toContain(full);
  expect(rest).toEqual(['']);
}

async function missingImage(scene: Scene): Promise<void> {
  const node = await scene.join('a', NODE);
  const job = await makeBefore(scene, (reference) => (reference.includes('notebook') ? MISSING : reference));
  const { code, stdout, stderr } = await runJob(scene, job);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const [second = '', first = ''] = stderr.trimEnd().split('\n').reverse();
  expect(first).toContain(`puller ${scene.namespace}/${PULLER} failed (ImageMissing)`);
  expect(second).toContain(MISSING);
  expect(second).toContain(node);
}

async function noPuller(scene: Scene): Promise<void> {
  const job = await makeBefore(scene);
  await scene.remove(PULLER, 'Foreground');
  const { code, stderr } = await runJob(scene, job);
  expect(code).toBe(1);
  expect(stderr).toContain(`there is no puller ${scene.namespace}/${PULLER}`);
}

const PLAYS: Play[] = [
  { name: 'a full node is passed: exit code 0, and the node is named', play: fullNode },
  { name: 'a missing image fails: exit code 1, and the image is named', play: missingImage },
  { name: 'a puller that is not there fails: exit code 1', play: noPuller },
];

playTogether(
  'await',
  PLAYS,
  (on) => {
    stage = on;
    return Promise.resolve(() => Promise.resolve());
  },
  { reconciler: false },
);
