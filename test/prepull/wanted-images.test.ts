/** The pull list of a hub: its configuration joined with its rendered pullers. */
import fc from 'fast-check';
import { UserError } from '../../src/errors.ts';
import { findHubs, type Hub } from '../../src/manifest/hubs.ts';
import type { KubeObject } from '../../src/manifest/manifest.ts';
import { wantedImages, type ImageOptions } from '../../src/prepull/wanted-images.ts';
import { configurationSecret, puller } from '../manifest/hub-objects.ts';

const OPTIONS: ImageOptions = { images: [], profileImages: 'auto', mutableTags: ['latest'] };

function hubOf(...objects: KubeObject[]): Hub {
  const hubs = findHubs(objects);
  expect(hubs).toHaveLength(1);
  return hubs[0]!;
}

function written(hub: Hub, options: Partial<ImageOptions> = {}): string[] {
  return wantedImages(hub, { ...OPTIONS, ...options }).images.map((image) => image.written);
}

describe('wantedImages', () => {
  test('the configuration’s images, then what only the pullers list, then the user’s own', () => {
    const secret = configurationSecret(
      'singleuser: {image: {name: default, tag: "1"}, initContainers: [{name: i, image: "init:1"}]}',
    );
    const hub = hubOf(secret, puller('hook', ['tools:1', 'default:1']), puller('continuous', ['default:1', 'site:1']));
    expect(written(hub, { images: ['own:1', 'tools:1'] })).toEqual([
      'default:1',
      'init:1',
      'tools:1',
      'site:1',
      'own:1',
    ]);
    expect(wantedImages(hub, OPTIONS).images[0]?.sources).toEqual([
      { object: 'Secret/hub', path: 'singleuser.image' },
      { object: 'DaemonSet/hook-image-puller', path: 'spec.template.spec.initContainers[1].image' },
      { object: 'DaemonSet/continuous-image-puller', path: 'spec.template.spec.initContainers[0].image' },
    ]);
    expect(wantedImages(hub, { ...OPTIONS, images: ['own:1'] }).images.at(-1)?.sources).toEqual([
      { object: 'parameter', path: 'images[0]' },
    ]);
  });

  test('the pause image is apart, unless something else needs it', () => {
    const pause = 'registry.k8s.io/pause:3.10';
    const hub = hubOf(puller('hook', ['a:1']));
    expect(wantedImages(hub, OPTIONS).pauseImage).toBe(pause);
    expect(written(hub)).toEqual(['a:1']);
    expect(written(hubOf(puller('hook', ['a:1', pause])))).toEqual(['a:1', pause]);
    expect(wantedImages(hub, { ...OPTIONS, pauseImage: 'local/pause:1' }).pauseImage).toBe('local/pause:1');
    expect('pauseImage' in wantedImages(hubOf(configurationSecret('singleuser: {}')), OPTIONS)).toBe(false);
  });

  test('R-08: a null image in a puller is no image', () => {
    expect(written(hubOf(puller('hook', ['a:1', null, 5, '', undefined])))).toEqual(['a:1']);
  });

  test('R-01: a tag that Helm rewrote names the key in the values', () => {
    const hub = hubOf(
      configurationSecret('singleuser: {image: {name: quay.io/a/nb, tag: 20240101}}'),
      puller('hook', ['quay.io/a/nb:2.0240101e+07']),
    );
    expect(() => wantedImages(hub, OPTIONS)).toThrow(UserError);
    expect(() => wantedImages(hub, OPTIONS)).toThrow(
      /^cannot pull "quay\.io\/a\/nb:2\.0240101e\+07" \(.*set by singleuser\.image\.tag\)/,
    );
    const quoted = hubOf(
      configurationSecret('singleuser: {image: {name: quay.io/a/nb, tag: "1.0"}}'),
      puller('hook', ['quay.io/a/nb:1.0']),
    );
    expect(written(quoted)).toEqual(['quay.io/a/nb:1.0']);
  });

  test('R-02: an empty tag names the key; a tag nobody can pull is left out', () => {
    const empty = hubOf(configurationSecret('singleuser: {image: {name: x, tag: ""}}'));
    expect(() => wantedImages(empty, OPTIONS)).toThrow(/set by singleuser\.image\.tag/);
    const unpackaged = hubOf(puller('hook', ['jupyterhub/k8s-network-tools:set-by-chartpress', 'a:1']));
    expect(written(unpackaged)).toEqual(['a:1']);
    expect(wantedImages(unpackaged, OPTIONS).skipped).toHaveLength(1);
  });

  test('R-05: image_spec and free text are remarks, not images', () => {
    const values = `
singleuser:
  profileList:
    - kubespawner_override: {image_spec: "old/x:1"}
    - profile_options:
        image: {unlisted_choice: {enabled: true, kubespawner_override: {image: "{value}"}}}
`;
    const wanted = wantedImages(hubOf(configurationSecret(values)), OPTIONS);
    expect(wanted.images).toEqual([]);
    expect(wanted.warnings.map(({ fields }) => fields)).toEqual([
      { object: 'Secret/hub', path: 'singleuser.profileList[0].kubespawner_override.image_spec' },
      { object: 'Secret/hub', path: 'singleuser.profileList[1].profile_options.image.unlisted_choice' },
    ]);
  });

  test('R-10: the reading fixture', () => {
    const hex = '0123456789abcdef'.repeat(4);
    const values = `
singleuser:
  image: {name: "reg.local:5000/team/nb@sha256", tag: "${hex}"}
  networkTools: {image: {name: quay.io/jupyterhub/k8s-network-tools, tag: "4.4.0"}}
  cloudMetadata: {blockWithIptables: true}
  extraContainers: [{name: noimg}, {name: side, image: "gcr.io/distroless/static"}]
  profileList:
    - {display_name: A}
    - display_name: B
      kubespawner_override: {image: "reg.local:5000/team/gpu"}
      profile_options:
        Image_Type:
          unlisted_choice: {enabled: true, kubespawner_override: {image: "{value}"}}
          choices:
            py_311.x: {kubespawner_override: {image: "quay.io/x/py:3.11@sha256:${hex}"}}
prePuller: {extraImages: {myExtra: {name: quay.io/z, tag: "1.20"}}}
`;
    const wanted = wantedImages(hubOf(configurationSecret(values)), OPTIONS);
    expect(wanted.images.map((image) => image.written)).toEqual([
      `reg.local:5000/team/nb@sha256:${hex}`,
      'quay.io/jupyterhub/k8s-network-tools:4.4.0',
      'gcr.io/distroless/static',
      'reg.local:5000/team/gpu',
      `quay.io/x/py:3.11@sha256:${hex}`,
      'quay.io/z:1.20',
    ]);
    expect(wanted.warnings.map(({ message }) => message)).toEqual([
      'a container of user pods names no image',
      'users may type any image here, it cannot be pulled ahead',
      // Two images without a tag, which is `latest`.
      'a tag that may move is pulled anew each time',
      'a tag that may move is pulled anew each time',
    ]);
  });

  test('remarks carry the object they are about', () => {
    const { warnings } = wantedImages(hubOf(configurationSecret('singleuser: {profileList: x}')), OPTIONS);
    expect(warnings).toEqual([
      {
        message: 'the profile list is not a list, its images are not known',
        fields: { object: 'Secret/hub', path: 'singleuser.profileList' },
      },
    ]);
  });
});

