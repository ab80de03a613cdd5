/**
 * `npm run e2e [-- JEST ARGUMENTS]`: builds the testbed, runs the suites, prints the counts of each and the ten slowest tests. Logs of
 * suites that failed stay in reports/e2e.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { testbedProgram } from '../testbed/build.mjs';

const root = join(import.meta.dirname, '../..');
const logs = join(root, 'reports/e2e');
const durations = join(logs, 'durations.jsonl');
const program = join(root, 'reports/e2e-program');
const SLOWEST = 10;

const own = '--outputFile=';
const args = process.argv.slice(2);
const report = args.find((arg) => arg.startsWith(own))?.slice(own.length) ?? join(root, 'reports/e2e.json');

/** The suites run for minutes: a build meanwhile must not take their program away. */
function copyProgram() {
  rmSync(program, { recursive: true, force: true });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(program, part), { recursive: true });
}

function jest() {
  const runner = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--config', join(root, 'jest.e2e.config.mjs'), '--json', `--outputFile=${report}`];
  const rest = args.filter((arg) => !arg.startsWith(own));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--experimental-vm-modules', runner, ...flags, ...rest], {
      cwd: root,
      env: { ...process.env, PREPULLER_PROGRAM: program },
      // Jest prints its JSON to stdout as well; people read stderr.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function readNoted() {
  if (!existsSync(durations)) return [];
  const lines = readFileSync(durations, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function suiteOf(file) {
  return basename(file.name, '.test.ts');
}

function printCounts(files) {
  const counts = files.map((file) => {
    const of = (status) => file.assertionResults.filter((test) => test.status === status).length;
    const seconds = Math.round((file.endTime - file.startTime) / 1000);
    return `  ${suiteOf(file)}: ${of('passed')} passed, ${of('failed')} failed, ${of('pending')} skipped, ${seconds} s`;
  });
  console.log(['suites', ...counts.sort()].join('\n'));
}

/** What tests that ran side by side noted themselves goes before what Jest saw. */
function printSlowest(files) {
  const noted = new Map(readNoted().map(({ name, seconds }) => [name, seconds * 1000]));
  const tests = files
    .flatMap((file) => file.assertionResults)
    .map(({ fullName, title, duration }) => ({ fullName, duration: noted.get(title) ?? duration ?? 0 }));
  const slowest = tests.sort((one, other) => other.duration - one.duration).slice(0, SLOWEST);
  const lines = slowest.map(({ duration, fullName }) => `  ${(duration / 1000).toFixed(1).padStart(6)} s  ${fullName}`);
  console.log(['slowest tests', ...lines].join('\n'));
}

function forgetGoodLogs(files) {
  const bad = files.filter(({ status }) => status === 'failed').map(suiteOf);
  for (const name of readdirSync(logs))
    if (!bad.includes(name)) rmSync(join(logs, name), { recursive: true, force: true });
  if (bad.length > 0) console.log(`logs of ${bad.join(', ')} are in ${logs}`);
}

mkdirSync(logs, { recursive: true });
for (const old of [report, durations]) rmSync(old, { force: true });
copyProgram();
for (const name of ['cluster', 'argocd', 'manifests']) await testbedProgram(name);
process.exitCode = await jest();
const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
printCounts(testResults);
printSlowest(testResults);
forgetGoodLogs(testResults);
