/**
 * Writes docs/mutation.md: what mutation testing found (reports/mutation.json) and, for every fault that no test noticed, why
 * that is so (test/verdict/mutation-reasons.yaml). `node scripts/mutation-page.mjs [FOLDER]`: FOLDER is the checkout the run was
 * made in. Exit code 1 while a survivor has no reason.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';

const REASONS = 'test/verdict/mutation-reasons.yaml';
const PAGE = 'docs/mutation.md';
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** The name of the declaration a line stands in: the nearest one above that begins in the first column. */
function declarationOf(lines, line) {
  const above = lines.slice(0, line).reverse();
  const [, name = ''] = above.map((text) => /^(?:export )?(?:function|const) (\w+)/.exec(text)).find(Boolean) ?? [];
  return name;
}

/** A survivor with the code it stands in: line numbers drift, code and names do not. */
function survivorOf(file, lines, { location, mutatorName, replacement = '', status }) {
  const { start, end } = location;
  const touched = lines.slice(start.line - 1, end.line);
  const last = touched.length - 1;
  const cut = touched.map((text, index) => text.slice(0, index === last ? end.column - 1 : undefined));
  return {
    file,
    in: declarationOf(lines, start.line),
    mutator: mutatorName,
    code: oneLine([cut[0].slice(start.column - 1), ...cut.slice(1)].join('\n')),
    line: oneLine(touched.join('\n')),
    becomes: oneLine(replacement),
    reached: status !== 'NoCoverage',
  };
}

function readReport(path) {
  const { files, config = {} } = JSON.parse(readFileSync(path, 'utf8'));
  const rows = Object.entries(files).map(([name, { source, mutants }]) => {
    const of = (statuses) => mutants.filter(({ status }) => statuses.includes(status));
    const lines = source.split('\n');
    const survivors = of(UNNOTICED).map((mutant) => survivorOf(basename(name), lines, mutant));
    return { name: basename(name), noticed: of(NOTICED).length, late: of(['Timeout']).length, survivors };
  });
  return {
    rows: rows.sort((one, other) => (one.name < other.name ? -1 : 1)),
    incremental: config.incremental === true,
  };
}

/** Every field a place names must fit: `file`, `in` and `mutator` wholly, `code`, `line` and `becomes` as a part. */
function fits(place, survivor) {
  const whole = ['file', 'in', 'mutator'].every((key) => place[key] === undefined || place[key] === survivor[key]);
  const part = (key) => place[key] === undefined || survivor[key].includes(oneLine(place[key]));
  return whole && ['code', 'line', 'becomes'].every(part);
}

/** Each survivor under the first reason one of whose places it fits; places that nothing fits are left over. */
function sortOut(reasons, survivors) {
  const places = reasons.flatMap((reason) => reason.places.map((place) => ({ reason, place, used: false })));
  const unexplained = [];
  const byReason = new Map(reasons.map((reason) => [reason, []]));
  for (const survivor of survivors) {
    const found = places.find(({ place }) => fits(place, survivor));
    if (found === undefined) unexplained.push(survivor);
    else {
      found.used = true;
      byReason.get(found.reason).push(survivor);
    }
  }
  return { byReason, unexplained, unused: places.filter(({ used }) => !used) };
}

/** Code in a table cell, cut to what a reader needs to find the place. */
function cell(text) {
  const short = text.length > 110 ? `${text.slice(0, 110)}…` : text;
  const fence = short.includes('`') ? '``' : '`';
  return short === '' ? 'nothing' : `${fence} ${short.replaceAll('|', '\\|')} ${fence}`;
}

const percent = (noticed, all) => `${((100 * noticed) / all).toFixed(2)} %`;

function countsOf({ name, noticed, survivors }) {
  const all = noticed + survivors.length;
  return `| ${name} | ${all} | ${noticed} | ${survivors.length} | ${percent(noticed, all)} |`;
}

function sectionOf([{ title, why }, survivors]) {
  const rows = survivors.map(
    (one) =>
      `| ${one.file} | ${one.in} | ${one.mutator}${one.reached ? '' : ', not reached'} | ${cell(one.code)} | ${cell(one.becomes)} |`,
  );
  return [
    '',
    `### ${title} (${survivors.length})`,
    '',
    why.trim(),
    '',
    '| file | in | kind | code | becomes |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
}

function pageOf({ rows, incremental }, byReason, run) {
  const sum = (count) => rows.reduce((total, row) => total + count(row), 0);
  const noticed = sum((row) => row.noticed);
  const survivors = rows.flatMap((row) => row.survivors);
  const unreached = survivors.filter(({ reached }) => !reached).length;
  const all = noticed + survivors.length;
  return [
    '# Mutation testing of the verdict',
    '',
    'Made by `npm run mutation` (Stryker, then `scripts/mutation-page.mjs`) out of its report and of the reasons in',
    '[mutation-reasons.yaml](../test/verdict/mutation-reasons.yaml); it fails while a survivor has none. Every fault Stryker knows is',
    'planted in `src/verdict`, one at a time, and the table tests of the verdict run against each. The suites of seconds (random',
    'clusters, kubelet recordings, sizes of annotations) are left out: some of the survivors would die there.',
    '',
    `**${percent(noticed, all)}** of ${all} faults noticed (it must be 85 %): ${noticed - sum((row) => row.late)} by a failing test, ` +
      `${sum((row) => row.late)} by a test that no longer ended; ${survivors.length - unreached} survived, ${unreached} were reached by no test. ` +
      `Commit ${run.commit}, ${run.day}.`,
    ...(incremental
      ? [
          '',
          'This run was an incremental one: a fault that an earlier run had noticed was not planted again where neither its code nor the test that noticed it has changed.',
        ]
      : []),
    '',
    '## By file',
    '',
    '| file | faults | noticed | survived | score |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows.map(countsOf),
    '',
    '## What survived, and why',
    ...[...byReason].filter(([, found]) => found.length > 0).flatMap(sectionOf),
    '',
  ].join('\n');
}

const folder = process.argv[2] ?? '.';
const path = join(folder, 'reports/mutation.json');
const report = readReport(path);
const reasons = load(readFileSync(REASONS, 'utf8'));
const { byReason, unexplained, unused } = sortOut(
  reasons,
  report.rows.flatMap((row) => row.survivors),
);
for (const { reason, place } of unused)
  console.error(`matches nothing any more, under "${reason.title}": ${JSON.stringify(place)}`);
for (const { file, in: name, mutator, line, code, becomes } of unexplained)
  console.error(`has no reason: ${file}, ${name}, ${mutator}: ${code} becomes ${becomes} in: ${line}`);
if (unexplained.length > 0) process.exitCode = 1;
else {
  const commit = execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty', '--exclude=*'], {
    encoding: 'utf8',
  });
  const day = statSync(path).mtime.toISOString().slice(0, 10);
  writeFileSync(PAGE, pageOf(report, byReason, { commit: commit.trim(), day }));
}
