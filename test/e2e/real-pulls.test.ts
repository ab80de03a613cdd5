/** Real pulls on real nodes: a kubelet with containerd and runc, a real registry and its bad days. */
import { missingForMachine } from '../testbed/machine.ts';
import { KUBELET_CASES } from '../shared-suite/kubelet-cases.ts';
import { pause, until } from '../testbed/until.ts';
import { MEGABYTE } from './images.ts';
import { addMachine, door, image, NODE, on, openDoor, prepare, registry } from './real-node.ts';
import { record } from './record.ts';
import { playTogether } from './stage.ts';
import type { Play } from './stage.ts';
import type { PullerSpec, Scene } from './scene.ts';

const missing = missingForMachine();
if (missing.length > 0 && process.env.CI !== undefined) throw new Error(`a real node needs ${missing.join(', ')}`);

/**
 * kubelet tries at about 0, 10, 30 and 70 s: a window of 15 s ends with the third try. A real node that starts many pods at once
 * takes its time for each.
 */
const SHORT = { 'missing-image-window': '15s', 'scheduling-grace': '20s' };
const PATIENCE = 120_000;

function says(scene: Scene, words: RegExp): Promise<unknown> {
  const look = async (): Promise<boolean> => words.test((await scene.stated())?.message ?? '');
  return until(`the message says ${words.source}`, look, { within: 60_000 });
}

async function good(scene: Scene): Promise<void> {
  await scene.puller({ images: [image('lab:1')], policy: SHORT, ...on(NODE) });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toMatch(/^1\/1 node/);
}

async function missingTag(scene: Scene): Promise<void> {
  await scene.puller({ images: [image('lab:1'), image('lab:none')], policy: SHORT, ...on(NODE) });
  const verdict = await scene.verdict(undefined, PATIENCE);
  expect(verdict).toMatchObject({ status: 'False', reason: 'ImageMissing' });
  expect(verdict.message).toContain(image('lab:none'));
  expect(verdict.message).toContain(NODE);
}

async function laterTag(scene: Scene): Promise<void> {
  await scene.puller({ images: [image('lab:late')], policy: { ...SHORT, 'missing-image-window': '2m' }, ...on(NODE) });
  await says(scene, /not found/);
  await pause(30_000);
  expect((await scene.stated())?.status).toBe('Unknown');
  await registry.push({ name: 'lab:late', shell: true });
  expect(await scene.verdict(undefined, PATIENCE)).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function shellLessFirst(scene: Scene): Promise<void> {
  await scene.puller({ images: ['shell-less:1', 'tools:1', 'extra:1'].map(image), policy: SHORT, ...on(NODE) });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  const node = await scene.client.get({ resource: 'nodes', name: NODE });
  await until('the node names all three', async () => {
    const { status = {} } = await scene.client.get({ resource: 'nodes', name: node.metadata.name });
    const text = JSON.stringify(status.images);
    return ['shell-less:1', 'tools:1', 'extra:1'].every((name) => text.includes(image(name)));
  });
}

async function wrongPlatform(scene: Scene): Promise<void> {
  await scene.puller({ images: [image('foreign:1')], policy: SHORT, ...on(NODE) });
  expect(await scene.verdict(undefined, PATIENCE)).toMatchObject({ status: 'False', reason: 'NoBuild' });
}

const ACCOUNT = { user: 'hub', password: 'correct horse' };

async function withSecret(scene: Scene, host: string, password: string): Promise<PullerSpec> {
  const auths = { [host]: { auth: btoa(`${ACCOUNT.user}:${password}`) } };
  await scene.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'pull', namespace: scene.namespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': btoa(JSON.stringify({ auths })) },
  });
  const { pod } = on(NODE);
  return { images: [`${host}/private/lab:1`], policy: SHORT, pod: { ...pod, imagePullSecrets: [{ name: 'pull' }] } };
}

async function rightSecret(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'private', ...ACCOUNT });
  await scene.puller(await withSecret(scene, host, ACCOUNT.password));
  expect(await scene.verdict()).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function noSecret(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'private', ...ACCOUNT });
  await scene.puller({ images: [`${host}/private/lab:1`], policy: SHORT, ...on(NODE) });
  const verdict = await scene.verdict(undefined, PATIENCE);
  expect(verdict).toMatchObject({ status: 'False', reason: 'CredentialsRefused' });
}

async function wrongSecret(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'private', ...ACCOUNT });
  await scene.puller(await withSecret(scene, host, 'guessed'));
  const verdict = await scene.verdict(undefined, PATIENCE);
  expect(verdict).toMatchObject({ status: 'False', reason: 'CredentialsRefused' });
  expect(verdict.message).not.toContain('guessed');
  await record(scene, 'wrong-password', NODE);
}

async function downThenUp(scene: Scene): Promise<void> {
  const closed = await door({ kind: 'open' });
  await scene.puller({ images: [`${closed.host}/lab:1`], policy: SHORT, ...on(NODE) });
  await says(scene, /connection refused/);
  await closed.open();
  expect(await scene.verdict(undefined, PATIENCE)).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function rateLimited(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'limited' });
  await scene.puller({ images: [`${host}/lab:1`], policy: { ...SHORT, deadline: '45s' }, ...on(NODE) });
  await says(scene, /429/);
  // Longer than the window of an image that is missing.
  await scene.stays('it waits', async () => (await scene.stated())?.status === 'Unknown', 30_000);
  expect(await scene.verdict(undefined, PATIENCE)).toMatchObject({ status: 'False', reason: 'DeadlineExceeded' });
}

