/** Hub configurations of any shape: never thrown at, every image found that is put where the chart reads it, secrets never in a warning. */
import fc from 'fast-check';
import { imagesOfConfiguration } from '../../src/manifest/configured-images.ts';
import { findHubConfigurations } from '../../src/manifest/hub-configuration.ts';
import type { Mapping } from '../../src/manifest/mapping.ts';
import { fuzz } from '../long-mode.ts';
import { jsonValue } from './arbitrary.ts';
import { configurationSecret, hubObject } from './hub-objects.ts';

/** The keys that are read: random values below them reach every branch. */
const KEYS = [
  ...['singleuser', 'image', 'name', 'tag', 'digest', 'pullPolicy', 'networkTools', 'cloudMetadata', 'enabled'],
  ...['blockWithIptables', 'initContainers', 'extraContainers', 'profileList', 'display_name', 'kubespawner_override'],
  ...[
    'profile_options',
    'choices',
    'unlisted_choice',
    'init_containers',
    'extra_containers',
    'prePuller',
    'extraImages',
  ],
  ...['pullProfileListImages', 'hub', 'extraConfig', 'extraFiles', 'stringData', 'config', 'KubeSpawner', '__proto__'],
  ...['constructor', 'toString', 'length'],
];
const likely = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    jsonValue,
    fc.constantFrom('quay.io/a/nb', '1.0', true, false, null, '{{ x }}', 'profile_list'),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('node'), { maxKeys: 5 }),
  ),
})).node;
const own = fc.dictionary(fc.constantFrom(...KEYS), likely, { maxKeys: 6 });
const mapping = fc.oneof(
  own,
  fc.record({ singleuser: own, prePuller: likely, hub: likely }, { requiredKeys: ['singleuser'] }),
) as fc.Arbitrary<Mapping>;

/** JSON is YAML, but for numbers beyond 2^53 and a line separator in quoted text: the whole document is refused for one. */
function asJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? String(field) : field));
  return text.replace(
    /[\u0085\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

test('any values are read without an error, images and warnings name their path', () => {
  let images = 0;
  const property = fc.property(mapping, (values) => {
    const found = imagesOfConfiguration(values);
    images += found.images.length;
    for (const { reference, path } of found.images) {
      expect(typeof reference).toBe('string');
      expect(path).toMatch(/^(singleuser|prePuller)\./);
    }
    for (const { message, fields } of found.warnings) {
      expect(message).toMatch(/^[\x20-\x7e]+$/);
      expect(fields.path).toMatch(/^(singleuser|prePuller|hub)\b/);
    }
  });
  fuzz('hub values', property, { short: 1000, long: 25_000 });
  expect(images).toBeGreaterThan(5);
}, 600_000);

const TEXTS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  mapping.map((values) => asJson(values)),
  fc
    .tuple(
      mapping.map((values) => asJson({ ...values, singleuser: values.singleuser ?? {} })),
      fc.nat(),
      fc.constantFrom('', '"', '}', '\n', '&a ', '*a', '\t', ': '),
    )
    .map(([text, at, insert]) => text.slice(0, at % text.length) + insert + text.slice((at % text.length) + 1)),
);

test('any text as values is read, or is one warning that repeats nothing of it', () => {
  let found = 0;
  const property = fc.property(TEXTS, fc.boolean(), (text, asKeys) => {
    const withSecret = `password: CANARY\n${text}`;
    const object = asKeys
      ? hubObject(
          'ConfigMap',
          'hub',
          { component: 'hub' },
          { data: { 'singleuser.image': text, 'singleuser.x.y': text } },
        )
      : configurationSecret(withSecret);
    const configurations = findHubConfigurations([object]);
    found += configurations.length;
    expect(configurations.length).toBeLessThanOrEqual(1);
    for (const { values, warnings } of configurations) {
      imagesOfConfiguration(values);
      expect(JSON.stringify(warnings)).not.toContain('CANARY');
    }
  });
  fuzz('hub configuration texts', property, { short: 1000, long: 25_000 });
  expect(found).toBeGreaterThan(100);
}, 600_000);

const name = fc.stringMatching(/^[a-z]{1,8}$/);
/** Where an image may stand → values with it there. */
const PLACES: Record<string, (image: string) => Mapping> = {
  'singleuser.image': (image) => ({ singleuser: { image } }),
  'singleuser.initContainers[0].image': (image) => ({ singleuser: { initContainers: [{ name: 'a', image }] } }),
  'singleuser.extraContainers[0].image': (image) => ({ singleuser: { extraContainers: [{ name: 'a', image }] } }),
  'singleuser.profileList[0].kubespawner_override.image': (image) => ({
    singleuser: { profileList: [{ display_name: 'a', kubespawner_override: { image } }] },
  }),
};

test('an image is found whatever stands around it', () => {
  const property = fc.property(mapping, name, fc.constantFrom(...Object.keys(PLACES)), (noise, image, place) => {
    const reference = `quay.io/${image}:1`;
    const own = PLACES[place]!(reference);
    const around = noise.singleuser;
    const singleuser = {
      ...(typeof around === 'object' && !Array.isArray(around) ? around : {}),
      ...(own.singleuser as Mapping),
    };
    const values = JSON.parse(asJson({ ...noise, singleuser })) as Mapping;
    const [configuration] = findHubConfigurations([configurationSecret(asJson(values))]);
    const { images } = imagesOfConfiguration(configuration!.values);
    expect(images).toContainEqual(expect.objectContaining({ reference, path: place }));
  });
  fuzz('images in hub values', property, { short: 1000, long: 10_000 });
}, 600_000);
