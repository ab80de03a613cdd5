/**
 * The Lua that Argo CD runs, on its own test files and without Go. The judge is test/lua, on the Lua that Argo CD has;
 * here a second Lua must give the same answers.
 */
import { readdirSync } from 'node:fs';
import { INSTALL_FOLDER, readInstallYaml, runLua } from './sandbox.ts';

interface HealthTests {
  tests: { inputPath: string; healthStatus: { status: string; message: string } }[];
}

interface Action {
  name: string;
  displayName: string;
  iconClass: string;
  disabled: boolean;
}

interface ActionTests {
  discoveryTests: { inputPath: string; result: Partial<Action>[] }[];
  actionTests: { action: string; inputPath: string; expectedOutputPath?: string; expectedErrorMessage?: string }[];
}

const RETRY_AT = 'argocd-prepuller.github.io/retry-at';
const TIME_OF_THE_RUN = '0001-01-01T00:00:00Z';

const { tests } = readInstallYaml('health_test.yaml') as HealthTests;
const { discoveryTests, actionTests } = readInstallYaml('actions/action_test.yaml') as ActionTests;

function caseName(path: string): string {
  return path.replace(/^testdata\//, '').replace(/\.yaml$/, '');
}

afterAll(() => {
  console.log(`Lua: ${tests.length} health, ${discoveryTests.length} discovery, ${actionTests.length} action fixtures`);
});

test('no fixtures got lost', () => {
  expect(tests.length).toBeGreaterThanOrEqual(70);
  expect(discoveryTests.length).toBeGreaterThanOrEqual(20);
  expect(actionTests.length).toBeGreaterThanOrEqual(15);
});

describe('health', () => {
  test.each(tests.map((row) => ({ ...row, name: caseName(row.inputPath) })))('$name', ({ inputPath, healthStatus }) => {
    expect(runLua('health.lua', readInstallYaml(inputPath))).toEqual(healthStatus);
  });
});

describe('discovery', () => {
  test.each(discoveryTests.map((row) => ({ ...row, name: caseName(row.inputPath) })))(
    '$name',
    ({ inputPath, result }) => {
      const found = runLua('actions/discovery.lua', readInstallYaml(`actions/${inputPath}`)) as Record<string, Action>;
      const wanted = result.map(({ name, ...rest }) => [name, { disabled: false, ...rest }] as const);
      expect(Object.fromEntries(Object.entries(found))).toEqual(Object.fromEntries(wanted));
    },
  );
});

describe('actions', () => {
  const rows = actionTests.map((row) => ({ ...row, name: `${row.action}/${caseName(row.inputPath)}` }));
  const run = (row: (typeof rows)[number]): unknown =>
    runLua(`actions/${row.action}.lua`, readInstallYaml(`actions/${row.inputPath}`));

  test.each(rows.filter((row) => row.expectedOutputPath !== undefined))('$name', (row) => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const got = restoreEmptyMaps(run(row), readInstallYaml(`actions/${row.inputPath}`)) as {
      metadata: { annotations: Record<string, string> };
    };
    if (row.action === 'retry') expectTimeOfTheRun(got.metadata.annotations, before);
    expect(got).toEqual(readInstallYaml(`actions/${row.expectedOutputPath!}`));
  });

  test.each(rows.filter((row) => row.expectedErrorMessage !== undefined))('$name', (row) => {
    expect(() => run(row)).toThrow(new Error(row.expectedErrorMessage));
  });
});

test('every fixture is in a test', () => {
  const used = (paths: (string | undefined)[]): Set<string> =>
    new Set(paths.filter((path) => path !== undefined).map((path) => path.replace(/^testdata\//, '')));
  expect(new Set(readdirSync(`${INSTALL_FOLDER}testdata`))).toEqual(used(tests.map((row) => row.inputPath)));
  expect(new Set(readdirSync(`${INSTALL_FOLDER}actions/testdata`))).toEqual(
    used([
      ...discoveryTests.map((row) => row.inputPath),
      ...actionTests.flatMap((row) => [row.inputPath, row.expectedOutputPath]),
    ]),
  );
});

/** The fixture's stand-in takes the place of a time that is RFC 3339, UTC and of this run. */
function expectTimeOfTheRun(annotations: Record<string, string>, before: number): void {
  const text = annotations[RETRY_AT]!;
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Date.parse(text)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(text)).toBeLessThanOrEqual(Date.now());
  annotations[RETRY_AT] = TIME_OF_THE_RUN;
}

/** As Argo CD does: Lua cannot tell an empty map from an empty list, the object before can. */
function restoreEmptyMaps(value: unknown, source: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 && source !== null && typeof source === 'object') return source;
    return value.map((item, index) => restoreEmptyMaps(item, (source as unknown[])[index]));
  }
  if (value === null || typeof value !== 'object') return value;
  const old = (source ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restoreEmptyMaps(item, old[key])]));
}
