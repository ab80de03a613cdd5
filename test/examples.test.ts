/**
 * Every example through the real command, as Argo CD runs it, against its golden files; then, over all goldens, what
 * must hold of any output: which images pullers name, and that whatever a puller needs is there before it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { IMAGES_DIGEST_ANNOTATION } from '../src/api/names.ts';
import {
  EXAMPLES,
  copyRepository,
  exampleNames,
  fromRoot,
  goldens,
  readApplication,
  readGolden,
  readObjects,
  removeRepository,
  runExample,
} from './examples/argo-cd.ts';
import { EXPECTED_IMAGES, EXPECTED_ORDER } from './examples/expected.ts';
import {
  imagesOf,
  keyOf,
  leaningOnHooks,
  placeOf,
  podSpecOf,
  pullers,
  roleOf,
  tooEarly,
  tooMuch,
} from './examples/ours.ts';

const names = exampleNames();
const good = names.filter((name) => !name.startsWith('mistakes/'));
const mistakes = names.filter((name) => name.startsWith('mistakes/'));

let copy: string;
beforeAll(() => {
  copy = copyRepository();
});
afterAll(() => {
  removeRepository(copy);
});

function golden(name: string): string {
  return readGolden(name, 'expected.yaml') ?? '';
}

test(`there are ${String(good.length)} examples and ${String(mistakes.length)} mistakes`, () => {
  expect(good.length).toBeGreaterThanOrEqual(15);
  expect(mistakes.length).toBeGreaterThanOrEqual(8);
  expect(
    readdirSync(EXAMPLES)
      .filter((name) => !['chart', 'mistakes', 'explain', 'README.md'].includes(name))
      .sort(),
  ).toEqual(good);
});

test.each(names)('%s gives its golden files', (name) => {
  const outcome = goldens(runExample(name, copy));
  for (const [file, got] of Object.entries(outcome)) {
    const beside = join(EXAMPLES, name, file.replace('expected', 'got'));
    rmSync(beside, { force: true });
    const expected = readGolden(name, file);
    if (got === expected) continue;
    if (got !== undefined) writeFileSync(beside, got);
    throw new Error(
      `${name}: ${file} ${expected === undefined ? 'is not there' : 'differs'}; what came is in ${fromRoot(beside)}.\n` +
        `If it is right, \`npm run examples:update\` takes it over.\n${firstDifference(expected ?? '', got ?? '')}`,
    );
  }
});

function firstDifference(expected: string, got: string): string {
  const wanted = expected.split('\n');
  const line = got.split('\n').findIndex((text, index) => text !== wanted[index]);
  return `line ${String(line + 1)}\n  expected: ${wanted[line] ?? '(end)'}\n  got:      ${got.split('\n')[line] ?? '(end)'}`;
}

const helm3 = process.env.PREPULLER_HELM3;
const withHelm3 = helm3 === undefined && process.env.CI === undefined ? test.skip : test;

withHelm3.each(names)('%s gives the same with Helm 3 (PREPULLER_HELM3)', (name) => {
  const outcome = goldens(runExample(name, copy, dirname(helm3!)));
  for (const [file, got] of Object.entries(outcome)) expect(got).toBe(readGolden(name, file));
});

test('no render writes into the repository', () => {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter((path) => !/\/got[.-]/.test(path));
  const after = readdirSync(join(copy, 'repository'), { recursive: true, encoding: 'utf8' });
  expect(after.filter((path) => !/\/got[.-]/.test(path)).sort()).toEqual(files.sort());
  expect(readdirSync(copy)).toEqual(['repository']);
});

test.each(mistakes)('%s prints no manifest, and the cause on the first line', (name) => {
  const error = readGolden(name, 'expected-error.txt') ?? '';
  expect(golden(name)).toBe('');
  expect(error).toMatch(/^exit [12]\n/);
  expect(error.split('\n')[1]!.length).toBeGreaterThan(20);
  expect(error.split('\n')[1]!.length).toBeLessThanOrEqual(300);
});

test('no golden of a mistake is left beside a good example', () => {
  expect(good.filter((name) => readGolden(name, 'expected-error.txt') !== undefined)).toEqual([]);
});

test('rendered-in-git is what helm prints for hub', () => {
  const values = join(EXAMPLES, 'hub/values.yaml');
  const args = ['template', 'jupyterhub', join(EXAMPLES, 'chart'), '--namespace', 'jupyterhub', '--values', values];
  const { stdout } = spawnSync('helm', args, { encoding: 'utf8' });
  expect(readGolden('rendered-in-git', 'manifests/hub.yaml')?.replace(/^#.*\n/, '')).toBe(stdout);
});

test.each(['umbrella', 'two-hubs'])('%s has the same copy of the chart as examples/chart', (name) => {
  const read = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
    );
  expect(read(join(EXAMPLES, name, 'charts/jupyterhub'))).toEqual(read(join(EXAMPLES, 'chart')));
});

describe.each(good)('output of %s', (name) => {
  const objects = readObjects(golden(name));
  const namespace = readApplication(name).spec.destination.namespace;

  test('pullers name the images of users and the pause image, nothing else', () => {
    const images = Object.fromEntries(
      pullers(objects).map((puller) => [nameless(keyOf(puller)), [...new Set(imagesOf(podSpecOf(puller)!))].sort()]),
    );
    expect(images).toEqual(
      Object.fromEntries(
        Object.entries(EXPECTED_IMAGES[name] ?? {}).map(([puller, list]) => [puller, [...list].sort()]),
      ),
    );
  });

  test('our objects come when they should and go when they should', () => {
    const ours = objects.filter((object) => roleOf(object) !== undefined);
    const rows = ours.map((object) => {
      const { phase, wave, policy } = placeOf(object);
      return `${roleOf(object)!} ${nameless(keyOf(object))} ${phase} ${String(wave)} ${policy}`.trim();
    });
    expect(rows.sort()).toEqual([...(EXPECTED_ORDER[name] ?? [])].sort());
  });

  test('what a puller needs is there before it, or is for the user to bring', () => {
    expect(tooEarly(objects, ['Secret/registry-login'])).toEqual([]);
  });

  test('nothing that lives on leans on a hook that is deleted', () => {
    expect(leaningOnHooks(objects)).toEqual([]);
  });

  test('puller pods hold no node, no token and no rights', () => {
    expect(pullers(objects).flatMap(tooMuch)).toEqual([]);
  });

  test('the chart’s awaiter is gone, names are unique, nothing moved to another namespace', () => {
    expect(objects.filter((object) => keyOf(object).includes('image-awaiter'))).toEqual([]);
    expect(new Set(objects.map(keyOf)).size).toBe(objects.length);
    const elsewhere = objects.filter(({ metadata }) => (metadata.namespace ?? namespace) !== namespace);
    expect(elsewhere).toEqual([]);
  });

  test('a commit that changes only the hook shows: one ordinary object carries the digest', () => {
    const carriers = objects.filter(({ metadata }) => metadata.annotations?.[IMAGES_DIGEST_ANNOTATION] !== undefined);
    expect(carriers.filter((object) => placeOf(object).policy !== '')).toEqual([]);
    expect(carriers.length).toBe(1);
  });
});

/** Digests at the end of names say nothing here. */
function nameless(key: string): string {
  return key.replace(/-[0-9a-f]{8}$/, '-#');
}
