/** docs/from-helm.md names every field of spec.source.helm that a parameter stands for, beside that parameter. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_VARIABLES } from '../../src/config/environment.ts';
import { parametersOf } from '../../src/config/parameters.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/from-helm.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

const fields = parametersOf(['source', 'helm']).flatMap(({ name, tooltip }) => {
  const field = /As spec\.source\.helm\.(\w+)/.exec(tooltip)?.[1];
  return field === undefined ? [] : [[field, name] as const];
});

test('the parameters say which field they stand for', () => {
  expect(fields.length).toBeGreaterThanOrEqual(13);
});

test.each(fields)('%s is parameter %s', (field, name) => {
  expect(rows.some((row) => row.startsWith(`| \`${field}\``) && row.includes(`| \`${name}\``))).toBe(true);
});

test.each(OPERATOR_VARIABLES)('$name is explained', ({ name }) => {
  expect(page).toContain(`- \`${name}\``);
});
