/**
 * Many hubs through one sidecar, in an Argo CD as docs/install.md leaves it: at once, one after another, killed in the middle, with a
 * full /tmp. Two thousand renders are PREPULLER_RENDERS=2000.
 */
import { PREFIX } from '../../src/api/names.ts';
import type { ApiObject, Fields } from '../../simulator/store.ts';
import { ARGOCD } from '../testbed/argocd-install.ts';
import { until } from '../testbed/until.ts';
import { applicationOf } from './argocd-hub.ts';
import { megabytes, printLoad, share } from './argocd-figures.ts';
import { shell, startInstalled } from './argocd-installed.ts';
import { askForManifests } from './argocd-manifests.ts';
import type { Answer, Asked } from './argocd-manifests.ts';
import type { HubScene } from './argocd-scene.ts';
import { childrenOf, fillTmp, findSidecar, isRunning, mostWhile, rendersOf, resourcesOf } from './argocd-sidecar.ts';
import type { Resources } from './argocd-sidecar.ts';
import type { ArgoStage } from './argocd-stage.ts';
import { startArgoStage } from './argocd-stage.ts';
import { missingForPod } from './as-pod.ts';

const RENDERS = Number(process.env.PREPULLER_RENDERS ?? 100);
const BATCHES = 10;
/** Argo CD's: of the controller for an answer of the repo-server, and of cmp-server for a command. */
const CONTROLLER_WAITS = 60_000;
const COMMAND_MAY_TAKE = 90_000;
/** Of the sidecar, as it is installed. */
const MEMORY_LIMIT = 2 ** 30;
/** Of the repo-server, for renders at the same time. It does not count those that a plugin has the files of. */
const LIMIT = 5;
const APPLICATIONS = `/apis/argoproj.io/v1alpha1/namespaces/${ARGOCD}/applications`;
const HUBS = Array.from({ length: 50 }, (_, index) => `hub-${index}`);

const rootless = missingForPod();
if (rootless.length > 0 && process.env.CI !== undefined) throw new Error('the suite needs root');
const installed = rootless.length === 0 ? describe : describe.skip;

