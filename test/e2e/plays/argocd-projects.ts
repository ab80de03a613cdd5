/** What surrounds an Application: another with the same release name, a project that forbids, several sources. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../../../simulator/store.ts';
import { ARGOCD } from '../../testbed/argocd-install.ts';
import { until } from '../../testbed/until.ts';
import { apiOf, demand, patchApp } from '../argocd-api.ts';
import { pulledFirst } from '../argocd-checks.ts';
import { hookIsGone, oursIn } from '../argocd-hygiene.ts';
import { LAB, SHORT, valuesOf } from '../argocd-hub.ts';
import type { ArgoStage, HubPlay } from '../argocd-stage.ts';
import type { HubScene, Operation } from '../argocd-scene.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

async function sameRelease(one: HubScene, stage: ArgoStage): Promise<void> {
  const other = await stage.scene('second');
  const scenes = [one, other];
  for (const scene of scenes) {
    await scene.join('a');
    await scene.commit('slow-1');
    await scene.apply({ plugin: { 'release-name': 'hub' } });
  }
  const operations = await Promise.all(scenes.map((scene) => scene.sync()));
  for (const [index, scene] of scenes.entries()) {
    expect(operations[index]).toMatchObject({ phase: 'Succeeded' });
    pulledFirst(scene, [`${scene.name}-a`]);
    await hookIsGone(scene);
    await scene.atRest();
  }
  const left = await oursIn(other);
  expect(left).toContainEqual(expect.stringMatching(/^priorityclasses\/second-/));
  await demand(await apiOf(stage), 'DELETE', one.name, '?cascade=true');
  await until('the first is gone', async () => (await oursIn(one)).length === 0, { within: 60_000 });
  expect(await oursIn(other)).toEqual(left);
  await other.atRest();
}

/** A project that permits what is in the namespace, and of the cluster's only what is said. */
async function makeProject(scene: HubScene, stage: ArgoStage, clusterResourceWhitelist: Fields[]): Promise<void> {
  const path = `/apis/argoproj.io/v1alpha1/namespaces/${ARGOCD}/appprojects`;
  const body = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: scene.name, namespace: ARGOCD },
    spec: { sourceRepos: ['*'], destinations: [{ namespace: scene.name, server: '*' }], clusterResourceWhitelist },
  };
  const asked = { method: 'POST', path, contentType: 'application/json', body };
  const { code } = await stage.plane.transportFor('admin').request(asked);
  expect(code).toBe(201);
  await scene.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: scene.name } });
}

const NO_NAMESPACE = { syncPolicy: { syncOptions: ['CreateNamespace=false'] } };

async function strictProject(scene: HubScene, stage: ArgoStage): Promise<void> {
  await makeProject(scene, stage, []);
  await scene.join('a');
  await scene.commit('1');
  await scene.apply({ ...NO_NAMESPACE, project: scene.name });
  const refused = await scene.sync();
  expect(refused.phase).toMatch(/Failed|Error/);
  expect(wordsOf(refused)).toMatch(/scheduling.k8s.io:PriorityClass is not permitted in project/);
  expect(scene.timeline.hubWrites()).toEqual([]);
  await scene.apply({ ...NO_NAMESPACE, project: scene.name, plugin: { 'emit-priority-class': 'false' } });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [`${scene.name}-a`]);
  expect((await oursIn(scene)).filter((name) => /^(priority|cluster)/.test(name))).toEqual([]);
}

async function openProject(scene: HubScene, stage: ArgoStage): Promise<void> {
  await makeProject(scene, stage, [{ group: 'scheduling.k8s.io', kind: 'PriorityClass' }]);
  await scene.join('a');
  await scene.commit('1', { scheduling: { podPriority: { enabled: true } } });
  await scene.apply({ ...NO_NAMESPACE, project: scene.name });
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [`${scene.name}-a`]);
}

function wordsOf({ message, syncResult }: Operation): string {
  return [message, ...(syncResult?.resources ?? []).map((one) => one.message as string)].join('\n');
}

/** `$values` of another source is refused in words that say the way round, which is taken then: a chart with the hub in it. */
async function severalSources(scene: HubScene, stage: ArgoStage): Promise<void> {
  await scene.join('a');
  await scene.commit('1');
  await scene.apply();
  const { source } = (await scene.app()).spec as { source: Fields };
  const named = { name: 'value-files', array: ['$values/hub/values.yaml'] };
  const plugin = { name: 'argocd-prepuller', parameters: [named] };
  const second = { repoURL: source.repoURL as string, targetRevision: 'main', ref: 'values' };
  await patchApp(stage, scene.name, { spec: { source: null, sources: [{ ...source, plugin }, second] } });
  await scene.refresh('hard');
  const error = await until('the error is shown', async () => {
    const conditions = ((await scene.app()).status?.conditions ?? []) as { type: string; message: string }[];
    return conditions.find(({ message }) => message.includes('$values/hub/values.yaml'))?.message;
  });
  expect(error).toContain('put a chart with the upstream chart as dependency and your values into one repository');
  await commitUmbrella(scene);
  const parameters = Object.entries(SHORT).map(([name, string]) => ({ name, string }));
  const around = { ...source, path: 'umbrella', plugin: { name: 'argocd-prepuller', parameters } };
  await patchApp(stage, scene.name, { spec: { sources: null, source: around } });
  await scene.refresh('hard');
  expect(await scene.sync()).toMatchObject({ phase: 'Succeeded' });
  pulledFirst(scene, [`${scene.name}-a`]);
  expect(JSON.stringify(scene.timeline.pullingEvents())).toContain(`${LAB}:2`);
}

/** A chart of one's own with the hub as a dependency beside it in git. */
async function commitUmbrella({ name, repository }: HubScene): Promise<void> {
  const folder = new URL(repository.url).pathname;
  cpSync(join(EXAMPLES, 'umbrella/charts'), join(folder, 'umbrella/charts'), { recursive: true });
  const values = { hub: JSON.parse(valuesOf(name, '2')) as Fields };
  const files = {
    'umbrella/Chart.yaml': readFileSync(join(EXAMPLES, 'umbrella/Chart.yaml'), 'utf8'),
    'umbrella/values.yaml': JSON.stringify(values),
  };
  await repository.commit(files, 'A chart around the hub');
}

export const PROJECTS: readonly HubPlay[] = [
  { name: 'two applications with one release name, in two namespaces', app: 'first', play: sameRelease },
  { name: 'a project without PriorityClasses: refused by name, then without them', app: 'tenant', play: strictProject },
  { name: 'a project with PriorityClasses', app: 'campus', play: openProject },
  {
    name: 'several sources: $values is refused, a chart around the hub goes through',
    app: 'sources',
    play: severalSources,
  },
];
