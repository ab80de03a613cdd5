/**
 * One Argo CD renders each source twice, by itself and through the plugin's sidecar: every row of docs/helm-parity.md, every example.
 * The objects are the same but for the pullers and what is done on purpose, which stands here with its reason.
 */
import { dirname, join } from 'node:path';
import type { ReadObject } from '../examples/argo-cd.ts';
import { exampleNames, readGolden } from '../examples/argo-cd.ts';
import { keyOf, placeOf, roleOf } from '../examples/ours.ts';
import { KUSTOMIZE } from '../hydrate/app-folder.ts';
import { HELM_ROWS } from '../hydrate/parity-helm.ts';
import { KUSTOMIZE_ROWS } from '../hydrate/parity-kustomize.ts';
import type { ArgoCd } from '../testbed/argocd.ts';
import { startArgoCd } from '../testbed/argocd.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { askForManifests } from './argocd-manifests.ts';
import type { Answer, Asked } from './argocd-manifests.ts';
import {
  commitExamples,
  exampleCase,
  helmCase,
  kustomizeCase,
  patchesBesidePlugin,
  repositoriesIn,
  serveCharts,
} from './argocd-parity-cases.ts';
import type { Twice } from './argocd-parity-cases.ts';
import { CHANGE_NOTHING, MISTAKES, ON_PURPOSE, REFUSED } from './argocd-parity-purposes.ts';
import type { Purpose } from './argocd-parity-purposes.ts';

const names = exampleNames();
const examples = names.filter((name) => !name.startsWith('mistakes/'));
let plane: ControlPlane;
let argo: ArgoCd;
let closeCharts: () => void;
const answers = new Map<string, { native: Answer; ours: Answer }>();
let patchesRefused: Answer;
let alone: Answer[];

/** Rows that Argo CD refuses by itself, asked of it as they stand. */
const REFUSED_ROWS = HELM_ROWS.filter(({ settings: { helm } }) =>
  REFUSED.some(([, concerns]) => helm?.ignoreMissingValueFiles !== true && concerns(helm?.valueFiles ?? [])),
);

async function allCases(): Promise<Map<string, Twice>> {
  const make = repositoriesIn(join(plane.folder, 'repositories'));
  const served = await serveCharts(join(plane.folder, 'charts'));
  closeCharts = served.close;
  const sources = { git: await commitExamples(join(plane.folder, 'examples')), charts: served.charts };
  const cases = new Map<string, Twice>();
  for (const row of HELM_ROWS) cases.set(`helm ${row.option}`, await helmCase(row, make));
  if (KUSTOMIZE !== undefined)
    for (const row of KUSTOMIZE_ROWS) cases.set(`kustomize ${row.option}`, await kustomizeCase(row, make));
  for (const name of names) cases.set(name, exampleCase(name, sources));
  return cases;
}

beforeAll(async () => {
  if (KUSTOMIZE !== undefined) process.env.PATH = `${dirname(KUSTOMIZE)}:${process.env.PATH ?? ''}`;
  // Kustomize's Helm would take the namespace of the testbed's kubeconfig, which the repo-server of a cluster does not have.
  process.env.HELM_NAMESPACE = 'default';
  plane = await startControlPlane('argocd-parity');
  argo = await startArgoCd(plane);
  const cases = await allCases();
  const asked = [...cases.values()].flatMap(({ native, ours }) => [native, ours]);
  const all = await askForManifests(argo, asked);
  for (const [index, name] of [...cases.keys()].entries())
    answers.set(name, { native: all[2 * index]!, ours: all[2 * index + 1]! });
  const make = repositoriesIn(join(plane.folder, 'more'));
  [patchesRefused] = (await askForManifests(argo, [await patchesBesidePlugin(make)])) as [Answer];
  alone = await askForManifests(
    argo,
    REFUSED_ROWS.map((row) => asItStands(cases, row)),
  );
});

afterAll(async () => {
  closeCharts();
  await argo.stop();
  await plane.stop();
});

function asItStands(cases: ReadonlyMap<string, Twice>, { option, settings: { helm } }: (typeof HELM_ROWS)[0]): Asked {
  const { native } = cases.get(`helm ${option}`)!;
  return { ...native, source: { ...native.source, helm: { valueFiles: helm?.valueFiles } } };
}

/** Both answers, none of them an error. */
function rendered(name: string): { native: ReadObject[]; ours: ReadObject[] } {
  const { native, ours } = answers.get(name)!;
  expect({ native: native.error, ours: ours.error }).toEqual({ native: '', ours: '' });
  expect([native.sourceType, ours.sourceType]).toEqual([expect.not.stringMatching('Plugin'), 'Plugin']);
  return { native: inOrder(native.objects), ours: inOrder(ours.objects) };
}