installed('one sidecar (needs root)', () => {
  let stage: ArgoStage;
  let scene: HubScene;
  let sidecar: number;

  beforeAll(async () => {
    process.env.ARGOCD_REPO_SERVER_PARALLELISM_LIMIT = String(LIMIT);
    stage = await startArgoStage('argocd-load', { reconciler: false, argo: startInstalled });
    scene = await stage.scene('load');
    await scene.commit('1', { scheduling: { podPriority: { enabled: true } } });
    sidecar = findSidecar();
    // It makes the project `default`.
    await stage.argo.startServer();
    await until('there is a project', () => shell(stage.plane, `kubectl -n ${ARGOCD} get appproject default -o name`));
  });
  afterAll(() => stage.stop());

  const asked = (app: string, parameters: Fields[] = []): Asked => {
    const { source } = applicationOf(app, scene.repository.url, {}).spec as { source: Fields };
    const plugin = source.plugin as { name: string; parameters: Fields[] };
    return {
      app,
      namespace: app,
      source: { ...source, plugin: { ...plugin, parameters: [...plugin.parameters, ...parameters] } },
    };
  };
  const ask = (app: string, parameters?: Fields[]): Promise<Answer> =>
    askForManifests(stage.argo, [asked(app, parameters)]).then(([answer]) => answer!);

  test('50 asked for at once: none fails, and the slowest is within the limits', async () => {
    const work = () =>
      askForManifests(
        stage.argo,
        HUBS.map((app) => asked(app)),
        { atOnce: HUBS.length },
      );
    const { outcome: answers, most } = await mostWhile(sidecar, work);
    printLoad(
      '50 asked for at once',
      answers.map(({ milliseconds }) => milliseconds),
      most,
    );
    expect(most.renders).toBeGreaterThan(LIMIT);
    for (const [index, answer] of answers.entries()) expectWhole(answer, HUBS[index]!);
    expect(
      share(
        answers.map(({ milliseconds }) => milliseconds),
        0.95,
      ),
    ).toBeLessThan(CONTROLLER_WAITS);
    expect(
      share(
        answers.map(({ milliseconds }) => milliseconds),
        1,
      ),
    ).toBeLessThan(COMMAND_MAY_TAKE);
  });

  test('50 applications refreshed at once: no error, p95 within the limits, in the memory it has', async () => {
    const transport = stage.plane.transportFor('admin');
    const send = async (method: string, path: string, contentType: string, body?: Fields): Promise<Fields> => {
      const { code, body: answer } = await transport.request({ method, path, contentType, ...(body && { body }) });
      if (code >= 300) throw new Error(`${method} ${path} answered ${code}: ${JSON.stringify(answer)}`);
      return answer as Fields;
    };
    const list = async (): Promise<ApiObject[]> =>
      (await send('GET', APPLICATIONS, 'application/json')).items as ApiObject[];
    for (const app of HUBS)
      await send('POST', APPLICATIONS, 'application/json', applicationOf(app, scene.repository.url, {}));
    await until('each is compared', async () => (await list()).every(({ status }) => status?.sync !== undefined), {
      within: 120_000,
    });
    const revision = await scene.commit('2');
    const refreshed = new Map<string, number>();
    const work = async (): Promise<void> => {
      const began = performance.now();
      const refresh = { metadata: { annotations: { [REFRESH]: 'hard' } } };
      await Promise.all(
        HUBS.map((app) => send('PATCH', `${APPLICATIONS}/${app}`, 'application/merge-patch+json', refresh)),
      );
      const look = async (): Promise<boolean> => {
        const done = (await list()).filter((app) => isCompared(app, revision) && !refreshed.has(app.metadata.name));
        for (const { metadata } of done) refreshed.set(metadata.name, performance.now() - began);
        return refreshed.size === HUBS.length;
      };
      await until('each is refreshed', look, { within: 180_000, every: 250 });
    };
    const { most } = await mostWhile(sidecar, work);
    printLoad('50 applications refreshed at once', [...refreshed.values()], most);
    const errors = (await list()).flatMap(({ status }) => (status?.conditions ?? []) as { type: string }[]);
    expect(errors.filter(({ type }) => type.endsWith('Error'))).toEqual([]);
    expect(share([...refreshed.values()], 0.95)).toBeLessThan(CONTROLLER_WAITS);
    expect(most.memory).toBeLessThan(MEMORY_LIMIT);
  }, 400_000);

  test(`${RENDERS} renders: processes, memory, open files and temporary files stay as they are`, async () => {
    const batch = Array.from({ length: RENDERS / BATCHES }, (_, index) => asked(HUBS[index % HUBS.length]!));
    const seen: Resources[] = [];
    for (let n = 0; n < BATCHES; n += 1) {
      const answers = await askForManifests(stage.argo, batch);
      expect(answers.filter(({ error }) => error !== '')).toEqual([]);
      seen.push(await atRest(sidecar));
    }
    const [first, ...later] = seen;
    console.log(`${RENDERS} renders: cmp-server holds ${seen.map(({ memory }) => megabytes(memory)).join(', ')} MB`);
    for (const one of later) expect(one).toMatchObject({ processes: 1, zombies: 0, files: first!.files });
    const most = (list: readonly Resources[], of: 'memory' | 'descriptors') => Math.max(...list.map((one) => one[of]));
    const [half, rest] = [seen.slice(0, BATCHES / 2), seen.slice(BATCHES / 2)];
    expect(most(rest, 'memory')).toBeLessThan(1.25 * most(half, 'memory'));
    expect(most(rest, 'descriptors')).toBeLessThanOrEqual(most(half, 'descriptors') + 4);
  }, 1_800_000);

  test('a full /tmp: the whole answer or an error that says so, and nothing is left of it', async () => {
    const values = JSON.stringify({
      unused: 'x'.repeat(100_000),
      singleuser: { image: { name: 'registry.test/lab', tag: '2' } },
    });
    const parameters = [{ name: 'values', string: values }];
    const whole = await ask('hub-0', parameters);
    expectWhole(whole, 'hub-0');
    const before = await atRest(sidecar);
    const said: string[] = [];
    for (let left = 0; left <= 384 * 1024; left += 24 * 1024) {
      const empty = fillTmp(sidecar, left);
      const answer = await ask('hub-0', parameters).finally(empty);
      said.push(answer.error);
      if (answer.error === '') expect(answer.objects).toEqual(whole.objects);
      else expect(answer).toMatchObject({ objects: [], error: expect.stringMatching(NO_SPACE) as string });
    }
    expect(
      said.filter((error) => error.includes('prepuller: no space is left in /tmp (ENOSPC)')).length,
    ).toBeGreaterThan(0);
    expect(said.at(-1)).toBe('');
    expect((await atRest(sidecar)).files).toEqual(before.files);
  }, 200_000);

  test('killed in the middle: an error each, nothing half-written, and all is well when it is back', async () => {
    const revision = await scene.commit('3');
    const twenty = HUBS.slice(0, 20);
    const waiting = askForManifests(
      stage.argo,
      twenty.map((app) => asked(app)),
      { atOnce: twenty.length, seconds: 20 },
    );
    await until('renders are under way', () => rendersOf(sidecar) >= 5, { every: 20 });
    const children = childrenOf(sidecar);
    await stage.argo.killSidecar();
    const answers = await waiting;
    const failed = answers.filter(({ error }) => error !== '');
    console.log(`killed in the middle: ${failed.length} of ${answers.length} failed: ${failed[0]?.error}`);
    expect(failed.length).toBeGreaterThanOrEqual(5);
    for (const { objects } of failed) expect(objects).toEqual([]);
    await until('no render outlives it', () => !children.some(isRunning), { within: 60_000 });
    await stage.argo.startSidecar();
    sidecar = findSidecar();
    const after = await askForManifests(
      stage.argo,
      twenty.map((app) => asked(app)),
      { cached: true },
    );
    for (const [index, answer] of after.entries()) {
      expectWhole(answer, twenty[index]!);
      expect(revisionOf(answer)).toBe(revision);
      if (answers[index]!.error === '') expect(answer.objects).toEqual(answers[index]!.objects);
    }
  }, 200_000);
});

