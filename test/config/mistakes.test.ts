/** What is said of every mistake in parameters, flags and environment: all at once, with the fix, and never a value. */
import fc from 'fast-check';
import { ALL_TOPICS, parametersOf } from '../../src/config/parameters.ts';
import { readSettings } from '../../src/config/settings.ts';
import { UsageError } from '../../src/errors.ts';

interface Entry {
  name?: unknown;
  string?: unknown;
  array?: unknown;
  map?: unknown;
}

function env(...entries: Entry[]): Record<string, string> {
  return { ARGOCD_APP_PARAMETERS: JSON.stringify(entries) };
}

function mistake(flags: Record<string, string[]>, environment: Record<string, string>): string {
  try {
    readSettings(flags, environment);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('nothing was wrong');
}

test.each<[string, Record<string, string[]>, Record<string, string>, string]>([
  ['unknown name', {}, env({ name: 'gat', string: 'x' }), 'there is no parameter gat; did you mean gate?'],
  [
    'camel case',
    {},
    env({ name: 'valueFiles', array: [] }),
    'there is no parameter valueFiles; did you mean value-files?',
  ],
  ['a name like none', {}, env({ name: 'qqqqqqqqqqqqq', string: '' }), 'there is no parameter qqqqqqqqqqqqq'],
  [
    'a name that is no name',
    {},
    env({ name: 'pass word', string: '' }),
    'there is no parameter (a name with other characters than letters, digits, - and .)',
  ],
  [
    'wrong choice',
    {},
    env({ name: 'gate', string: 'Wave' }),
    'parameter gate takes presync, wave, job or none; did you mean wave?',
  ],
  ['far choice', {}, env({ name: 'gate', string: 'hunter2' }), 'parameter gate takes presync, wave, job or none'],
  ['short and far choice', {}, env({ name: 'gate', string: 'foo' }), 'parameter gate takes presync, wave, job or none'],
  ['no boolean', {}, env({ name: 'strict', string: 'yes' }), 'parameter strict takes true or false'],
  [
    'no duration',
    {},
    env({ name: 'deadline', string: '5 minutes' }),
    'parameter deadline takes a duration such as 90s, 5m or 1h',
  ],
  [
    'no share',
    {},
    env({ name: 'min-pulled', string: '101%' }),
    'parameter min-pulled takes a number of nodes or a percentage such as 80%',
  ],
  [
    'no class name',
    {},
    env({ name: 'continuous-priority', string: 'A b' }),
    'parameter continuous-priority takes auto, placeholder, above-placeholder, chart or the name of a PriorityClass',
  ],
  [
    'text for a list',
    {},
    env({ name: 'value-files', string: 'a' }),
    'parameter value-files is a list (array: []), not a text (string: …)',
  ],
  [
    'list for a map',
    {},
    env({ name: 'parameters', array: ['a'] }),
    'parameter parameters is a map (map: {}), not a list (array: [])',
  ],
  [
    'number for a text',
    {},
    env({ name: 'values', string: 1 }),
    'parameter values has something else than text in its string; put numbers and booleans in quotes',
  ],
  [
    'number in a map',
    {},
    env({ name: 'parameters', map: { a: 1 } }),
    'parameter parameters has something else than text in its map; put numbers and booleans in quotes',
  ],
  [
    'null in a list',
    {},
    env({ name: 'images', array: [null] }),
    'parameter images has something else than text in its array; put numbers and booleans in quotes',
  ],
  [
    'map as list',
    {},
    env({ name: 'images', array: {} }),
    'parameter images has something else than text in its array; put numbers and booleans in quotes',
  ],
  ['two values', {}, env({ name: 'images', array: [], string: '' }), 'parameter images has string and array; keep one'],
  [
    'no value',
    {},
    env({ name: 'images', string: null }),
    'parameter images has no value; give it string, array or map',
  ],
  [
    'given twice',
    {},
    env({ name: 'gate', string: 'job' }, { name: 'gate', string: 'job' }),
    '2 mistakes: parameter gate is given twice; keep one; gate job needs parameter image, the container image with the prepuller program',
  ],
  ['no name', {}, env({ string: 'a' }), 'entry 1 of spec.source.plugin.parameters has no name'],
  [
    'no JSON',
    {},
    { ARGOCD_APP_PARAMETERS: 'hunter2' },
    'ARGOCD_APP_PARAMETERS is not the JSON list that Argo CD makes of spec.source.plugin.parameters',
  ],
  [
    'no list',
    {},
    { ARGOCD_APP_PARAMETERS: '{}' },
    'ARGOCD_APP_PARAMETERS is not the JSON list that Argo CD makes of spec.source.plugin.parameters',
  ],
  ['flag twice', { gate: ['wave', 'none'] }, {}, 'flag --gate is given twice; keep one'],
  ['flag without =', { parameters: ['hunter2'] }, {}, 'flag --parameters takes NAME=TEXT'],
  ['flag without name', { parameters: ['=hunter2'] }, {}, 'flag --parameters takes NAME=TEXT'],
  ['NUL', {}, env({ name: 'values', string: 'a\0b' }), 'parameter values holds a NUL character'],
  ['NUL in a name', {}, env({ name: 'parameters', map: { 'a\0': 'b' } }), 'parameter parameters holds a NUL character'],
  [
    'job without image',
    { gate: ['job'] },
    {},
    'gate job needs parameter image, the container image with the prepuller program',
  ],
  ['time limit', {}, { PREPULLER_TIME_LIMIT: '0' }, 'variable PREPULLER_TIME_LIMIT takes a duration such as 80s'],
])('%s', (_case, flags, environment, message) => {
  expect(mistake(flags, environment).split('\n')[0]).toBe(message);
});

test('all mistakes at once: the first line counts and joins them, then one line each', () => {
  const message = mistake({ strict: ['perhaps'] }, env({ name: 'gat', string: '' }, { name: 'images', string: '' }));
  const problems = [
    'there is no parameter gat; did you mean gate?',
    'parameter images is a list (array: []), not a text (string: …)',
    'parameter strict takes true or false',
  ];
  expect(message.split('\n')).toEqual([
    `3 mistakes: ${problems.join('; ')}`,
    ...problems.map((problem) => `- ${problem}`),
  ]);
});

test('no message repeats a value', () => {
  const names = parametersOf(ALL_TOPICS).map(({ name }) => name);
  const secret = fc.string({ minLength: 8 }).map((text) => `CANARY${text}`);
  const value = fc.oneof(
    fc.record({ string: secret }),
    fc.record({ array: fc.array(secret) }),
    fc.record({ map: fc.dictionary(secret, fc.oneof(secret, fc.integer())) }),
  );
  const entry = fc.tuple(fc.constantFrom(...names, 'gates', 'value'), value).map(([name, one]) => ({ name, ...one }));
  let failures = 0;
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
      try {
        readSettings({}, env(...entries));
      } catch (error) {
        failures += 1;
        expect(error).toBeInstanceOf(UsageError);
        expect((error as Error).message).not.toContain('CANARY');
      }
    }),
  );
  expect(failures).toBeGreaterThan(10);
});
