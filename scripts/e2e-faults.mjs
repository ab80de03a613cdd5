/**
 * Takes one rule at a time from the judge, one verb from the role, the grace period from hook pods, and shows that the named test
 * on a real control plane fails: `npm run e2e:faults`. Prints the list and writes docs/e2e-faults.md; ends with 1 where a fault
 * goes unnoticed. `--only=TEXT` tries the faults whose names hold it, and writes nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { testbedProgram } from '../test/testbed/build.mjs';
import { E2E_FAULTS } from './faults/e2e.mjs';
import { ranOn } from './ran-on.mjs';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { output: { type: 'string' }, only: { type: 'string', default: '' } } });
const copy = mkdtempSync(join(tmpdir(), 'prepuller-e2e-faults-'));
const faults = E2E_FAULTS.filter(({ name }) => name.includes(values.only));
const isWhole = values.only === '';

function makeCopy() {
  for (const entry of ['src', 'simulator', 'bin', 'scripts', 'package.json', 'tsconfig.json'])
    cpSync(join(root, entry), join(copy, entry), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Bundles the copy as it stands; the path of the program. */
function build(name) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  const folder = join(copy, 'programs', name);
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'package.json']) cpSync(join(copy, part), join(folder, part), { recursive: true });
  renameSync(join(copy, 'dist'), join(folder, 'dist'));
  return folder;
}

function plant({ name, file, text, replacement, test }, index) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const places = source.split(text).length - 1;
  if (places !== 1) throw new Error(`${name}: the text is in ${file} ${places} times`);
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  const folder = build(`fault-${index}`);
  writeFileSync(path, source);
  return { name, test, program: join(folder, 'bin/prepuller.mjs') };
}

/** The assertions of both suites: by title, whether they passed. */
async function runSuites(program, planted) {
  const list = join(copy, 'faults.json');
  const report = join(copy, 'report.json');
  writeFileSync(list, JSON.stringify(planted));
  mkdirSync(join(root, 'reports/e2e'), { recursive: true });
  const suites = ['faults', ...(isWhole ? ['rights'] : [])].map((suite) => join(root, `test/e2e/${suite}.test.ts`));
  const flags = ['--config', join(root, 'jest.e2e.config.mjs'), '--json', `--outputFile=${report}`, '--runTestsByPath'];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, ['--experimental-vm-modules', jest, ...flags, ...suites], {
    cwd: root,
    env: { ...process.env, PREPULLER_PROGRAM: program, PREPULLER_FAULTS: list },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  await new Promise((done) => child.on('exit', done));
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const inOrder = testResults.sort((one, other) => (one.name < other.name ? -1 : 1));
  return inOrder.flatMap(({ assertionResults }) => assertionResults);
}

/** `[what is taken away, the test that fails, whether it does]` of both suites. */
function rowsOf(assertions) {
  return assertions.flatMap(({ title, status }) => {
    const [, what, how, test] = /^without "(.+)" it (fails|breaks) that (.+)$/.exec(title) ?? [];
    if (what === undefined) return [];
    return [{ what: how === 'breaks' ? `the right to ${what}` : what, test, noticed: status === 'passed' }];
  });
}

function page(rows, minutes) {
  const lines = rows.map(({ what, test, noticed }) => `| ${what} | ${test}${noticed ? '' : ' — **does not fail**'} |`);
  return `# What breaks when a rule goes

\`npm run e2e:faults\` takes one rule at a time from the judge, the grace period from hook pods, and one verb at a time from the
controller's role, and runs the test that is named for it on a real control plane. Each test passes with the program as it is.
This page is what it wrote last: ${rows.filter(({ noticed }) => noticed).length} of ${rows.length} noticed, in ${minutes} min.

${ranOn()}

| without | this test fails |
| --- | --- |
${lines.join('\n')}
`;
}

function report(assertions, minutes) {
  const rows = rowsOf(assertions);
  for (const { what, test, noticed } of rows) console.log(`${noticed ? 'noticed' : 'MISSED '}  ${what} → ${test}`);
  const bad = assertions.filter(({ status }) => status !== 'passed');
  for (const { title } of bad) console.log(`failed: ${title}`);
  const noticed = rows.filter((row) => row.noticed).length;
  console.log(`${noticed} faults noticed, ${rows.length - noticed} missed, ${minutes} min`);
  if (isWhole) writeFileSync(join(root, 'docs/e2e-faults.md'), page(rows, minutes));
  if (values.output !== undefined) {
    const counts = {
      numFailedTestSuites: 0,
      numPassedTests: assertions.length - bad.length,
      numFailedTests: bad.length,
    };
    writeFileSync(
      values.output,
      JSON.stringify({ ...counts, numRuntimeErrorTestSuites: 0, numTodoTests: 0, testResults: [] }),
    );
  }
  process.exitCode = bad.length === 0 && noticed === rows.length && rows.length >= faults.length ? 0 : 1;
}

const began = performance.now();
try {
  await testbedProgram('cluster');
  makeCopy();
  const program = build('sound');
  const planted = faults.map(plant);
  const assertions = await runSuites(program, planted);
  report(assertions, ((performance.now() - began) / 60_000).toFixed(1));
} finally {
  rmSync(copy, { recursive: true });
}
