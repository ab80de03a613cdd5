/** Every place of the chart's values that names an image, in pull order. */
import fc from 'fast-check';
import { imagesOfConfiguration } from '../../src/manifest/configured-images.ts';
import type { Mapping } from '../../src/manifest/mapping.ts';

const image = (name: string, tag?: unknown, rest: object = {}): object => ({
  name,
  ...(tag !== undefined && { tag }),
  ...rest,
});

function listed(values: Mapping): string[] {
  return imagesOfConfiguration(values).images.map(({ reference, path }) => `${path} ${reference}`);
}

function warned(values: Mapping): string[] {
  return imagesOfConfiguration(values).warnings.map(({ message, fields }) => `${fields.path ?? '?'}: ${message}`);
}

describe('R-08: everything a user pod can need, with the values path of each', () => {
  const override = (name: string): object => ({ kubespawner_override: { image: name } });

  test.each<[string, Mapping, string[]]>([
    ['the default image', { singleuser: { image: image('a', '1') } }, ['singleuser.image a:1']],
    ['an image in one text', { singleuser: { image: 'a:1' } }, ['singleuser.image a:1']],
    ['a name without a tag', { singleuser: { image: image('a', null) } }, ['singleuser.image a']],
    ['an empty tag stays a mistake to be found', { singleuser: { image: image('a', '') } }, ['singleuser.image a:']],
    [
      'R-03: a digest behind the name',
      { singleuser: { image: image('r:5000/a@sha256', 'abc') } },
      ['singleuser.image r:5000/a@sha256:abc'],
    ],
    [
      "Bitnami's digest key",
      { singleuser: { image: image('a', '1', { digest: 'sha256:abc' }) } },
      ['singleuser.image a:1@sha256:abc'],
    ],
    [
      "Bitnami's empty digest key",
      { singleuser: { image: image('a', '1', { digest: null }) } },
      ['singleuser.image a:1'],
    ],
    [
      'network tools where they block the metadata server',
      { singleuser: { networkTools: { image: image('n', '1') }, cloudMetadata: { blockWithIptables: true } } },
      ['singleuser.networkTools.image n:1'],
    ],
    [
      'no network tools where they do not',
      { singleuser: { networkTools: { image: image('n', '1') }, cloudMetadata: { blockWithIptables: false } } },
      [],
    ],
    [
      'the old key: enabled access means no network tools',
      {
        singleuser: {
          networkTools: { image: image('n', '1') },
          cloudMetadata: { enabled: true, blockWithIptables: true },
        },
      },
      [],
    ],
    [
      'the old key: access off means network tools',
      { singleuser: { networkTools: { image: image('n', '1') }, cloudMetadata: { enabled: false } } },
      ['singleuser.networkTools.image n:1'],
    ],
    [
      'init containers',
      { singleuser: { initContainers: [{ name: 'i', image: 'i:1' }] } },
      ['singleuser.initContainers[0].image i:1'],
    ],
    [
      'extra containers as a mapping',
      { singleuser: { extraContainers: { side: { image: 'e:1' } } } },
      ['singleuser.extraContainers.side.image e:1'],
    ],
    [
      'a profile',
      { singleuser: { profileList: [{}, override('p:1')] } },
      ['singleuser.profileList[1].kubespawner_override.image p:1'],
    ],
    [
      'init and extra containers of a profile',
      {
        singleuser: {
          profileList: [
            { kubespawner_override: { init_containers: [{ image: 'i:1' }], extra_containers: [{ image: 'e:1' }] } },
          ],
        },
      },
      [
        'singleuser.profileList[0].kubespawner_override.init_containers[0].image i:1',
        'singleuser.profileList[0].kubespawner_override.extra_containers[0].image e:1',
      ],
    ],
    [
      'R-05: choices of profile options, containers inside them too',
      {
        singleuser: {
          profileList: [
            {
              profile_options: {
                image: {
                  choices: { x: { kubespawner_override: { image: 'c:1', init_containers: [{ image: 'i:1' }] } } },
                },
              },
            },
          ],
        },
      },
      [
        'singleuser.profileList[0].profile_options.image.choices.x.kubespawner_override.image c:1',
        'singleuser.profileList[0].profile_options.image.choices.x.kubespawner_override.init_containers[0].image i:1',
      ],
    ],
    [
      'extra images',
      { singleuser: {}, prePuller: { extraImages: { myExtra: image('x', '1.20') } } },
      ['prePuller.extraImages.myExtra x:1.20'],
    ],
    ['an override with an empty image keeps the default', { singleuser: { profileList: [override('')] } }, []],
    ['no configuration at all', {}, []],
  ])('%s', (_, values, images) => {
    expect(listed(values)).toEqual(images);
    expect(warned(values)).toEqual([]);
  });

  test('R-07: pull order is the default image, then by place', () => {
    const values = {
      prePuller: { extraImages: { z: image('last', '1') } },
      singleuser: {
        profileList: [override('profile:1')],
        extraContainers: [{ image: 'extra:1' }],
        initContainers: [{ image: 'init:1' }],
        networkTools: { image: image('tools', '1') },
        cloudMetadata: { blockWithIptables: true },
        image: image('default', '1'),
      },
    };
    expect(imagesOfConfiguration(values).images.map(({ reference }) => reference)).toEqual([
      'default:1',
      'tools:1',
      'init:1',
      'extra:1',
      'profile:1',
      'last:1',
    ]);
    expect(imagesOfConfiguration(values).images.map(({ profile }) => profile)).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});

test.each([
  ['not said', {}, true],
  ['true', { prePuller: { pullProfileListImages: true } }, true],
  ['false', { prePuller: { pullProfileListImages: false } }, false],
  ['text', { prePuller: { pullProfileListImages: 'false' } }, true],
])('pullProfileListImages: %s', (_, values, expected) => {
  expect(imagesOfConfiguration(values).pullProfileListImages).toBe(expected);
});

test('never throws, whatever the types', () => {
  const keys = [
    'image',
    'name',
    'tag',
    'profileList',
    'kubespawner_override',
    'profile_options',
    'choices',
    'initContainers',
    'init_containers',
    'unlisted_choice',
  ];
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<unknown>(null, 5, '', 'a:1', true, 1n, '{value}'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, tree, (singleuser, prePuller, hub) => {
      for (const found of imagesOfConfiguration({ singleuser, prePuller, hub }).images)
        expect(typeof found.reference).toBe('string');
    }),
  );
});