const REFRESH = 'argocd.argoproj.io/refresh';
/** Ours, cmp-server's, and what Argo CD says where cmp-server could not even begin to write. */
const NO_SPACE = /no space is left in \/tmp|no space left on device|error sending stream: EOF/;

function isCompared({ metadata, status }: ApiObject, revision: string): boolean {
  return metadata.annotations?.[REFRESH] === undefined && (status?.sync as Fields | undefined)?.revision === revision;
}

function expectWhole({ error, objects }: Answer, app: string): void {
  expect(error).toBe('');
  const pullers = objects.filter(({ kind }) => kind === 'DaemonSet').map(({ metadata }) => metadata.name);
  expect(pullers.sort()).toEqual(['continuous-image-puller', 'hook-image-puller']);
  expect(objects.length).toBeGreaterThanOrEqual(14);
  for (const { metadata } of objects)
    expect(metadata.annotations?.['argocd.argoproj.io/tracking-id']).toMatch(new RegExp(`^${app}:`));
}

function revisionOf({ objects }: Answer): string | undefined {
  const hook = objects.find(({ metadata }) => metadata.name === 'hook-image-puller');
  return hook?.metadata.annotations?.[`${PREFIX}/revision`];
}

/** Once nothing renders any more. */
function atRest(sidecar: number): Promise<Resources> {
  return until('the sidecar is at rest', () => {
    const now = resourcesOf(sidecar);
    return now.processes === 1 && now;
  });
}
