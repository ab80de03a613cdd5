/** The parameters of the plan: what is pulled, what waits for it, and at which priority. */
import { CONTINUOUS_PRIORITIES, GATES, PROFILE_IMAGES, PULL_METHODS } from '../api/choices.ts';
import type { Gate, ProfileImages, PullMethod } from '../api/choices.ts';
import { choice, list, text, toggle } from './parameter.ts';
import type { Parameter, ParameterTable } from './parameter.ts';

export interface PullSettings {
  gate: Gate;
  image?: string;
  images: readonly string[];
  pullMethod: PullMethod;
  profileImages: ProfileImages;
  mutableTags: readonly string[];
  pauseImage?: string;
  continuous: boolean;
  continuousPriority: string;
  emitPriorityClass: boolean;
  emitNodeRole: boolean;
}

/** Kubernetes' rule for object names: a DNS subdomain (apimachinery validation.IsDNS1123Subdomain). */
const OBJECT_NAME = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

const continuousPriority: Parameter<string> = {
  name: 'continuous-priority',
  title: 'Priority of the continuous puller',
  tooltip:
    'auto: placeholder, in the wave gate above-placeholder. placeholder: as the user placeholders. above-placeholder: ' +
    'between placeholders and users. chart: as the chart says. Or the name of a PriorityClass that exists.',
  type: 'string',
  default: 'auto',
  takes: `${CONTINUOUS_PRIORITIES.join(', ')} or the name of a PriorityClass`,
  read: (value) => (typeof value === 'string' && OBJECT_NAME.test(value) ? value : undefined),
};

export const PULL_PARAMETERS: ParameterTable<PullSettings> = {
  gate: choice(
    {
      name: 'gate',
      title: 'What Argo CD waits for',
      tooltip:
        'presync: a PreSync hook pulls before anything changes; Argo CD skips hooks on self-heal and selective syncs. ' +
        'wave: the continuous puller comes in a wave before the hub; it does not hold when the puller is not part of the ' +
        'operation (a selective sync of the hub alone, a retry with ApplyOutOfSyncOnly). job: a PreSync Job waits, for ' +
        'Argo CDs without custom health; needs image. none: nothing waits.',
    },
    GATES,
    'presync',
  ),
  image: text(
    {
      name: 'image',
      title: 'Our own image',
      tooltip:
        'The container image with the prepuller program, for the Job of the job gate. Required there, unused elsewhere.',
    },
    'an image reference',
  ),
  images: list({
    name: 'images',
    title: 'More images',
    tooltip: 'Images to pull beside those found in the app.',
  }),
  pullMethod: choice(
    {
      name: 'pull-method',
      title: 'How pods pull',
      tooltip:
        'containers: one container an image, so that a bad one hides no other. init: the chain of init containers the chart ' +
        'makes. volume: image volumes, nothing of the image runs (Kubernetes 1.35, or the ImageVolume feature gate).',
    },
    PULL_METHODS,
    'containers',
  ),
  profileImages: choice(
    {
      name: 'profile-images',
      title: 'Images of profiles',
      tooltip: 'Images found only in the profile list. auto: as prePuller.pullProfileListImages of the chart says.',
    },
    PROFILE_IMAGES,
    'auto',
  ),
  mutableTags: list(
    {
      name: 'mutable-tags',
      title: 'Tags that move',
      tooltip: 'Images with these tags are pulled again even where a node has them. No tag counts as latest.',
    },
    ['latest'],
  ),
  pauseImage: text(
    {
      name: 'pause-image',
      title: 'Pause image',
      tooltip: 'Replaces the pause image of every puller, for clusters that reach an internal registry only.',
    },
    'an image reference',
  ),
  continuous: toggle(
    {
      name: 'continuous',
      title: 'Continuous puller in any case',
      tooltip: 'Build a puller for new nodes where the chart renders none. The wave gate builds it anyway.',
    },
    false,
  ),
  continuousPriority,
  emitPriorityClass: toggle(
    {
      name: 'emit-priority-class',
      title: 'Make PriorityClasses',
      tooltip: 'Set false where the AppProject forbids them: one forbidden object fails the whole sync.',
    },
    true,
  ),
  emitNodeRole: toggle(
    {
      name: 'emit-node-role',
      title: 'Let the job gate read nodes',
      tooltip: 'Adds a ClusterRole to the job gate, so that its verdict can tell late and unready nodes apart.',
    },
    false,
  ),
};
