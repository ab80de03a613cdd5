/** docs/rules.md is made from the code's own lists and from the titles of their tests: UPDATE_GOLDENS=rules writes it anew. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_REASONS, PULLER_REASONS, REASONS } from '../../src/api/reasons.ts';
import { LADDER } from '../../src/verdict/ladder.ts';
import { ROWS } from '../../src/verdict/rules.ts';

const PAGE = join(import.meta.dirname, '../../docs/rules.md');

interface Proof {
  file: string;
  subject: string;
}

/** Every title that opens with `row 3:` or `rung 2a:`, by file. */
function proofs(): Proof[] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const titles = text.matchAll(/['"`](row|rung) (\w+): /g);
    return [...titles].map(([, word = '', name = '']) => ({ file, subject: `${word} ${name}` }));
  });
}

const all = proofs();

function provenBy(subject: string): string {
  const files = new Set(all.filter((proof) => proof.subject === subject).map(({ file }) => file));
  return [...files].map((file) => `[${subject}](../test/verdict/${file})`).join(', ');
}

function page(): string {
  const rows = ROWS.map(
    ({ observed, outcome }, index) => `| ${index + 1} | ${observed} | ${outcome} | ${provenBy(`row ${index + 1}`)} |`,
  );
  const rungs = LADDER.map(({ name, says }) => `| ${name} | ${says} | ${provenBy(`rung ${name}`)} |`);
  const reasons = (list: Record<string, string>): string[] =>
    Object.entries(list).map(([reason, sentence]) => `| ${reason} | ${sentence} |`);
  return [
    '# The rules of the verdict',
    '',
    'Made from the code by `UPDATE_GOLDENS=rules npm run jest -- test/verdict/rules-page`; a test keeps it the same.',
    'Why they are so stands in [decisions/verdict.md](decisions/verdict.md).',
    '',
    '## A node’s state',
    '',
    'The first row that speaks wins. Rows 10 to 16 are asked image by image: a failed image settles the node, a tolerated one only',
    'when every other image of the node is there or settled too.',
    '',
    '| row | observed | state | proven by |',
    '| ---: | --- | --- | --- |',
    ...rows,
    '',
    '## The ladder',
    '',
    'From all nodes to one health; the first rung that speaks decides.',
    '',
    '| rung | decides | proven by |',
    '| --- | --- | --- |',
    ...rungs,
    '',
    '## Reasons of a puller',
    '',
    'A failed puller can also have the reason of its failed node.',
    '',
    '| reason | means |',
    '| --- | --- |',
    ...reasons(PULLER_REASONS),
    '',
    '## Reasons of a node',
    '',
    '| reason | means |',
    '| --- | --- |',
    ...reasons(NODE_REASONS),
    '',
  ].join('\n');
}

test('docs/rules.md says what the code does', () => {
  if (process.env.UPDATE_GOLDENS === 'rules') writeFileSync(PAGE, page());
  expect(readFileSync(PAGE, 'utf8')).toBe(page());
});

test('every row and every rung has a test', () => {
  const subjects = [...ROWS.map((_, index) => `row ${index + 1}`), ...LADDER.map(({ name }) => `rung ${name}`)];
  expect(subjects.filter((subject) => provenBy(subject) === '')).toEqual([]);
  expect(ROWS).toHaveLength(16);
});

test('every reason of the closed set is expected by a test of the verdict', () => {
  const texts = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && file !== 'rules-page.test.ts')
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  expect(Object.keys(REASONS).filter((reason) => !new RegExp(`\\b${reason}\\b`).test(texts))).toEqual([]);
});

test('reasons are words a condition may hold, each with one sentence', () => {
  for (const [reason, sentence] of Object.entries(REASONS)) {
    expect(reason).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
  }
});
