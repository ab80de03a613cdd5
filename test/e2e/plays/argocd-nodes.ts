/** Full, broken and dead nodes: the sync ends and names them, the next one is not stuck on what the last left; strict fails with the same names. */
import { until } from '../../testbed/until.ts';
import { hookSaid, lasted, pulledFirst } from '../argocd-checks.ts';
import type { HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';

/** Makes a node bad in its way; its name. */
type Trouble = (scene: HubScene) => Promise<string>;

const full: Trouble = (scene) => scene.joinFull('full');

const cordonedAndBroken: Trouble = async (scene) => {
  const node = await scene.join('broken', { behaviour: { cannotStart: 'the network plugin is not ready' } });
  await scene.nodes.cordon(node);
  return node;
};

const dead: Trouble = async (scene) => {
  const node = await scene.join('dead');
  scene.nodes.kill(node);
  await until('the node is called lost', async () => {
    const { spec } = await scene.client.get({ resource: 'nodes', name: node });
    return JSON.stringify(spec?.taints ?? []).includes('unreachable');
  });
  return node;
};

/** What is said of each. */
const WORDS = { full: /node is full/, broken: /cordoned/, dead: /not ready/ };

function tolerant(trouble: Trouble, words: RegExp) {
  return async (scene: HubScene): Promise<void> => {
    const good = await scene.join('good');
    const bad = await trouble(scene);
    await scene.commit('1');
    await scene.apply();
    const first = await scene.sync({}, 120_000);
    expect(first).toMatchObject({ phase: 'Succeeded' });
    pulledFirst(scene, [good]);
    expect(hookSaid(scene, first)).toMatch(words);
    expect(hookSaid(scene, first)).toContain(bad);
    const before = await scene.now();
    await scene.commit('2');
    const second = await scene.sync({}, 120_000);
    expect(second).toMatchObject({ phase: 'Succeeded' });
    pulledFirst(scene, [good], before);
    expect(hookSaid(scene, second)).toContain(bad);
    expect(deletionsWaitedFor(scene)).toEqual([]);
  };
}

/** Messages of Argo CD that it waits for an old hook to go, once the operation that made it was over. */
function deletionsWaitedFor({ timeline }: HubScene): string[] {
  return timeline
    .said()
    .filter(({ message }) => message.includes('waiting for deletion'))
    .map(({ message }) => message);
}

function strict(trouble: Trouble, words: RegExp) {
  return async (scene: HubScene): Promise<void> => {
    await scene.join('good');
    const bad = await trouble(scene);
    await scene.commit('1');
    await scene.apply({ plugin: { strict: 'true' } });
    const operation = await scene.sync({}, 120_000);
    expect(operation).toMatchObject({ phase: 'Failed' });
    expect(hookSaid(scene, operation)).toMatch(words);
    expect(hookSaid(scene, operation)).toContain(bad);
    expect(scene.timeline.hubWrites()).toEqual([]);
  };
}

async function cordonedAndWorking(scene: HubScene): Promise<void> {
  const good = await scene.join('good');
  const cordoned = await scene.join('cordoned');
  await scene.nodes.cordon(cordoned);
  await scene.commit('1');
  await scene.apply({ plugin: { strict: 'true' } });
  const operation = await scene.sync();
  expect(operation).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [good, cordoned]);
  expect(hookSaid(scene, operation)).toBe('2/2 nodes pulled');
}

/** The pod on it stays until somebody sees that the node is gone; the sync after must not wait for that. */
async function dyingMeanwhile(scene: HubScene): Promise<void> {
  const good = await scene.join('good');
  const dying = await scene.join('dying');
  await scene.commit('slow-1');
  await scene.apply();
  await scene.begin();
  await until('both nodes pull', () => {
    const pods = scene.timeline.pullingEvents().map(({ object }) => (object.involvedObject as { name: string }).name);
    return new Set(pods).size === 2;
  });
  scene.nodes.kill(dying);
  const first = await scene.ended(120_000);
  expect(first).toMatchObject({ phase: 'Succeeded' });
  expect(hookSaid(scene, first)).toMatch(/not ready/);
  expect(hookSaid(scene, first)).toContain(dying);
  const before = await scene.now();
  await scene.commit('2');
  const second = await scene.sync({}, 120_000);
  expect(second).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [good], before);
  expect(lasted(scene, second)).toBeLessThan(40_000);
}

export const NODES: readonly HubPlay[] = [
  { name: 'a dead node is tolerated and named, twice', app: 'dead', play: tolerant(dead, WORDS.dead) },
  { name: 'a node that dies while it pulls', app: 'dying', play: dyingMeanwhile },
  {
    name: 'a cordoned and broken node is tolerated and named, twice',
    app: 'broken',
    play: tolerant(cordonedAndBroken, WORDS.broken),
  },
  { name: 'a full node is tolerated and named, twice', app: 'full', play: tolerant(full, WORDS.full) },
  { name: 'strict: a dead node fails the sync', app: 'strict-dead', play: strict(dead, WORDS.dead) },
  {
    name: 'strict: a cordoned and broken node fails the sync',
    app: 'strict-broken',
    play: strict(cordonedAndBroken, WORDS.broken),
  },
  { name: 'strict: a full node fails the sync', app: 'strict-full', play: strict(full, WORDS.full) },
  { name: 'a cordoned node that works is pulled on and not named', app: 'cordoned', play: cordonedAndWorking },
];
