/** Getting one image for a pod by its pull policy, with the events and the back-off of pkg/kubelet/images/image_manager.go. */
import { createBackoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { NodeImages } from './node-images.ts';
import { goDuration } from './pod-status.ts';
import { invalidReference } from './pull-errors.ts';

export type EventWriter = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** The image cannot be had now: what the container waits with, and the milliseconds until it makes sense to look again. */
export interface Missing {
  reason: 'ErrImagePull' | 'ImagePullBackOff' | 'InvalidImageName' | 'ErrImageNeverPull';
  message: string;
  wait: number;
}

export interface Wanted {
  image: string;
  policy: string;
  tell: EventWriter;
}

/** Undefined when the image is there. */
export type EnsureImage = (wanted: Wanted) => Promise<Missing | undefined>;

const FIRST_BACKOFF = 10_000;
const LONGEST_BACKOFF = 300_000;
/** The kubelet's next look at its pod: soon behind a failed attempt, else every ten seconds. */
export const SOON = 1_500;
export const SYNC = 10_000;

/** For one pod: back-offs are kept by pod and image. */
export function createImagePuller(clock: Clock, images: NodeImages): EnsureImage {
  const backoff = createBackoff(FIRST_BACKOFF, LONGEST_BACKOFF);
  const errors = new Map<string, string>();

  async function pull({ image, tell }: Wanted): Promise<Missing | undefined> {
    tell('Normal', 'Pulling', `Pulling image "${image}"`);
    const { error, took, waited, bytes } = await images.pull(image);
    if (error === undefined) {
      const times = `in ${goDuration(took)} (${goDuration(waited)} including waiting)`;
      tell('Normal', 'Pulled', `Successfully pulled image "${image}" ${times}. Image size: ${String(bytes)} bytes.`);
      return undefined;
    }
    backoff.next(image, clock.now());
    errors.set(image, error);
    tell('Warning', 'Failed', `Failed to pull image "${image}": ${error}`);
    return { reason: 'ErrImagePull', message: error, wait: SOON };
  }

  return async (wanted) => {
    const { image, policy, tell } = wanted;
    const refused = refusal(wanted, images.has(image));
    if (refused !== undefined) return refused;
    if (images.has(image) && policy !== 'Always') {
      tell('Normal', 'Pulled', `Container image "${image}" already present on machine`);
      return undefined;
    }
    const wait = backoff.left(image, clock.now());
    if (wait === 0) return pull(wanted);
    const text = `Back-off pulling image "${image}"`;
    tell('Normal', 'BackOff', text);
    return { reason: 'ImagePullBackOff', message: `${text}: ErrImagePull: ${errors.get(image) ?? ''}`, wait };
  };
}

/** What is refused without any attempt at a registry, and without a back-off. */
function refusal({ image, policy, tell }: Wanted, present: boolean): Missing | undefined {
  const invalid = invalidReference(image);
  if (invalid !== undefined) {
    tell('Warning', 'InspectFailed', invalid);
    return { reason: 'InvalidImageName', message: invalid, wait: SYNC };
  }
  if (policy !== 'Never' || present) return undefined;
  const message = `Container image "${image}" is not present with pull policy of Never`;
  tell('Warning', 'ErrImageNeverPull', message);
  return { reason: 'ErrImageNeverPull', message, wait: SYNC };
}
