/**
 * The long modes of everything, one part after the other: `npm run nightly [-- PART...]`. Each part's last result stands in
 * docs/nightly.md with when it ran, on what and how it ended; parts that did not run now keep what they said. Ends with 1 where a
 * part failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ranOn } from './ran-on.mjs';

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'docs/nightly.md');
const reports = join(root, 'reports/nightly');

const long = { PREPULLER_LONG: '1', PREPULLER_SEED: 'new', PREPULLER_SCHEDULES: '5000' };

/** Name → what it does, npm's arguments, its environment, and npm's argument that takes the path of a report. */
const PARTS = {
  tests: {
    says: 'every test of `npm test`, many times and with new random inputs',
    args: ['test', '--'],
    env: long,
    report: (path) => ['--json', `--outputFile=${path}`],
  },
  e2e: {
    says: 'every suite of `npm run e2e`, and the latency with 500 nodes',
    args: ['run', '--silent', 'e2e', '--'],
    env: { PREPULLER_NIGHTLY: '1' },
    report: (path) => [`--outputFile=${path}`],
  },
  idle: {
    says: 'ten idle minutes: nothing is written but the Lease',
    args: ['run', '--silent', 'e2e', '--', '/idle.test.ts'],
    env: { PREPULLER_IDLE_SECONDS: '600' },
    report: (path) => [`--outputFile=${path}`],
  },
  load: {
    says: 'two thousand renders through one sidecar: processes, memory, open files and temporary files stay as they are',
    args: ['run', '--silent', 'e2e', '--', '/argocd-load.test.ts'],
    env: { PREPULLER_RENDERS: '2000' },
    report: (path) => [`--outputFile=${path}`],
  },
  'e2e-faults': {
    says: 'a rule, a right or the grace period less, and the named test fails ([list](e2e-faults.md))',
    args: ['run', '--silent', 'e2e:faults', '--'],
    env: {},
    report: (path) => [`--output=${path}`],
  },
  mutation: {
    says: 'mutants of the verdict ([score](mutation.md))',
    args: ['run', '--silent', 'mutation'],
    env: {},
    report: () => [],
  },
};

/** Ran by now, or before: part → the text under its heading. */
function readPage() {
  const [, ...sections] = existsSync(page) ? readFileSync(page, 'utf8').split('\n## ') : [];
  return new Map(
    sections.map((section) => [section.split('\n', 1)[0], section.slice(section.indexOf('\n') + 1).trim()]),
  );
}

function writePage(sections) {
  const known = Object.keys(PARTS).filter((name) => sections.has(name));
  const texts = known.map((name) => `## ${name}\n\n${sections.get(name)}\n`);
  writeFileSync(
    page,
    `# The nightly run

\`npm run nightly\` runs all of this, \`npm run nightly -- idle\` one part; each writes here how it ended last.

${texts.join('\n')}`,
  );
}

function counts(report) {
  if (!existsSync(report)) return 'no counts';
  const { numPassedTests, numFailedTests, numPendingTests = 0 } = JSON.parse(readFileSync(report, 'utf8'));
  return `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
}

/** Runs a part; whether it ended well, and what to say of it. */
function run(name) {
  const { says, args, env, report } = PARTS[name];
  const path = join(reports, `${name}.json`);
  rmSync(path, { force: true });
  const began = performance.now();
  const where = ranOn();
  const { status } = spawnSync('npm', [...args, ...report(path)], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const settings = Object.entries(env).map(([key, value]) => `${key}=${value} `);
  const took = ((performance.now() - began) / 60_000).toFixed(1);
  const outcome = status === 0 ? 'Passed' : '**Failed**';
  const text = `${says[0].toUpperCase()}${says.slice(1)}.

- \`${settings.join('')}npm ${args.join(' ').replace(/ --$/, '')}\`
- ${outcome}: ${counts(path)}, in ${took} min.
- ${where}`;
  return { good: status === 0, text };
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
mkdirSync(reports, { recursive: true });
for (const name of wanted) {
  const { good, text } = run(name);
  if (!good) process.exitCode = 1;
  writePage(readPage().set(name, text));
}