async function neverAnswers(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'silent' });
  await scene.puller({ images: [`${host}/lab:1`], policy: { ...SHORT, deadline: '25s' }, ...on(NODE) });
  expect(await scene.verdict(undefined, PATIENCE)).toMatchObject({ status: 'False', reason: 'DeadlineExceeded' });
  await record(scene, 'registry-never-answers', NODE);
}

async function neverAnswersTolerated(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'silent' });
  const policy = { ...SHORT, deadline: '20s', 'on-deadline': 'tolerate' };
  await scene.puller({ images: [`${host}/lab:1`], policy, ...on(NODE) });
  const verdict = await scene.verdict(undefined, PATIENCE);
  expect(verdict.status).toBe('True');
  expect(verdict.message).toContain(NODE);
}

async function slow(scene: Scene): Promise<void> {
  const host = await openDoor({ kind: 'slow', rate: 5 * MEGABYTE });
  await scene.puller({ images: [image('lab:1'), `${host}/large:1`], policy: SHORT, ...on(NODE) });
  await until('it is judged', async () => (await scene.stated()) !== undefined);
  // Longer than a node may take to start a pod: all that shows of a first pull is the event `Pulling`.
  await scene.stays('it waits', async () => (await scene.stated())?.status === 'Unknown', 30_000);
  await record(scene, 'second-image-under-way', NODE);
  expect(await scene.verdict(undefined, PATIENCE)).toMatchObject({ status: 'True', reason: 'Pulled' });
}

async function atItsCap(scene: Scene): Promise<void> {
  const full = await addMachine({ name: 'capped', pods: 1 });
  await scene.fill(full, { containers: [{ name: 'filler', image: image('pause:1') }] });
  await scene.puller({ images: [image('lab:1')], policy: SHORT, ...on(NODE, full) });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(full);
}

async function noPauseImage(scene: Scene): Promise<void> {
  const node = await addMachine({ name: 'pauseless', pauseImage: image('pause:none') });
  // Events are read every half minute while a puller is under way.
  await scene.puller({ images: [image('lab:1')], policy: { ...SHORT, 'scheduling-grace': '40s' }, ...on(NODE, node) });
  const verdict = await scene.verdict(undefined, PATIENCE);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(node);
  expect(verdict.message).toMatch(/pause:none/);
  await record(scene, 'pause-image-missing', node);
}

async function diskFull(scene: Scene): Promise<void> {
  const node = await addMachine({ name: 'tight', disk: '100m' });
  await scene.puller({ images: [image('lab:1'), image('medium:1')], policy: SHORT, ...on(NODE, node) });
  const verdict = await scene.verdict(undefined, PATIENCE);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(node);
  expect(verdict.message).toMatch(/disk space/);
  await record(scene, 'disk-full', node);
}

/** What scripted nodes show of pulls too; each case has a large image of its own. */
const SHARED: Play[] = KUBELET_CASES.map(({ name, run }, index) => ({
  name: `as on scripted nodes: ${name}`,
  play: async ({ client, namespace }) => {
    const host = await openDoor({ kind: 'slow', rate: 3 * MEGABYTE });
    const images = { quick: image('lab:1'), slow: `${host}/shared-${index}:1`, missing: image('lab:none') };
    await run({ client, namespace, node: NODE, images, wait: pause });
  },
}));

const PLAYS: Play[] = [
  { name: 'a tag that appears 30 s later is pulled', play: laterTag },
  { name: 'a registry that limits the rate is waited for until the deadline', play: rateLimited },
  { name: 'a registry that is down and comes up is waited for', play: downThenUp },
  { name: 'a missing tag fails, by name', play: missingTag },
  { name: 'an image for another platform fails', play: wrongPlatform },
  { name: 'an image behind a password fails without a Secret', play: noSecret },
  { name: 'an image behind a password fails with the wrong Secret', play: wrongSecret },
  { name: 'an image behind a password is pulled with the right Secret', play: rightSecret },
  { name: 'a registry that never answers fails at the deadline', play: neverAnswers },
  { name: 'a registry that never answers is tolerated where that is wanted', play: neverAnswersTolerated },
  { name: 'a node without its pause image is tolerated, the cause named', play: noPauseImage },
  { name: 'a node whose disk is full is tolerated', play: diskFull },
  { name: '200 MB at limited speed are waited for', play: slow },
  { name: 'a node at its pod cap is tolerated', play: atItsCap },
  { name: 'three images, the first without a shell: all are pulled', play: shellLessFirst },
  { name: 'a good image is pulled', play: good },
  ...SHARED,
];

if (missing.length === 0) playTogether('real-pulls', PLAYS, prepare);
else test.skip.each(PLAYS)(`$name (this machine lacks ${missing.join(', ')})`, () => undefined);
