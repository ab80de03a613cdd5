/** The gate is switched, the app moves from native Helm and back, only the hook changes: Argo CD sees what it must, `clean` does the rest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../../../simulator/store.ts';
import { IMAGES_DIGEST_ANNOTATION, ROLE_LABEL } from '../../../src/api/names.ts';
import { PROGRAM } from '../../testbed/reconciler.ts';
import { until } from '../../testbed/until.ts';
import { patchApp } from '../argocd-api.ts';
import { pulledFirst } from '../argocd-checks.ts';
import { hookIsGone, oursIn } from '../argocd-hygiene.ts';
import type { AppOptions } from '../argocd-hub.ts';
import { shell } from '../argocd-installed.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene } from '../argocd-scene.ts';
import { runProgram } from '../program.ts';
import { coreWrites, heldFirst, pulledByPuller, PULLER } from './argocd-wave.ts';

const PAGE = join(import.meta.dirname, '../../../docs/from-helm.md');
const HOOK = 'daemonsets/hook-image-puller';

async function synced(scene: HubScene): Promise<void> {
  expect(await scene.sync({ prune: true })).toMatchObject({ phase: 'Succeeded' });
  await scene.atRest();
}

/** As an administrator runs it, in one namespace. */
export async function clean(scene: HubScene, stage: ArgoStage): Promise<string> {
  const env = { PREPULLER_KUBECONFIG: stage.plane.kubeconfigOf('admin') };
  const { code, stdout, stderr } = await runProgram(PROGRAM, ['clean', '--namespace', scene.name, '--yes'], { env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

/** A failed sync keeps its hook for people to look at. */
async function leaveHook(scene: HubScene, options: AppOptions): Promise<void> {
  await scene.apply(options);
  await scene.commit('missing');
  expect(await scene.sync({}, 120_000)).toMatchObject({ phase: 'Failed' });
  expect(await oursIn(scene, ['hook'])).toContain(HOOK);
}

async function gates(scene: HubScene, stage: ArgoStage): Promise<void> {
  const nodes = [await scene.join('a')];
  await scene.commit('1');
  await scene.apply();
  await synced(scene);
  pulledFirst(scene, nodes);
  await hookIsGone(scene);
  await leaveHook(scene, {});
  let before = await scene.now();
  await scene.apply({ plugin: { gate: 'wave' } });
  await scene.commit('2');
  await synced(scene);
  heldFirst(scene, '2', before);
  before = await scene.now();
  await scene.apply({ plugin: { gate: 'none' } });
  await scene.commit('endless-3');
  await synced(scene);
  expect(coreWrites(scene, before).length).toBeGreaterThan(0);
  expect(pulledByPuller(scene, 'endless-3', before)).toBeUndefined();
  // Argo CD never prunes hooks: this one is there since the sync that failed.
  expect(await oursIn(scene, ['hook'])).toContain(HOOK);
  expect(await clean(scene, stage)).toContain('removed daemonsets');
  await hookIsGone(scene);
  expect(await oursIn(scene, ['continuous'])).toContain(`daemonsets/${PULLER}`);
  expect(await clean(scene, stage)).toBe('nothing to remove\n');
}

const OBJECTS = ['secrets', 'configmaps', 'serviceaccounts', 'services', 'roles', 'rolebindings', 'deployments'];

/** UIDs of the hub's own, and of the continuous puller; without what is made for hooks. */
async function uidsOfHub({ client, name }: HubScene): Promise<[string, string][]> {
  const labelSelector = `release=${name},!${ROLE_LABEL}`;
  const lists = OBJECTS.map(async (resource) => {
    const { items } = await client.list(resource, { namespace: name, labelSelector });
    return items.map(({ metadata }): [string, string] => [`${resource}/${metadata.name}`, metadata.uid]);
  });
  const { metadata } = await client.get({ resource: 'daemonsets', namespace: name, name: PULLER });
  const puller: [string, string] = [`daemonsets/${PULLER}`, metadata.uid];
  return [...(await Promise.all(lists)).flat(), puller].sort();
}

/** The chart's own hook stays off: its awaiter is for clusters without bad nodes. */
const HELM_ONLY = { prePuller: { hook: { enabled: false } } };

/** The page's own command. */
async function forgetLastSync({ name }: HubScene, { plane }: ArgoStage): Promise<void> {
  const [command = ''] = /^ *kubectl .*operationState.*$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
  expect(command).toContain(' application hub ');
  await shell(plane, command.replace(' application hub ', ` application ${name} `));
}

async function thereAndBack(scene: HubScene, stage: ArgoStage): Promise<void> {
  const nodes = [await scene.join('a')];
  await scene.commit('1', HELM_ONLY);
  await scene.apply({ plugin: 'none' });
  await synced(scene);
  const uids = await uidsOfHub(scene);
  expect(uids.length).toBeGreaterThan(8);
  const before = await scene.now();
  await forgetLastSync(scene, stage);
  await scene.apply();
  await scene.commit('2', HELM_ONLY);
  await synced(scene);
  pulledFirst(scene, nodes, before);
  expect(await uidsOfHub(scene)).toEqual(uids);
  expect(await oursIn(scene, ['prerequisite'])).toEqual([expect.stringMatching(/^priorityclasses\//)]);
  await scene.commit('missing', HELM_ONLY);
  expect(await scene.sync({}, 120_000)).toMatchObject({ phase: 'Failed' });
  await forgetLastSync(scene, stage);
  await scene.apply({ plugin: 'none' });
  await scene.commit('3', HELM_ONLY);
  await synced(scene);
  expect(await uidsOfHub(scene)).toEqual(uids);
  expect(await oursIn(scene)).toEqual(expect.arrayContaining([HOOK]));
  expect(await clean(scene, stage)).toContain('removed daemonsets');
  await until('all of ours is gone', async () => (await oursIn(scene)).length === 0);
  expect(await uidsOfHub(scene)).toEqual(uids);
}

const MORE = 'registry.test/desktop:1';

/** Hooks are not compared: the digest on an ordinary object is what tells. */
async function onlyTheHook(scene: HubScene, stage: ArgoStage): Promise<void> {
  const without = { prePuller: { continuous: { enabled: false } } };
  await scene.join('a');
  await scene.commit('1', without);
  await scene.apply();
  await synced(scene);
  const digest = async () => (await scene.find('deployments', 'hub'))?.metadata.annotations?.[IMAGES_DIGEST_ANNOTATION];
  const first = await digest();
  expect(first).toEqual(expect.any(String));
  const { plugin } = (await scene.app()).spec?.source as { plugin: { parameters: Fields[] } };
  const parameters = [...plugin.parameters, { name: 'images', array: [MORE] }];
  await patchApp(stage, scene.name, { spec: { source: { plugin: { parameters } } } });
  await until('the app is OutOfSync', async () => (await scene.app()).status?.sync?.status === 'OutOfSync');
  const resources = (await scene.app()).status?.resources as { kind: string; name: string; status?: string }[];
  const differing = resources.filter(({ status }) => status === 'OutOfSync').map(({ kind, name }) => `${kind}/${name}`);
  expect(differing).toEqual(['Deployment/hub']);
  await synced(scene);
  expect(await digest()).not.toBe(first);
  expect(JSON.stringify(scene.timeline.pullingEvents())).toContain(MORE);
}

export const SWITCHES: readonly HubPlay[] = [
  {
    name: 'the gate is switched from presync to wave to none; clean removes what the first left',
    app: 'switch',
    play: gates,
  },
  {
    name: 'from native Helm to the plugin and back: every object of the hub keeps its UID',
    app: 'moved',
    play: thereAndBack,
  },
  { name: 'a change of the hook alone makes the app OutOfSync', app: 'hook-only', play: onlyTheHook },
];
