/**
 * Sums what the suites of .ci/run reported: `node scripts/count-results.mjs FOLDER`. Prints what was skipped and the one
 * line of counts; exit code 1 when anything failed or was skipped. Runs on Node 20 too: nothing else may be there.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Jest's own summary. A file that could not even be loaded has no tests in it and counts as one failure. */
function readJest(report) {
  const skipped = report.testResults.flatMap((file) =>
    (file.assertionResults ?? []).filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: [...skipped, ...Array(report.numTodoTests).fill('a test that is not written')],
  };
}

/** `go test -json`: one event a line. Tests with subtests count as one more, as Go counts them. */
function readGo(text) {
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ Test, Action }) => Test !== undefined || Action === 'fail');
  const named = (action) => events.filter(({ Action, Test }) => Action === action && Test !== undefined);
  const broken = events.filter(({ Action, Test }) => Action === 'fail' && Test === undefined).length;
  return {
    passed: named('pass').length,
    failed: named('fail').length || broken,
    skipped: named('skip').map(({ Test }) => Test),
  };
}

function readReport(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text.trim() === '') return { passed: 0, failed: 0, skipped: [] };
  return text.startsWith('{"numFailedTestSuites"') ? readJest(JSON.parse(text)) : readGo(text);
}

/** A step that ended badly without a failed test in its report is one failure of its own. */
function readFolder(folder) {
  const files = readdirSync(folder);
  const steps = [
    ...new Set(files.filter((name) => /\.(json|failed)$/.test(name)).map((name) => name.replace(/\.\w+$/, ''))),
  ];
  return steps.sort().map((name) => {
    const report = readReport(join(folder, `${name}.json`));
    const failed = files.includes(`${name}.failed`) ? Math.max(report.failed, 1) : report.failed;
    return { name, ...report, failed };
  });
}

const steps = readFolder(process.argv[2]);
const sum = (count) => steps.reduce((total, step) => total + count(step), 0);
const skipped = sum((step) => step.skipped.length);
const failed = sum((step) => step.failed);
console.log('');
for (const step of steps) {
  console.log(`${step.name}: ${step.passed} passed, ${step.failed} failed, ${step.skipped.length} skipped`);
  for (const name of step.skipped) console.log(`  skipped: ${name}`);
}
console.log(`${sum((step) => step.passed)} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || skipped > 0 || steps.length === 0 ? 1 : 0;
