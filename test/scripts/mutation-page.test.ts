/** docs/mutation.md: every fault that no test noticed stands under its reason, or the page is not written. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../../scripts/mutation-page.mjs');
const SOURCE = 'export function older(a, b) {\n  return a > b ? a : b;\n}\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepuller-mutation-'));
  for (const name of ['reports', 'docs', 'test/verdict']) mkdirSync(join(folder, name), { recursive: true });
  const commit = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', 'commit', '-q', '--allow-empty', '-m', 'x'];
  for (const args of [['init', '-q'], commit]) expect(spawnSync('git', args, { cwd: folder }).status).toBe(0);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A fault in the second line of the source, from column to column. */
const fault = (status: string, columns: [number, number], replacement: string, mutatorName = 'EqualityOperator') => ({
  status,
  mutatorName,
  replacement,
  location: { start: { line: 2, column: columns[0] }, end: { line: 2, column: columns[1] } },
});
const KILLED = fault('Killed', [10, 15], 'a < b');
const SURVIVED = fault('Survived', [10, 15], 'a >= b');
const UNREACHED = fault('NoCoverage', [22, 23], '"||"', 'StringLiteral');

function run(
  mutants: unknown[],
  places: object[],
  config = {},
): { status: number | null; stderr: string; page: string } {
  const report = { config, files: { 'src/verdict/age.ts': { source: SOURCE, mutants } } };
  writeFileSync(join(folder, 'reports/mutation.json'), JSON.stringify(report));
  const reasons = [{ title: 'The same age', why: 'Either one is right.', places }];
  writeFileSync(join(folder, 'test/verdict/mutation-reasons.yaml'), JSON.stringify(reasons));
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  const page = join(folder, 'docs/mutation.md');
  return { status, stderr, page: existsSync(page) ? readFileSync(page, 'utf8') : '' };
}

test.each<[what: string, place: object]>([
  ['file and declaration', { file: 'age.ts', in: 'older' }],
  ['kind and replacement', { mutator: 'EqualityOperator', becomes: '>=' }],
  ['code', { code: 'a > b' }],
  ['line', { line: 'return a > b' }],
])('a survivor that its place names by %s stands under its reason', (_what, place) => {
  const { status, stderr, page } = run([KILLED, fault('Timeout', [10, 15], 'true'), SURVIVED], [place]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(page).toContain('**66.67 %** of 3 faults noticed');
  expect(page).toMatch(
    /1 by a failing test, 1 by .* 1 survived, 0 were reached by no test\. Commit [0-9a-f]{7,}-?\w*, \d{4}-/,
  );
  expect(page).toContain('| age.ts | 3 | 2 | 1 | 66.67 % |');
  expect(page).toContain('### The same age (1)\n\nEither one is right.\n');
  expect(page).toContain('| age.ts | older | EqualityOperator | ` a > b ` | ` a >= b ` |');
  expect(page).not.toContain('incremental');
});

test('a fault that no test reaches is a survivor too; a bar in code stays in its cell', () => {
  const { page } = run([KILLED, UNREACHED], [{ file: 'age.ts' }], { incremental: true });
  expect(page).toContain('| age.ts | older | StringLiteral, not reached | ` b ` | ` "\\|\\|" ` |');
  expect(page).toContain('an incremental one');
});

test.each<[what: string, place: object]>([
  ['another file', { file: 'ag.ts' }],
  ['another declaration', { in: 'old' }],
  ['another kind', { mutator: 'Equality' }],
  ['other code', { file: 'age.ts', code: 'b > a' }],
  ['another replacement', { file: 'age.ts', becomes: '<=' }],
])('a survivor without a reason is named, and no page is written: %s', (_what, place) => {
  const { status, stderr, page } = run([KILLED, SURVIVED], [place]);
  expect({ status, page }).toEqual({ status: 1, page: '' });
  expect(stderr).toContain('has no reason: age.ts, older, EqualityOperator: a > b becomes a >= b');
});

test('a reason that matches nothing any more is named', () => {
  const { status, stderr } = run([KILLED], [{ file: 'gone.ts' }]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'matches nothing any more, under "The same age": {"file":"gone.ts"}\n',
  });
});
