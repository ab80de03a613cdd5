/**
 * Argo CD, a real node and real images behind a password: what a sync pulls lies in containerd before the hub's first write, once and
 * with the hub's own pull Secret; a missing tag stops it by name.
 */
import { join } from 'node:path';
import type { Fields } from '../../simulator/store.ts';
import { missingForMachine, startMachine } from '../testbed/machine.ts';
import { makeDoor, startRegistry } from '../testbed/registry.ts';
import type { Door, Registry } from '../testbed/registry.ts';
import { until } from '../testbed/until.ts';
import { hookSaid, pulledFirst } from './argocd-checks.ts';
import { USERS_ONLY } from './argocd-hub.ts';
import { startArgoStage } from './argocd-stage.ts';
import type { ArgoStage } from './argocd-stage.ts';
import type { HubScene } from './argocd-scene.ts';

const lacks = missingForMachine();
if (lacks.length > 0 && process.env.CI !== undefined) throw new Error(`a real node needs ${lacks.join(', ')}`);

const APP = 'real-images';
const NODE = 'real';
const IMAGES = ['lab:1', 'lab:2', 'tools:1'];
/** kubelet tries at about 0 and 10 s: the second error is past this window. */
const POLICY = { 'missing-image-window': '5s', 'scheduling-grace': '20s' };

/** Of the door to users' images. */
const ACCOUNT = { username: 'puller', password: 'not-a-real-password' };

let registry: Registry;
let door: Door;
let scene: HubScene;
let stage: ArgoStage;
/** What takes away what has been started, the last first. */
const endings: (() => Promise<void>)[] = [];

/** Users' images are private; what nodes and pullers need beside is not. */
const image = (name: string): string => `${door.host}/${name}`;
const open = (name: string): string => `${registry.host}/${name}`;

async function prepare(): Promise<void> {
  stage = await startArgoStage('argocd-real-node');
  endings.unshift(() => stage.stop());
  registry = await startRegistry(join(stage.plane.folder, 'registry'));
  endings.unshift(() => registry.stop());
  for (const name of IMAGES) await registry.push({ name, shell: true });
  await registry.push({ name: 'pause:1', shell: true, entrypoint: ['/bin/sleep', '1000000'] });
  door = await makeDoor(registry, { kind: 'private', user: ACCOUNT.username, password: ACCOUNT.password });
  await door.open();
  endings.unshift(() => door.close());
  const options = { name: NODE, pauseImage: open('pause:1'), labels: { scene: APP } };
  const machine = await startMachine(stage.plane, options);
  endings.unshift(() => machine.stop());
  // The hub itself, whose images are not in this registry, runs on scripted nodes.
  await stage.plane.clientFor('admin').patch({ resource: 'nodes', name: NODE }, { spec: { taints: [USERS_ONLY] } });
  scene = await stage.scene(APP);
}

/** Commits the hub with this tag; every image that its pullers or users want is in the local registry. */
function commit(tag: string): Promise<string> {
  return scene.commit(tag, {
    singleuser: {
      image: { name: image('lab'), tag },
      networkTools: { image: { name: image('tools'), tag: '1' } },
    },
    imagePullSecret: { create: true, registry: door.host, ...ACCOUNT },
    prePuller: { pause: { image: { name: open('pause'), tag: '1' } } },
  });
}

/** Of kubelet's events about pods of this hub. */
function events(reason: string, name: string): number {
  const isIt = ({ kind, reason: why, message, source }: Fields): boolean =>
    kind === 'Event' && why === reason && String(message).includes(`"${image(name)}"`) && isFrom(source as Fields);
  return scene.timeline.moments().filter(({ object }) => isIt(object)).length;
}

function isFrom({ component, host }: Fields): boolean {
  return component === 'kubelet' && host === NODE;
}

/** containerd has it, as the kubelet's list of images says. */
async function isOnNode(name: string): Promise<boolean> {
  const { status = {} } = await scene.client.get({ resource: 'nodes', name: NODE });
  const images = (status.images ?? []) as { names?: string[] }[];
  return images.some(({ names = [] }) => names.includes(image(name)));
}

/** Keeps the timeline of a test that fails. */
function kept(play: () => Promise<void>): () => Promise<void> {
  return () =>
    play().catch((error: unknown) => {
      stage.keep(scene);
      throw error;
    });
}

const PLAYS: { name: string; play: () => Promise<void> }[] = [
  {
    name: 'the first sync pulls with the pull Secret of the hub, and then the hub is written',
    async play() {
      expect(await isOnNode('lab:1')).toBe(false);
      const revision = await commit('1');
      await scene.apply({ plugin: POLICY });
      expect(await scene.sync()).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
      pulledFirst(scene, [NODE]);
      await until('the node has the image', () => isOnNode('lab:1'));
      expect(events('Pulled', 'lab:1')).toBeGreaterThan(0);
    },
  },
  {
    name: 'the same commit once more pulls nothing',
    async play() {
      const before = await scene.now();
      const operation = await scene.sync();
      expect(operation).toMatchObject({ phase: 'Succeeded' });
      expect(hookSaid(scene, operation)).toBe('1/1 node pulled');
      expect(scene.timeline.pullingEvents(before)).toEqual([]);
      expect(scene.timeline.hubWrites(before)).toEqual([]);
    },
  },
  {
    name: 'a tag that is missing fails the sync by its name, the hub untouched',
    async play() {
      const before = await scene.now();
      const revision = await commit('none');
      await scene.refresh();
      const operation = await scene.sync();
      expect(operation).toMatchObject({ phase: 'Failed', syncResult: { revision } });
      expect(hookSaid(scene, operation)).toContain(image('lab:none'));
      expect(scene.timeline.hubWrites(before)).toEqual([]);
      expect(await isOnNode('lab:none')).toBe(false);
    },
  },
  {
    name: 'a commit with a right tag then syncs',
    async play() {
      const before = await scene.now();
      const revision = await commit('2');
      await scene.refresh();
      expect(await scene.sync()).toMatchObject({ phase: 'Succeeded', syncResult: { revision } });
      pulledFirst(scene, [NODE], before);
      await until('the node has the image', () => isOnNode('lab:2'));
      expect(events('Pulled', 'lab:2')).toBeGreaterThan(0);
    },
  },
];

if (lacks.length === 0) {
  beforeAll(prepare);
  afterAll(async () => {
    for (const end of endings) await end();
  });
  for (const { name, play } of PLAYS) test(name, kept(play));
} else test.skip.each(PLAYS)(`$name (this machine lacks ${lacks.join(', ')})`, () => undefined);
