/** Images that are refused, not built for a node, blocked, out of reach or without room: the verdict names node and image. */
import { until } from '../../testbed/until.ts';
import { BUSY, FAR, FOREIGN, GOOD, OTHER, SECRET, SHELL_LESS } from '../images.ts';
import type { Scene } from '../scene.ts';
import type { Play } from '../stage.ts';

/** One node pulls, the one called `name` cannot: it is tolerated, in words that name it and why. */
async function oneOfTwo(scene: Scene, name: string, image: string): Promise<string> {
  await scene.join('good');
  const node = await scene.join(name);
  await scene.puller({ images: [image] });
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(node);
  return verdict.message;
}

async function otherPlatform(scene: Scene): Promise<void> {
  expect(await oneOfTwo(scene, 'arm', FOREIGN)).toMatch(/platform/);
}

async function outOfReach(scene: Scene): Promise<void> {
  expect(await oneOfTwo(scene, 'cut', FAR)).toMatch(/cannot reach the registry/);
}

async function diskFull(scene: Scene): Promise<void> {
  await scene.join('good');
  const node = await scene.join('full', { behaviour: { diskFull: true } });
  await scene.puller({ images: [GOOD] });
  const verdict = await scene.verdict();
  expect(verdict).toMatchObject({ status: 'True', reason: 'Pulled' });
  expect(verdict.message).toContain(node);
  expect(verdict.message).toMatch(/disk space/);
}

async function refused(scene: Scene): Promise<void> {
  const node = await scene.join('a');
  await scene.puller({ images: [GOOD, SECRET] });
  const verdict = await scene.verdict(undefined, 60_000);
  expect(verdict).toMatchObject({ status: 'False', reason: 'CredentialsRefused' });
  expect(verdict.message).toContain(SECRET);
  expect(verdict.message).toContain(node);
}

async function busy(scene: Scene): Promise<void> {
  await scene.join('a');
  await scene.puller({ images: [BUSY] });
  await until('its words are told', async () => (await scene.stated())?.message.includes('429'));
  // Longer than the window of an image that is missing.
  await scene.stays('it waits', async () => (await scene.stated())?.status === 'Unknown', 25_000);
}

async function blocked(scene: Scene): Promise<void> {
  const node = await scene.join('a');
  const command = ['/bin/sh', '-c', 'exit 0'];
  const images = [SHELL_LESS, OTHER];
  const initContainers = images.map((image, index) => ({ name: `pull-${index}`, image, command }));
  const containers = [{ name: 'pause', image: 'registry.test/pause:1' }];
  await scene.puller({ images, pod: { initContainers, containers }, policy: { deadline: '3m' } });
  const verdict = await scene.verdict(undefined, 90_000);
  expect(verdict).toMatchObject({ status: 'True' });
  expect(verdict.message).toContain(node);
  expect(verdict.message).toMatch(/before it cannot start/);
}

export const IMAGE_PLAYS: readonly Play[] = [
  { name: 'an image behind an init container that cannot start is not waited for', play: blocked },
  { name: 'a registry that has no time is waited for, in its words', play: busy },
  { name: 'an image that is refused fails the puller, by name', play: refused },
  { name: 'a node that cannot reach a registry is tolerated where others can', play: outOfReach },
  { name: 'a node for which an image is not built is tolerated', play: otherPlatform },
  { name: 'a node without room for an image is tolerated', play: diskFull },
];
