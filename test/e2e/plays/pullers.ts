/** Pullers that cannot have pods, change or go while they pull, come again, or come in twos. */
import type { Fields } from '../../../simulator/store.ts';
import { until } from '../../testbed/until.ts';
import { ENDLESS, GOOD, MISSING, OTHER, SLOW } from '../images.ts';
import type { Play } from '../stage.ts';
import type { Scene } from '../scene.ts';

/** Resolves when the puller says that it waits. */
export async function waits(scene: Scene, words?: RegExp): Promise<void> {
  await until('the puller waits', async () => {
    const said = await scene.stated();
    return said?.status === 'Unknown' && (words === undefined || words.test(said.message));
  });
}

/** What a pod needs that is not there: refused in the admission's words, and judged well when made in time. */
function lacking(pod: Fields, words: RegExp, supply: (scene: Scene) => Fields) {
  return {
    forGood: async (scene: Scene) => {
      await scene.join('a');
      await scene.puller({ pod });
      const verdict = await scene.verdict();
      expect(verdict).toMatchObject({ status: 'False', reason: 'PodsRefused' });
      expect(verdict.message).toMatch(words);
    },
    forAWhile: async (scene: Scene) => {
      await scene.join('a');
      await scene.puller({ pod, policy: { 'rejection-grace': '60s' } });
      await waits(scene, words);
      await scene.client.create(supply(scene));
      expect(await scene.verdict(undefined, 60_000)).toMatchObject({ status: 'True', reason: 'Pulled' });
    },
  };
}

const priority = lacking({ priorityClassName: 'e2e-absent' }, /no PriorityClass.*e2e-absent/, () => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'e2e-absent' },
  value: -10,
}));
const neverMade = lacking({ priorityClassName: 'e2e-never' }, /no PriorityClass.*e2e-never/, () => ({}));
const account = lacking({ serviceAccountName: 'puller' }, /serviceaccount "puller" not found/, ({ namespace }) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'puller', namespace },
}));

async function quota(scene: Scene): Promise<void> {
  await scene.client.create({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'one-pod', namespace: scene.namespace },
    spec: { hard: { pods: '0' } },
  });
  await until('the quota counts', async () => {
    const object = await scene.client.get({ resource: 'resourcequotas', namespace: scene.namespace, name: 'one-pod' });
    return object.status?.hard !== undefined;
  });
  await scene.join('a');
  await scene.puller();
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'False', reason: 'PodsRefused' });
  expect(verdict.message).toMatch(/exceeded quota: one-pod/);
}

async function webhookDown(scene: Scene): Promise<void> {
  await scene.join('a');
  const { remove } = await webhook(scene);
  await scene.puller({ policy: { deadline: '5m' } });
  await waits(scene, /failed calling webhook/);
  // Not the puller's fault, and it may pass: longer than the grace for refusals.
  await scene.stays('it waits', async () => (await scene.stated())?.status === 'Unknown', 6_000);
  await remove();
  // By itself the DaemonSet controller tries again after up to 82 s; a node that comes makes it look at once.
  await scene.join('b');
  expect(await scene.verdict(undefined, 60_000)).toMatchObject({ status: 'True', reason: 'Pulled' });
}

/** An admission webhook for pods of this namespace that nobody answers. */
async function webhook(scene: Scene): Promise<{ remove: () => Promise<void> }> {
  const { namespace } = scene;
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  await scene.raw('POST', path, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'down.example.org',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Fail',
      },
    ],
  });
  return { remove: () => scene.raw('DELETE', `${path}/${namespace}`) };
}

async function changedMidPull(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.join('b');
  await scene.puller({ role: 'continuous', images: [SLOW] });
  await scene.pulling(2);
  const changed = await scene.puller({ role: 'continuous', images: [GOOD] });
  expect(changed.metadata.generation).toBe(2);
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled', generation: 2 });
  expect(verdict.message).toMatch(/^2\/2 nodes pulled/);
}

