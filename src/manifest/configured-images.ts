/**
 * Every image a user pod can need by the chart's values, with the values path of each. Mirrors what the hub and kubespawner read
 * from them, which is more than zero-to-jupyterhub's own puller template does.
 */
import type { Warning } from '../api/warning.ts';
import { asList, asMapping, asText, valueAt, type Mapping } from './mapping.ts';
import { entriesOf, imageOfParts, imagesOfContainers, NOTHING, warn, type ConfiguredImage } from './image-values.ts';
import { imagesOfProfileList } from './profile-images.ts';

export interface ConfiguredImages {
  /** In pull order: the default image first. Duplicates kept. */
  images: ConfiguredImage[];
  /** `prePuller.pullProfileListImages`; true where the chart does not say. */
  pullProfileListImages: boolean;
  warnings: Warning[];
}

/** Never throws: what is no image is a warning that names its path. */
export function imagesOfConfiguration(values: Mapping): ConfiguredImages {
  const { image, networkTools, initContainers, extraContainers, profileList } = asMapping(values.singleuser) ?? {};
  const found = [
    imageOfParts(image, 'singleuser.image'),
    blocksMetadata(values) ? imageOfParts(valueAt(networkTools, 'image'), 'singleuser.networkTools.image') : NOTHING,
    imagesOfContainers(initContainers, 'singleuser.initContainers'),
    imagesOfContainers(extraContainers, 'singleuser.extraContainers'),
    imagesOfProfileList(profileList, valueAt(image, 'pullPolicy')),
    ...entriesOf(valueAt(values, 'prePuller', 'extraImages'), 'prePuller.extraImages').map(([extra, path]) =>
      imageOfParts(extra, path),
    ),
  ];
  return {
    images: found.flatMap((part) => part.images),
    pullProfileListImages: valueAt(values, 'prePuller', 'pullProfileListImages') !== false,
    warnings: [...found.flatMap((part) => part.warnings), ...warningsOnCode(values)],
  };
}

/** Whether user pods get the init container that blocks the metadata server; `enabled` is the key of charts before 0.9. */
function blocksMetadata(values: Mapping): boolean {
  const metadata = asMapping(valueAt(values, 'singleuser', 'cloudMetadata')) ?? {};
  return 'enabled' in metadata ? metadata.enabled !== true : metadata.blockWithIptables === true;
}

/** Images that only a running hub knows. */
function warningsOnCode(values: Mapping): Warning[] {
  const extraConfig = valueAt(values, 'hub', 'extraConfig');
  const texts: [unknown, string][] = [
    [extraConfig, 'hub.extraConfig'],
    ...entriesOf(extraConfig, 'hub.extraConfig'),
    ...entriesOf(valueAt(values, 'hub', 'extraFiles'), 'hub.extraFiles').map(([file, path]): [unknown, string] => [
      valueAt(file, 'stringData'),
      `${path}.stringData`,
    ]),
  ];
  const inPython = texts
    .filter(([text]) => typeof text === 'string' && /\bprofile_list\b/.test(text))
    .flatMap(([, path]) => warn('Python code handles the profile list: images it adds are not known', path).warnings);
  const spawner = asMapping(valueAt(values, 'hub', 'config', 'KubeSpawner')) ?? {};
  const inConfig = ['image', 'profile_list', 'init_containers', 'extra_containers']
    .filter((key) => asText(spawner[key]) !== undefined || asList(spawner[key]).length > 0)
    .flatMap((key) => {
      const path = `hub.config.KubeSpawner.${key}`;
      return warn('images set here are not read: set them under singleuser or prePuller.extraImages', path).warnings;
    });
  return [...inPython, ...inConfig];
}