describe('profile-images', () => {
  const values = (pullProfileListImages: boolean): string => `
singleuser:
  image: {name: default, tag: "1"}
  profileList:
    - kubespawner_override: {image: "profile:1"}
    - kubespawner_override: {image: "docker.io/library/default:1"}
prePuller: {pullProfileListImages: ${String(pullProfileListImages)}}
`;

  test.each([
    ['auto', true, ['default:1', 'profile:1']],
    ['auto', false, ['default:1']],
    ['all', false, ['default:1', 'profile:1']],
    ['none', true, ['default:1']],
  ] as const)('%s with pullProfileListImages %s', (profileImages, chartSays, images) => {
    const hub = hubOf(configurationSecret(values(chartSays)));
    expect(written(hub, { profileImages })).toEqual(images);
    const { skipped, warnings } = wantedImages(hub, { ...OPTIONS, profileImages });
    expect(skipped.map(({ reference }) => reference)).toEqual(images.length === 2 ? [] : ['profile:1']);
    const selectable = warnings.filter(({ message }) =>
      message.startsWith('an image is selectable but not pre-pulled'),
    );
    expect(selectable.map(({ fields }) => fields.image)).toEqual(
      profileImages === 'auto' && !chartSays ? ['profile:1'] : [],
    );
  });

  test('auto keeps what a puller lists all the same; none takes it out there too', () => {
    const hub = hubOf(configurationSecret(values(false)), puller('continuous', ['default:1', 'profile:1']));
    expect(written(hub)).toEqual(['default:1', 'profile:1']);
    expect(wantedImages(hub, OPTIONS).skipped).toEqual([]);
    expect(written(hub, { profileImages: 'none' })).toEqual(['default:1']);
  });

  test('none takes it out of a puller that writes it in another way', () => {
    const written = puller('continuous', ['default:1', 'docker.io/library/profile:1']);
    const hub = hubOf(configurationSecret(values(false)), written);
    const { images } = wantedImages(hub, { ...OPTIONS, profileImages: 'none' });
    expect(images.map(({ reference }) => reference)).toEqual(['docker.io/library/default:1']);
  });

  test('a mistake in an image that is left out stops nothing', () => {
    const hub = hubOf(configurationSecret('singleuser: {profileList: [{kubespawner_override: {image: "NOT VALID"}}]}'));
    expect(written(hub, { profileImages: 'none' })).toEqual([]);
    expect(() => wantedImages(hub, OPTIONS)).toThrow(UserError);
  });
});

test('whatever the types, nothing but a UserError is thrown', () => {
  const keys = [
    'image',
    'name',
    'tag',
    'singleuser',
    'profileList',
    'kubespawner_override',
    'profile_options',
    'choices',
    'initContainers',
    'imagePullSecrets',
  ];
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<unknown>(null, 5, '', 'a:1', true, 'A B', '{value}'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, fc.constantFrom('auto', 'all', 'none'), (singleuser, podSpec, profileImages) => {
      const secret = configurationSecret(JSON.stringify({ singleuser }));
      const hostile = { ...puller('hook', []), spec: { template: { spec: podSpec } } };
      for (const hub of findHubs([secret, hostile])) {
        try {
          wantedImages(hub, { ...OPTIONS, profileImages });
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }
    }),
  );
});
