/** The last line of .ci/run: all suites summed, nothing failed or skipped going unnoticed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../../scripts/count-results.mjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-count-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Jest {
  passed?: number;
  failed?: number;
  broken?: number;
  todo?: number;
  skipped?: string[];
}

/** The part of Jest's report that is read. */
function jest({ passed = 0, failed = 0, broken = 0, todo = 0, skipped = [] }: Jest): string {
  return JSON.stringify({
    numFailedTestSuites: broken,
    numPassedTests: passed,
    numFailedTests: failed,
    numRuntimeErrorTestSuites: broken,
    numTodoTests: todo,
    testResults: [{ assertionResults: skipped.map((fullName) => ({ status: 'pending', fullName })) }],
  });
}

function go(...events: [action: string, test?: string][]): string {
  return events.map(([Action, Test]) => JSON.stringify({ Action, Test, Package: 'p' })).join('\n');
}

test.each<[what: string, files: Record<string, string>, line: string, exitCode: number]>([
  ['one suite', { 'a.json': jest({ passed: 3 }) }, '3 passed, 0 failed, 0 skipped', 0],
  [
    'several suites',
    { 'a.json': jest({ passed: 3 }), 'b.json': go(['pass', 'T'], ['pass']) },
    '4 passed, 0 failed, 0 skipped',
    0,
  ],
  [
    'a failed test',
    { 'a.json': jest({ passed: 3, failed: 2 }), 'a.failed': 'exit 1' },
    '3 passed, 2 failed, 0 skipped',
    1,
  ],
  ['a file that does not load', { 'a.json': jest({ passed: 3, broken: 1 }) }, '3 passed, 1 failed, 0 skipped', 1],
  ['a skipped test', { 'a.json': jest({ passed: 3, skipped: ['x'] }) }, '3 passed, 0 failed, 1 skipped', 1],
  ['a test not written', { 'a.json': jest({ passed: 3, todo: 1 }) }, '3 passed, 0 failed, 1 skipped', 1],
  ['a step without a report', { 'a.failed': 'exit 3' }, '0 passed, 1 failed, 0 skipped', 1],
  [
    'a step that failed for another reason',
    { 'a.json': jest({ passed: 3 }), 'a.failed': 'exit 1' },
    '3 passed, 1 failed, 0 skipped',
    1,
  ],
  ['an empty report', { 'a.json': '', 'a.failed': 'exit 1' }, '0 passed, 1 failed, 0 skipped', 1],
  ['a failed Go test', { 'a.json': go(['pass', 'T'], ['fail', 'U'], ['fail']) }, '1 passed, 1 failed, 0 skipped', 1],
  ['Go that does not compile', { 'a.json': go(['fail']) }, '0 passed, 1 failed, 0 skipped', 1],
  ['a skipped Go test', { 'a.json': go(['pass', 'T'], ['skip', 'U'], ['pass']) }, '1 passed, 0 failed, 1 skipped', 1],
])('%s', (_what, files, line, exitCode) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { stdout, status } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(line);
  expect(status).toBe(exitCode);
});

test('nothing reported at all is no success', () => {
  const { stdout, status } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 0 failed, 0 skipped');
  expect(status).toBe(1);
});
