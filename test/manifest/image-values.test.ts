/** What is no image becomes a remark with its path; which pull policy counts. */
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

describe('K-05: what is named but cannot be known ahead is a remark with its path', () => {
  const profile = (rest: object): Mapping => ({ singleuser: { profileList: [rest] } });
  const option = (rest: object): Mapping => profile({ profile_options: { o: rest } });
  const free = { kubespawner_override: { image: '{value}' } };

  test.each<[string, Mapping, string | undefined]>([
    [
      'R-08: a container without image',
      { singleuser: { extraContainers: [{ name: 'noimg' }] } },
      'singleuser.extraContainers[0]: a container of user pods names no image',
    ],
    [
      'R-08: a null image',
      { singleuser: { initContainers: [{ image: null }] } },
      'singleuser.initContainers[0]: a container of user pods names no image',
    ],
    [
      'R-05: image_spec',
      profile({ kubespawner_override: { image_spec: 'old/x:1' } }),
      'singleuser.profileList[0].kubespawner_override.image_spec: image_spec is not read by the hub any more: use image',
    ],
    [
      'R-05: image_spec beside the override',
      profile({ image_spec: 'old/x:1' }),
      'singleuser.profileList[0].image_spec: image_spec is not read by the hub any more: use image',
    ],
    [
      'R-05: free text',
      option({ unlisted_choice: { enabled: true, ...free } }),
      'singleuser.profileList[0].profile_options.o.unlisted_choice: users may type any image here, it cannot be pulled ahead',
    ],
    ['free text that is off', option({ unlisted_choice: { enabled: false, ...free } }), undefined],
    [
      'free text for something else',
      option({ unlisted_choice: { enabled: true, kubespawner_override: { cpu: '{value}' } } }),
      undefined,
    ],
    [
      'built images',
      option({ dynamic_image_building: { enabled: true } }),
      'singleuser.profileList[0].profile_options.o.dynamic_image_building: users may build images here, they cannot be pulled ahead',
    ],
    [
      'Python',
      { hub: { extraConfig: { '10-profiles': 'c.KubeSpawner.profile_list = build()' } } },
      'hub.extraConfig.10-profiles: Python code handles the profile list: images it adds are not known',
    ],
    [
      'Python in a file',
      { hub: { extraFiles: { p: { stringData: 'c.KubeSpawner.profile_list = f' } } } },
      'hub.extraFiles.p.stringData: Python code handles the profile list: images it adds are not known',
    ],
    [
      'Python in one text',
      { hub: { extraConfig: 'c.KubeSpawner.profile_list = f' } },
      'hub.extraConfig: Python code handles the profile list: images it adds are not known',
    ],
    ['other Python', { hub: { extraConfig: { a: 'c.Spawner.cmd = []' } } }, undefined],
    [
      'spawner settings',
      { hub: { config: { KubeSpawner: { image: 'x' } } } },
      'hub.config.KubeSpawner.image: images set here are not read: set them under singleuser or prePuller.extraImages',
    ],
    [
      'R-01: a tag that is a number',
      { singleuser: { image: image('a', 1.1) } },
      'singleuser.image.tag: a tag is a number: quote it, Helm rewrites numbers',
    ],
    [
      'an image that is a number',
      { singleuser: { initContainers: [{ image: 5 }] } },
      'singleuser.initContainers[0].image: an image is not text',
    ],
    ['an image without a name', { singleuser: { image: { tag: '1' } } }, 'singleuser.image: an image has no name'],
    [
      'a tag that is a mapping',
      { singleuser: { image: image('a', {}) } },
      'singleuser.image: a tag or digest is not text',
    ],
    [
      'a profile list that is text',
      { singleuser: { profileList: 'x' } },
      'singleuser.profileList: the profile list is not a list, its images are not known',
    ],
    [
      'a profile that is text',
      { singleuser: { profileList: ['x'] } },
      'singleuser.profileList[0]: a profile is not a mapping, its images are not known',
    ],
    [
      'containers that are text',
      { singleuser: { extraContainers: 'x' } },
      'singleuser.extraContainers: this is neither a list nor a mapping, its images are not known',
    ],
  ])('%s', (_, values, warning) => {
    expect(warned(values)).toEqual(warning === undefined ? [] : [warning]);
  });

  test('free text is never an image, a number tag is the hub’s own reading', () => {
    expect(listed(option({ unlisted_choice: { enabled: true, ...free } }))).toEqual([]);
    expect(listed({ singleuser: { image: image('a', 20240101) } })).toEqual(['singleuser.image a:20240101']);
    expect(listed({ singleuser: { image: image('a', 12345678901234567890n) } })).toEqual([
      'singleuser.image a:12345678901234567890',
    ]);
  });
});

describe('H-22: pull policies', () => {
  test.each<[string, Mapping, boolean]>([
    ['default image', { singleuser: { image: image('a', '1', { pullPolicy: 'Always' }) } }, true],
    ['IfNotPresent', { singleuser: { image: image('a', '1', { pullPolicy: 'IfNotPresent' }) } }, false],
    ['extra image', { prePuller: { extraImages: { x: image('a', '1', { pullPolicy: 'Always' }) } } }, true],
    ['container', { singleuser: { initContainers: [{ image: 'a', imagePullPolicy: 'Always' }] } }, true],
    [
      'override',
      { singleuser: { profileList: [{ kubespawner_override: { image: 'a', image_pull_policy: 'Always' } }] } },
      true,
    ],
    ['wrong type', { singleuser: { image: image('a', '1', { pullPolicy: ['Always'] }) } }, false],
  ])('%s', (_, values, always) => {
    expect(imagesOfConfiguration(values).images.map((found) => found.always)).toEqual([always]);
  });

  test('a profile keeps the default image’s policy unless it has its own', () => {
    const values = {
      singleuser: {
        image: image('a', '1', { pullPolicy: 'Always' }),
        profileList: [
          { kubespawner_override: { image: 'b' } },
          { kubespawner_override: { image: 'c', image_pull_policy: 'IfNotPresent' } },
        ],
      },
    };
    expect(imagesOfConfiguration(values).images.map((found) => found.always)).toEqual([true, true, false]);
  });
});
