/** Pullers that are decided already, or by a person. */
import { OVERRIDE_ANNOTATION, OVERRIDE_GENERATION_ANNOTATION, RETRY_AT_ANNOTATION } from '../../../src/api/names.ts';
import { isReady } from '../../../simulator/pod-conditions.ts';
import type { ApiObject } from '../../../simulator/store.ts';
import { until } from '../../testbed/until.ts';
import { ENDLESS, GOOD, MISSING } from '../images.ts';
import { runProgram } from '../program.ts';
import type { Scene } from '../scene.ts';
import type { Play } from '../stage.ts';
import { waits } from './pullers.ts';

async function annotate(scene: Scene, annotations: Record<string, string>): Promise<void> {
  const ref = { resource: 'daemonsets', namespace: scene.namespace, name: 'hook-image-puller' };
  await scene.client.patch(ref, { metadata: { annotations } }, { type: 'merge-patch+json' });
}

async function letThrough(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [ENDLESS] });
  await waits(scene);
  await annotate(scene, { [OVERRIDE_ANNOTATION]: 'let-through', [OVERRIDE_GENERATION_ANNOTATION]: '7' });
  await scene.stays(
    'another generation’s override is nothing',
    async () => (await scene.stated())?.status === 'Unknown',
    3_000,
  );
  await annotate(scene, { [OVERRIDE_GENERATION_ANNOTATION]: '1' });
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'LetThrough' });
}

async function giveUp(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [ENDLESS] });
  await waits(scene);
  await annotate(scene, { [OVERRIDE_ANNOTATION]: 'give-up', [OVERRIDE_GENERATION_ANNOTATION]: '1' });
  expect(await scene.verdict()).toMatchObject({ status: 'False', reason: 'GivenUp' });
}

async function retried(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ role: 'continuous', images: [MISSING] });
  expect(await scene.verdict(undefined, 60_000)).toMatchObject({ status: 'False', reason: 'ImageMissing' });
  await annotate(scene, { [RETRY_AT_ANNOTATION]: new Date().toISOString() });
  await waits(scene);
}

async function podsOf({ client, namespace }: Scene): Promise<ApiObject[]> {
  return (await client.list('pods', { namespace, labelSelector: 'puller' })).items;
}

/** What the program says of the puller from a list of the scene's objects, as a person would give it in a report. */
async function explained({ client, namespace, program }: Scene): Promise<unknown> {
  const lists = await Promise.all(
    ['daemonsets', 'pods', 'nodes'].map((resource) => client.list(resource, resource === 'nodes' ? {} : { namespace })),
  );
  const kinds = [['apps/v1', 'DaemonSet'], ...['Pod', 'Node'].map((kind) => ['v1', kind])] as const;
  const items = lists.flatMap((list, index) => {
    const [apiVersion, kind] = kinds[index] ?? [];
    return list.items.map((item) => ({ ...item, apiVersion, kind }));
  });
  const input = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const { stdout } = await runProgram(program, ['explain', '--from', '-', '-o', 'json'], { input });
  return (JSON.parse(stdout) as unknown[])[0];
}

/** What comes after it would be judged otherwise: the node is freed, and pulls. */
async function hookIsFinal(scene: Scene): Promise<void> {
  const full = await scene.join('full', { pods: 1 });
  const filler = await scene.fill(full);
  await scene.puller({ policy: { strict: 'true' } });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'False', reason: 'ToleratedInStrict' });
  await scene.client.delete({ resource: 'pods', namespace: scene.namespace, name: filler });
  await until('the node pulls after all', async () => (await podsOf(scene)).some(isReady));
  await scene.stays('the verdict stands', async () => (await scene.stated())?.message === verdict.message, 4_000);
  const { reason, message } = verdict;
  expect(await explained(scene)).toMatchObject({ health: 'Degraded', reason, message });
}

async function doneStaysDone(scene: Scene): Promise<void> {
  const node = await scene.join('a');
  await scene.puller({ role: 'continuous', images: [GOOD] });
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
  scene.nodes.behave(node, { cannotStart: 'the network plugin is not ready' });
  for (const { metadata } of await podsOf(scene))
    await scene.client.delete({ resource: 'pods', namespace: scene.namespace, name: metadata.name });
  const said = await until('the verdict tells that it is an old one', async () => {
    const now = await scene.stated();
    return now?.reason === 'Pulled' ? undefined : now;
  });
  expect(said).toMatchObject({ status: 'True', reason: 'PulledBefore' });
}

export const DECISION_PLAYS: readonly Play[] = [
  { name: 'retry-at forgets what was before', play: retried },
  { name: 'a person lets a generation through, and no other', play: letThrough },
  { name: 'a person gives a generation up', play: giveUp },
  { name: 'a hook’s verdict is final, whatever comes after it', play: hookIsFinal },
  { name: 'a continuous puller that was done stays so while a node starts its pod anew', play: doneStaysDone },
];
