/**
 * Takes one rule at a time from the judge, one verb from the role, the grace period from hook pods, breaks what Argo CD is given in
 * one place, and shows that the named test on a real control plane or a real Argo CD fails: `npm run e2e:faults`. Prints the list
 * and writes docs/e2e-faults.md; ends with 1 where a fault goes unnoticed. `--only=TEXT` tries the faults whose names hold it,
 * `--suite=faults` or `--suite=argocd-faults` those of one list; both write nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { testbedProgram } from '../test/testbed/build.mjs';
import { ARGOCD_FAULTS } from './faults/argocd.mjs';
import { E2E_FAULTS } from './faults/e2e.mjs';
import { ranOn } from './ran-on.mjs';

const root = resolve(import.meta.dirname, '..');
const text = { type: 'string', default: '' };
const { values } = parseArgs({ options: { output: { type: 'string' }, only: text, suite: text } });
const copy = mkdtempSync(join(tmpdir(), 'prepuller-e2e-faults-'));
/** Suite → the variable that names its list of faults, and the list. */
const SUITES = {
  faults: ['PREPULLER_FAULTS', E2E_FAULTS],
  'argocd-faults': ['PREPULLER_ARGOCD_FAULTS', ARGOCD_FAULTS],
};
const isWhole = values.only === '' && values.suite === '';
const faults = Object.entries(SUITES)
  .filter(([suite]) => values.suite === '' || suite === values.suite)
  .flatMap(([suite, [, list]]) => list.map((fault) => ({ ...fault, suite })))
  .filter(({ name }) => name.includes(values.only));

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

function plant({ name, suite, file, text, replacement, test }, index) {
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
  return { name, suite, test, program: join(folder, 'bin/prepuller.mjs') };
}

/** The assertions of all suites: by title, whether they passed. */
async function runSuites(program, planted) {
  const report = join(copy, 'report.json');
  const chosen = [...new Set(planted.map(({ suite }) => suite))];
  const lists = chosen.map((suite) => {
    const path = join(copy, `${suite}.json`);
    writeFileSync(path, JSON.stringify(planted.filter((fault) => fault.suite === suite)));
    return [SUITES[suite][0], path];
  });
  mkdirSync(join(root, 'reports/e2e'), { recursive: true });
  const names = [...chosen, ...(isWhole ? ['rights'] : [])];
  const suites = names.map((suite) => join(root, `test/e2e/${suite}.test.ts`));
  const flags = ['--config', join(root, 'jest.e2e.config.mjs'), '--json', `--outputFile=${report}`, '--runTestsByPath'];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, ['--experimental-vm-modules', jest, ...flags, ...suites], {
    cwd: root,
    env: { ...process.env, PREPULLER_PROGRAM: program, ...Object.fromEntries(lists) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  await new Promise((done) => child.on('exit', done));
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // The judge first, then what Argo CD is given, then rights.
  const place = ({ name }) => suites.indexOf(name);
  const inOrder = testResults.sort((one, other) => place(one) - place(other));
  return inOrder.flatMap(({ assertionResults }) => assertionResults);
}

/** `[what is taken away, the test that fails, whether it does]` of all suites. */
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
controller's role, breaks what Argo CD is given in one place at a time, and runs the test that is named for it on a real control plane
or in a real Argo CD. Each test passes with the program as it is.
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
  for (const name of ['cluster', 'argocd']) await testbedProgram(name);
  makeCopy();
  const program = build('sound');
  const planted = faults.map(plant);
  const assertions = await runSuites(program, planted);
  report(assertions, ((performance.now() - began) / 60_000).toFixed(1));
} finally {
  rmSync(copy, { recursive: true });
}