function inOrder(objects: readonly ReadObject[]): ReadObject[] {
  const key = (object: ReadObject): string => `${keyOf(object)} ${JSON.stringify(object)}`;
  return [...objects].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Whatever the app is called. */
function withoutTracking(objects: readonly ReadObject[]): string {
  return JSON.stringify(objects).replaceAll(/"argocd.argoproj.io\/tracking-id":"[^"]*"/g, '');
}

describe('the same as Argo CD itself: Helm', () => {
  test.each(HELM_ROWS.map(({ option }) => option))('%s', (option) => {
    const { native, ours } = rendered(`helm ${option}`);
    expect(native.length).toBeGreaterThanOrEqual(2);
    expect(ours).toEqual(native);
    const isNothing = withoutTracking(native) === withoutTracking(rendered('helm nothing set').native);
    expect(isNothing).toBe(CHANGE_NOTHING.includes(option));
  });

  test.each(REFUSED)('Argo CD 3.2 by itself refuses %s', (_what, concerns, words) => {
    const rows = REFUSED_ROWS.map(({ settings }, index) => ({ files: settings.helm!.valueFiles!, index }));
    const concerned = rows.filter(({ files }) => concerns(files));
    expect(concerned.length).toBeGreaterThanOrEqual(1);
    for (const { index } of concerned) expect(alone[index]!.error).toContain(words);
  });
});

const withKustomize = KUSTOMIZE === undefined ? describe.skip : describe;

withKustomize('the same as Argo CD itself: kustomize (needs PREPULLER_KUSTOMIZE)', () => {
  test.each(KUSTOMIZE_ROWS.map(({ option }) => option))('%s', (option) => {
    const { native, ours } = rendered(`kustomize ${option}`);
    expect(native.length).toBeGreaterThanOrEqual(1);
    expect(ours).toEqual(native);
  });

  test('patches in .argocd-source.yaml: Argo CD refuses them beside any plugin', () => {
    expect(patchesRefused.error).toContain('multiple application sources defined: Kustomize,Plugin');
  });
});

/** What the chart has to pull before a sync, and its continuous puller. */
function isChartsPulling(object: ReadObject): boolean {
  const component = object.metadata.labels?.component ?? '';
  if (!component.endsWith('image-puller')) return false;
  return object.kind === 'DaemonSet' || 'helm.sh/hook' in (object.metadata.annotations ?? {});
}

/** The purposes that were met, by their place in the list. */
const met = new Map<Purpose, Set<string>>();

function stripped(object: ReadObject, other: ReadObject | undefined, of: Purpose['of'], example: string): ReadObject {
  const there = object.metadata.annotations ?? {};
  const purposes = ON_PURPOSE.filter((purpose) => purpose.of === of && purpose.examples.includes(example));
  const taken = purposes.filter(({ annotations }) =>
    annotations.every((name) => name in there && !(name in (other?.metadata.annotations ?? {}))),
  );
  for (const purpose of taken) met.set(purpose, (met.get(purpose) ?? new Set()).add(example));
  const gone = taken.flatMap(({ annotations }) => annotations);
  const kept = Object.fromEntries(Object.entries(there).filter(([name]) => !gone.includes(name)));
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

/** Objects that nobody pulls with, without the annotations that differ on purpose. */
function others(example: string): { native: ReadObject[]; ours: ReadObject[] } {
  const both = rendered(example);
  const native = both.native.filter((object) => !isChartsPulling(object));
  const ours = both.ours.filter((object) => roleOf(object) === undefined);
  const find = (list: ReadObject[], object: ReadObject) => list.find((one) => keyOf(one) === keyOf(object));
  return {
    native: native.map((object) => stripped(object, find(ours, object), 'native', example)),
    ours: ours.map((object) => stripped(object, find(native, object), 'ours', example)),
  };
}

describe('the same as Argo CD itself, but for the pullers: examples', () => {
  test.each(examples)('%s', (example) => {
    const { native, ours } = others(example);
    expect(native.length).toBeGreaterThanOrEqual(3);
    expect(ours).toEqual(native);
    const made = rendered(example).ours.filter((object) => roleOf(object) !== undefined);
    expect(made.map(({ kind }) => kind)).toContain('DaemonSet');
  });

  test('nothing of the chart that pulls stays beside ours', () => {
    const left = examples.flatMap((example) =>
      rendered(example).ours.filter((object) => isChartsPulling(object) && roleOf(object) === undefined),
    );
    expect(left.map(keyOf)).toEqual([]);
    expect(examples.flatMap((example) => rendered(example).native.filter(isChartsPulling)).length).toBeGreaterThan(50);
  });

  test.each(ON_PURPOSE)('on purpose: $why', (purpose) => {
    expect([...(met.get(purpose) ?? [])].sort()).toEqual(purpose.examples);
  });

  test('hooks of ours are hooks to Argo CD, tracked as the rest is', () => {
    const hooks = examples.flatMap((example) =>
      rendered(example).ours.filter((object) => placeOf(object).policy !== ''),
    );
    expect(hooks.length).toBeGreaterThan(20);
    for (const { metadata } of hooks) expect(metadata.annotations).toHaveProperty(['argocd.argoproj.io/tracking-id']);
  });
});

describe('mistakes the plugin refuses', () => {
  test('each has its word', () => {
    expect(names.filter((name) => name.startsWith('mistakes/'))).toEqual(
      Object.keys(MISTAKES).map((name) => `mistakes/${name}`),
    );
  });

  test.each(Object.entries(MISTAKES))('%s (%j)', (name, [, alone]) => {
    const { native, ours } = answers.get(`mistakes/${name}`)!;
    const [, said = ''] = readGolden(`mistakes/${name}`, 'expected-error.txt')!.split('\n');
    expect(ours.error).toContain(said);
    expect(native.error === '' ? native.objects.length : 'refused').toBe(alone);
  });
});

test('counts', () => {
  const objects = [...answers.values()].reduce(
    (sum, { native, ours }) => sum + native.objects.length + ours.objects.length,
    0,
  );
  console.log(`parity: ${answers.size} sources rendered twice, ${objects} objects`);
  expect(answers.size).toBeGreaterThanOrEqual(KUSTOMIZE === undefined ? 50 : 69);
});
