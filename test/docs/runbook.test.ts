/** docs/runbook.md has one entry for each reason there is, in the order of src/api/reasons.ts, and each says what to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_REASONS, NODE_STATES, PULLER_REASONS, REASONS } from '../../src/api/reasons.ts';
import { POLICY_SETTINGS } from '../../src/api/policy.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** Heading → text, of headings of level three under one of level two. */
function entriesUnder(heading: string): Map<string, string> {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const entries = section.split(/^### /m).slice(1);
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n'))]));
}

const pullers = entriesUnder('Reasons of a puller');
const nodes = entriesUnder('Reasons of a node');

test('every reason has its entry, and there are no others', () => {
  expect([...pullers.keys()]).toEqual(Object.keys(PULLER_REASONS));
  expect([...nodes.keys()]).toEqual(Object.keys(NODE_REASONS));
  expect(page.match(/^### /gm)).toHaveLength(Object.keys(REASONS).length);
});

test.each([...pullers, ...nodes])('%s: what it means, where to look, what to do', (_, text) => {
  const parts = [...text.matchAll(/^- \*\*(.+?):\*\* (.+)$/gm)].map(([, name]) => name);
  expect(parts).toEqual(['Means', 'Look at', 'Do']);
  // Nothing between or after them that a reader might miss.
  expect(text.trim().split('\n')).toHaveLength(3);
});

test.each([...pullers])('%s begins with the health it gives', (_, text) => {
  expect(text).toMatch(/\*\*Means:\*\* (?:Healthy|Progressing|Degraded)\. /);
});

test.each([...nodes])('%s begins with the state it gives', (_, text) => {
  expect(text).toMatch(new RegExp(`\\*\\*Means:\\*\\* (?:${NODE_STATES.join('|')})[.,] `));
});

test('settings it names exist', () => {
  const settings = Object.values(POLICY_SETTINGS).map(({ name }) => name);
  const named = [...page.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = '']) => name);
  const known = [...settings, 'let-through', 'give-up', 'kube-controller-manager'];
  const graces = named.filter((name) => /-(?:grace|window|pulled)$/.test(name));
  expect(graces.length).toBeGreaterThan(5);
  expect(known).toEqual(expect.arrayContaining(graces));
});