async function neverOfAnOldGeneration(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ role: 'continuous', images: [GOOD] });
  expect(await scene.verdict()).toMatchObject({ status: 'True', generation: 1 });
  await scene.puller({ role: 'continuous', images: [SLOW] });
  await scene.stays(
    'nothing but waiting is said of the new generation',
    async () => {
      const said = await scene.stated();
      return said?.generation !== 2 || said.status === 'Unknown';
    },
    4_000,
  );
  expect(await scene.verdict()).toMatchObject({ status: 'True', generation: 2 });
}

async function deletedByHand(scene: Scene): Promise<void> {
  await scene.join('a');
  // As a foreground deletion that waits for something: the object stays, and its controller no longer looks at it.
  await scene.puller({ images: [ENDLESS], finalizers: ['example.org/held'] });
  await scene.pulling(1);
  await scene.remove();
  const { message, reason, status } = await until('it is judged', async () => {
    const said = await scene.stated();
    return said?.status === 'False' ? said : undefined;
  });
  expect({ reason, status }).toEqual({ reason: 'PullerDeleted', status: 'False' });
  expect(message).toMatch(/deleted/);
  await release(scene);
}

/** Nobody looks at a puller that is being deleted, and deletion makes a generation of its own; its pods go on. */
async function neverObserved(scene: Scene): Promise<void> {
  await scene.join('a');
  const [role, finalizers, policy] = ['continuous' as const, ['example.org/held'], { deadline: '12s' }];
  await scene.puller({ role, finalizers, policy, images: [SLOW] });
  await scene.pulling(1);
  await scene.remove();
  expect(await scene.verdict()).toMatchObject({ status: 'False', reason: 'NeverObserved', generation: 2 });
  await release(scene);
}

async function release({ client, namespace }: Scene): Promise<void> {
  const ref = { resource: 'daemonsets', namespace, name: 'hook-image-puller' };
  await client.patch(ref, { metadata: { finalizers: null } }, { type: 'merge-patch+json' });
}

async function madeAgain(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [GOOD] });
  expect(await scene.verdict()).toMatchObject({ status: 'True' });
  await scene.remove(undefined, 'Foreground');
  await until('it is gone', () =>
    scene.get().then(
      () => false,
      () => true,
    ),
  );
  await scene.puller({ images: [MISSING] });
  expect((await scene.stated())?.status).not.toBe('True');
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'False', reason: 'ImageMissing' });
  expect(verdict.message).toContain(MISSING);
}

async function twoPullers(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [GOOD, OTHER] });
  await scene.puller({ name: 'second', images: [MISSING] });
  await scene.puller({ name: 'continuous', role: 'continuous', images: [GOOD, OTHER] });
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(await scene.verdict('continuous')).toMatchObject({ status: 'True' });
  expect(await scene.verdict('second', 60_000)).toMatchObject({ status: 'False', reason: 'ImageMissing' });
}

async function missingImage(scene: Scene): Promise<void> {
  const node = await scene.join('a');
  await scene.puller({ images: [GOOD, MISSING] });
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'False', reason: 'ImageMissing' });
  expect(verdict.message).toContain(MISSING);
  expect(verdict.message).toContain(node);
}

export const PULLER_PLAYS: readonly Play[] = [
  { name: 'a missing image fails the puller, by name', play: missingImage },
  { name: 'a puller made again under the same name is judged anew', play: madeAgain },
  { name: 'two pullers at once have a verdict each', play: twoPullers },
  { name: 'a missing PriorityClass that is made in time holds nothing up', play: priority.forAWhile },
  { name: 'a missing ServiceAccount that is made in time holds nothing up', play: account.forAWhile },
  { name: 'an admission webhook that is down is waited for', play: webhookDown },
  { name: 'a missing PriorityClass fails the puller in the admission’s words', play: neverMade.forGood },
  { name: 'a missing ServiceAccount fails the puller in the admission’s words', play: account.forGood },
  { name: 'a quota that refuses pods fails the puller in its words', play: quota },
  { name: 'a template changed mid-pull is judged by its own pods', play: changedMidPull },
  { name: 'the verdict of an old generation is never the new one’s', play: neverOfAnOldGeneration },
  { name: 'a hook deleted by hand fails, and does not hang', play: deletedByHand },
  { name: 'a generation that nobody looks at fails at its deadline', play: neverObserved },
];
