/** The one table: sound in itself, and the same in plugin.yaml, docs/parameters.md and every command's flags. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { load } from 'js-yaml';
import { DEFAULT_POLICY, POLICY_SETTINGS } from '../../src/api/policy.ts';
import { announcements, pluginYaml } from '../../src/config/announcement.ts';
import { parameterTables } from '../../src/config/documentation.ts';
import { ALL_TOPICS, parametersOf, TOPICS } from '../../src/config/parameters.ts';
import { readSettings } from '../../src/config/settings.ts';
import { addParameterFlags, flagsOf } from '../../src/parameter-flags.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const parameters = parametersOf(ALL_TOPICS);

/** Once published a name stays: Applications use it. */
const NAMES = [
  ...'gate image images pull-method profile-images mutable-tags pause-image continuous continuous-priority'.split(' '),
  ...'emit-priority-class emit-node-role kind value-files values parameters file-parameters release-name'.split(' '),
  ...'namespace kube-version api-versions skip-crds skip-tests skip-schema-validation'.split(' '),
  ...'ignore-missing-value-files string-parameters'.split(' '),
  ...'strict scheduling-grace rejection-grace network-grace missing-image-window deadline'.split(' '),
  ...'on-deadline min-pulled judge'.split(' '),
];

test('has the names users know', () => {
  const names = parameters.map(({ name }) => name).filter((name) => !name.startsWith('kustomize-'));
  expect(names.sort()).toEqual([...NAMES].sort());
});

test.each(parameters.map((row) => [row.name, row] as const))(
  '%s is a name, has words, and takes its own default',
  (name, row) => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(row.title).toMatch(/^[A-Z]/);
    expect(row.tooltip).toMatch(/\.$/);
    if (row.default !== undefined) expect(row.read(row.default)).toBeDefined();
    for (const word of row.choices ?? []) expect(row.read(word)).toBeDefined();
  },
);

test('no name twice', () => {
  expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
});

test('the policy has its own names, defaults and words', () => {
  expect(parametersOf(['policy']).map(({ name }) => name)).toEqual(
    Object.values(POLICY_SETTINGS).map(({ name }) => name),
  );
  expect(readSettings({}, {}).policy).toEqual(DEFAULT_POLICY);
  for (const { choices, takes } of parametersOf(['policy'])) expect(choices?.join(' or ') ?? takes).toBe(takes);
});

test.each(parameters.map((row) => [row.name, row] as const))('%s is read from its flag', (name, row) => {
  const command = new Command();
  addParameterFlags(command, parameters);
  const given = {
    string: [row.choices?.at(-1) ?? (typeof row.default === 'string' ? row.default : 'a')],
    array: ['a', 'b'],
    map: ['a=b'],
  }[row.type];
  command.parse(
    given.flatMap((text) => [`--${name}`, text]),
    { from: 'user' },
  );
  expect(flagsOf(command)).toEqual({ [name]: given });
});

test('a boolean flag alone is true', () => {
  const command = new Command();
  addParameterFlags(command, parameters);
  command.parse(['--strict', '--skip-crds', 'false'], { from: 'user' });
  const { policy, helm } = readSettings(flagsOf(command), {});
  expect([policy.strict, helm.skipCrds]).toEqual([true, false]);
});

test('plugin.yaml is what the table says (node scripts/update-parameters.mjs writes it)', () => {
  expect(read('plugin.yaml')).toBe(pluginYaml());
});

/** Argo CD's PluginConfigSpec, Command, Parameters and ParameterAnnouncement, field by field, as JSON reads them. */
const SPEC_FIELDS = ['version', 'init', 'generate', 'discover', 'parameters', 'preserveFileMode', 'provideGitCreds'];
const ANNOUNCEMENT_FIELDS = [
  'name',
  'title',
  'tooltip',
  'required',
  'itemType',
  'collectionType',
  'string',
  'array',
  'map',
];

test("plugin.yaml has the shape of Argo CD's PluginConfig, without discovery and version", () => {
  const plugin = load(read('plugin.yaml')) as {
    apiVersion: string;
    kind: string;
    metadata: unknown;
    spec: Record<string, unknown> & { parameters: { static: unknown; dynamic: unknown } };
  };
  expect(Object.keys(plugin)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  expect(plugin.apiVersion).toBe('argoproj.io/v1alpha1');
  expect(plugin.kind).toBe('ConfigManagementPlugin');
  expect(plugin.metadata).toEqual({ name: 'argocd-prepuller' });
  expect(Object.keys(plugin.spec).filter((field) => !SPEC_FIELDS.includes(field))).toEqual([]);
  expect(plugin.spec).not.toHaveProperty('discover');
  expect(plugin.spec).not.toHaveProperty('version');
  expect(plugin.spec.preserveFileMode).toBe(false);
  expect(plugin.spec.generate).toEqual({ command: ['prepuller', 'generate'] });
  // The dynamic command's output is read by json.Unmarshal: YAML would be refused.
  expect(plugin.spec.parameters.dynamic).toEqual({ command: ['prepuller', 'parameters', '-o', 'json'] });
  expect(plugin.spec.parameters.static).toEqual(announcements());
});

test.each(announcements().map((one) => [one.name, one] as const))(
  'the announcement of %s is one Argo CD can read',
  (_name, one) => {
    expect(Object.keys(one).filter((field) => !ANNOUNCEMENT_FIELDS.includes(field))).toEqual([]);
    expect(['string', 'array', 'map']).toContain(one.collectionType);
    const { string = '', array = [], map = {} } = one;
    expect([string, ...array, ...Object.values(map)].every((text) => typeof text === 'string')).toBe(true);
    const kinds = ['string', 'array', 'map'].filter((field) => field in one);
    expect(kinds.filter((kind) => kind !== one.collectionType)).toEqual([]);
  },
);

test('docs/parameters.md is what the table says (node scripts/update-parameters.mjs writes it)', () => {
  const [, between] = /<!-- parameters -->\n(.*)<!-- \/parameters -->/s.exec(read('docs/parameters.md')) ?? [];
  expect(between).toBe(`\n${parameterTables()}\n\n`);
  for (const { name } of parameters) expect(between).toContain(`| \`${name}\` |`);
  for (const { title } of Object.values(TOPICS)) expect(between).toContain(`## ${title}\n`);
});
