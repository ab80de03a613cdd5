/** Wrong calls: exit 2, nothing on stdout, the whole story on the first line, no value repeated. Right ones: help and version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_TOPICS, parametersOf } from '../../src/config/parameters.ts';
import { prepuller, ROOT } from './prepuller.ts';

const COMMANDS = ['generate', 'transform', 'images', 'parameters', 'demo'];

test.each<[string, string[], string]>([
  ['no command', [], 'prepuller: no command given; prepuller --help lists them'],
  ['unknown command', ['generat'], 'prepuller: unknown command generat; did you mean generate?'],
  ['unlike any command', ['frobnicate'], 'prepuller: unknown command frobnicate; prepuller --help lists them'],
  ['unknown flag', ['generate', '--gat', 'wave'], 'prepuller: unknown flag --gat; did you mean --gate?'],
  [
    'unknown flag with a value',
    ['generate', '--vallues=CANARY'],
    'prepuller: unknown flag --vallues; did you mean --values?',
  ],
  ['unknown short flag with a value', ['generate', '-pCANARY'], 'prepuller: unknown flag -p'],
  ['a value too many', ['generate', 'CANARY'], 'prepuller: a text too many: each belongs behind its flag'],
  ['a flag without its value', ['generate', '--values'], "prepuller: option '--values <text>' argument missing"],
  [
    'no such output',
    ['parameters', '-o', 'CANARY'],
    "prepuller: option '-o, --output <format>' is invalid. Allowed choices are yaml, json.",
  ],
  ['wrong parameter', ['generate', '--gate', 'CANARY'], 'prepuller: parameter gate takes presync, wave, job or none'],
  ['a flag of another command', ['transform', '--value-files', 'CANARY'], 'prepuller: unknown flag --value-files'],
  ['no file', ['images', '--from', '/nowhere/CANARY'], 'prepuller: --from: the file cannot be read (ENOENT)'],
  ['a folder', ['images', '--from', '/'], 'prepuller: --from: the file cannot be read (EISDIR)'],
])('%s', (_case, args, line) => {
  const { exitCode, stdout, stderr } = prepuller(args);
  expect({ exitCode, stdout, first: stderr.split('\n')[0] }).toEqual({ exitCode: 2, stdout: '', first: line });
  expect(stderr).not.toContain('CANARY');
  expect(stderr).not.toMatch(/^\s+at /m);
});

test.each<[string, string, number, string]>([
  ['an empty stream', '', 1, 'prepuller: the stream holds no objects: nothing was rendered\n'],
  [
    'a stream without images',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    0,
    'warning: nothing to pull: no hub with pullers or values, no labelled workload, no images\n',
  ],
])('images never passes over %s in silence', (_case, input, exitCode, stderr) => {
  expect(prepuller(['images', '--from', '-'], { input })).toMatchObject({ exitCode, stderr });
});

test('all mistakes of flags and of the Application come together', () => {
  const env = { ARGOCD_APP_PARAMETERS: '[{"name":"gat","string":"a"}]' };
  const { exitCode, stderr } = prepuller(['generate', '--strict', 'maybe'], { env });
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    'prepuller: 2 mistakes: there is no parameter gat; did you mean gate?; parameter strict takes true or false\n' +
      '- there is no parameter gat; did you mean gate?\n' +
      '- parameter strict takes true or false\n',
  );
});

test('however many mistakes, the first line stays short', () => {
  const names = Array.from({ length: 40 }, (_, index) => ({ name: `unknown-${String(index)}`, string: '' }));
  const { exitCode, stderr } = prepuller(['generate'], { env: { ARGOCD_APP_PARAMETERS: JSON.stringify(names) } });
  const [first, ...others] = stderr.trimEnd().split('\n');
  expect(exitCode).toBe(2);
  expect(first).toMatch(/^prepuller: 40 mistakes: .*…$/);
  expect(first!.length).toBeLessThanOrEqual(300);
  expect(others).toHaveLength(40);
});

test.each(COMMANDS)('%s --help has an example', (name) => {
  const { exitCode, stdout, stderr } = prepuller([name, '--help']);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^Usage: prepuller ${name} `));
  expect(stdout).toMatch(/\bExample\b.*\n.*prepuller /);
  expect(prepuller(['help', name]).stdout).toBe(stdout);
});

test('--help lists every command', () => {
  const { exitCode, stdout } = prepuller(['--help']);
  expect(exitCode).toBe(0);
  for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test('generate has a flag for every parameter', () => {
  const { stdout } = prepuller(['generate', '--help']);
  for (const { name } of parametersOf(ALL_TOPICS)) expect(stdout).toMatch(new RegExp(`^  --${name} `, 'm'));
});

test('--version is the package.json one', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  for (const flag of ['--version', '-V'])
    expect(prepuller([flag])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});
