/** docs/threat-model.md: every "must not" names a test, and every test it names is there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../commands/prepuller.ts';
import { isThere, namedTests } from './named-tests.ts';

const PAGE = 'docs/threat-model.md';
const text = readFileSync(join(ROOT, PAGE), 'utf8');
const rows = [...text.matchAll(/^\| (?!must not|---)(.+?) \| (.+) \|$/gm)].map(([, what = '', proof = '']) => ({
  what,
  proof,
}));

test('it has a section for each who could', () => {
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(sections).toEqual(
    expect.arrayContaining(['The chart author', 'The registry', 'A node', 'The Argo CD user', 'The network neighbour']),
  );
  for (const section of text.split(/^## /m).slice(2, -1))
    expect(section).toContain('\n| must not | proved by |\n| --- | --- |\n');
});

test.each(rows)('must not $what', ({ proof }) => {
  const named = namedTests(proof, PAGE);
  expect(named).toHaveLength(proof.split(/, (?=\[)/).length);
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

test(`all ${String(rows.length)} rows were read`, () => {
  expect(rows.length).toBeGreaterThanOrEqual(35);
  expect(rows).toHaveLength(text.match(/^\| (?!must not|---)/gm)?.length ?? 0);
});

test('a test that is not there would be found', () => {
  expect(isThere({ title: 'a title that no test has', path: 'test/hydrate/place.test.ts' })).toBe(false);
  expect(isThere({ title: 'refused by name: %s', path: 'test/hydrate/nowhere.test.ts' })).toBe(false);
});
