/**
 * Breaks one rule at a time and shows that the named test notices: `npm run faults`. Works in a copy; fails when a fault
 * is not noticed, when its text is no longer in the file, or when the broken file does not even load.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MANIFEST_FAULTS } from './faults/manifest.mjs';
import { PREPULL_FAULTS } from './faults/prepull.mjs';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { output: { type: 'string' }, only: { type: 'string', default: '' } } });
const copy = mkdtempSync(join(tmpdir(), 'prepuller-faults-'));

function makeCopy() {
  for (const entry of ['src', 'test', 'examples', 'install', 'package.json', 'jest.config.mjs', 'tsconfig.json']) {
    cpSync(join(root, entry), join(copy, entry), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Data beside the checkout is not beside the copy. */
const env = {
  ...process.env,
  PREPULLER_CASES: process.env.PREPULLER_CASES ?? join(root, '../shared/cases'),
  PREPULLER_YAML_EDGE: process.env.PREPULLER_YAML_EDGE ?? join(root, '../shared/yaml-edge'),
};

/** Counts of failed tests and of test files that did not load. */
function runTests(tests) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const report = join(copy, 'report.json');
  const args = [
    '--experimental-vm-modules',
    jest,
    '--rootDir',
    copy,
    '--json',
    `--outputFile=${report}`,
    '--silent',
    ...tests,
  ];
  rmSync(report, { force: true });
  spawnSync(process.execPath, args, { cwd: copy, env, stdio: 'ignore', timeout: 300_000 });
  const { numFailedTests, numPassedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { failed: numFailedTests, passed: numPassedTests, broken: numRuntimeErrorTestSuites };
}

/** Undefined when the named test notices the fault, else what is wrong. */
function plant({ file, text, replacement, test }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const places = source.split(text).length - 1;
  if (places !== 1) return `the text is in the file ${places} times`;
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  const { failed, broken } = runTests([test]);
  writeFileSync(path, source);
  if (broken > 0) return 'the file does not load any more: that proves nothing';
  return failed > 0 ? undefined : `${test} does not notice`;
}

/** The tests must pass before anything is broken, or their failing later would show nothing. */
function soundBefore(faults) {
  const { failed, broken, passed } = runTests([...new Set(faults.map(({ test }) => test))]);
  return failed + broken === 0 && passed > 0;
}

function plantAll(faults) {
  let missed = 0;
  for (const fault of faults) {
    const wrong = plant(fault);
    if (wrong !== undefined) missed += 1;
    console.log(
      `${wrong === undefined ? 'noticed' : 'MISSED '}  ${fault.rule} (${fault.file})${wrong === undefined ? '' : `: ${wrong}`}`,
    );
  }
  return missed;
}

const all = [...PREPULL_FAULTS, ...MANIFEST_FAULTS].flatMap(({ file, test, faults: rules }) =>
  rules.map(([rule, text, replacement]) => ({ file, test, rule, text, replacement })),
);
const faults = all.filter(({ rule, file }) => `${file} ${rule}`.includes(values.only));
try {
  makeCopy();
  const sound = soundBefore(faults);
  if (!sound) console.log('the tests named in scripts/faults do not pass as they are');
  const missed = sound ? plantAll(faults) : faults.length;
  console.log(`${faults.length - missed} faults noticed, ${missed} missed`);
  if (values.output !== undefined) {
    const counts = { numFailedTestSuites: 0, numPassedTests: faults.length - missed, numFailedTests: missed };
    writeFileSync(
      values.output,
      JSON.stringify({ ...counts, numRuntimeErrorTestSuites: 0, numTodoTests: 0, testResults: [] }),
    );
  }
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true });
}
