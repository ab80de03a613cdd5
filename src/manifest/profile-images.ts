/**
 * The images `singleuser.profileList` offers: overrides of a profile and of its options' choices, as kubespawner applies them.
 * `unlisted_choice` and `dynamic_image_building` let users type any image: nothing to pull, a remark each.
 */
import { entriesOf, imageOfText, imagesOfContainers, join, NOTHING, warn, type ImagesFound } from './image-values.ts';
import { asMapping, asText, valueAt } from './mapping.ts';

const PROFILE_LIST = 'singleuser.profileList';

/** `pullPolicy` is the default image's: kubespawner keeps it for other images unless an override says otherwise. */
export function imagesOfProfileList(profileList: unknown, pullPolicy: unknown): ImagesFound {
  if (profileList === undefined || profileList === null) return NOTHING;
  if (!Array.isArray(profileList) && asMapping(profileList) === undefined)
    return warn('the profile list is not a list, its images are not known', PROFILE_LIST);
  const { images, warnings } = join(
    entriesOf(profileList, PROFILE_LIST).map(([profile, path]) => imagesOfProfile(profile, path, pullPolicy)),
  );
  return { images: images.map((image) => ({ ...image, profile: true })), warnings };
}

function imagesOfProfile(profile: unknown, path: string, pullPolicy: unknown): ImagesFound {
  if (asMapping(profile) === undefined) return warn('a profile is not a mapping, its images are not known', path);
  const options = entriesOf(valueAt(profile, 'profile_options'), `${path}.profile_options`);
  const { images, warnings } = join([
    warnOfImageSpec(profile, path),
    imagesOfOverride(valueAt(profile, 'kubespawner_override'), `${path}.kubespawner_override`, pullPolicy),
    ...options.map(([option, at]) => imagesOfOption(option, at, pullPolicy)),
  ]);
  const profileName = asText(valueAt(profile, 'display_name'));
  return profileName === undefined
    ? { images, warnings }
    : { images: images.map((image) => ({ ...image, profileName })), warnings };
}

function imagesOfOption(option: unknown, path: string, pullPolicy: unknown): ImagesFound {
  const choices = entriesOf(valueAt(option, 'choices'), `${path}.choices`);
  return join([
    ...choices.map(([choice, at]) =>
      imagesOfOverride(valueAt(choice, 'kubespawner_override'), `${at}.kubespawner_override`, pullPolicy),
    ),
    ...freeChoices(option, path),
  ]);
}

/** An empty or absent image leaves the default one in place. */
function imagesOfOverride(override: unknown, path: string, pullPolicy: unknown): ImagesFound {
  const image = valueAt(override, 'image');
  const policy = valueAt(override, 'image_pull_policy') ?? pullPolicy;
  return join([
    image === undefined || image === null || image === '' ? NOTHING : imageOfText(image, `${path}.image`, policy),
    imagesOfContainers(valueAt(override, 'init_containers'), `${path}.init_containers`),
    imagesOfContainers(valueAt(override, 'extra_containers'), `${path}.extra_containers`),
    warnOfImageSpec(override, path),
  ]);
}

/** kubespawner renamed it to `image` in 2018 and reads it no more. */
function warnOfImageSpec(holder: unknown, path: string): ImagesFound {
  return (valueAt(holder, 'image_spec') ?? undefined) === undefined
    ? NOTHING
    : warn('image_spec is not read by the hub any more: use image', `${path}.image_spec`);
}

function freeChoices(option: unknown, path: string): ImagesFound[] {
  const unlisted = valueAt(option, 'unlisted_choice');
  const offersImage = (valueAt(unlisted, 'kubespawner_override', 'image') ?? undefined) !== undefined;
  const isFree = valueAt(unlisted, 'enabled') === true && offersImage;
  const isBuilt = valueAt(option, 'dynamic_image_building', 'enabled') === true;
  return [
    isFree ? warn('users may type any image here, it cannot be pulled ahead', `${path}.unlisted_choice`) : NOTHING,
    isBuilt
      ? warn('users may build images here, they cannot be pulled ahead', `${path}.dynamic_image_building`)
      : NOTHING,
  ];
}
