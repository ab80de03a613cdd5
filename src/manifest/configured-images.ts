/**
 * Every image a user pod can need by the chart's values, with the values path of each. Mirrors what kubespawner reads from them,
 * which is more than zero-to-jupyterhub's own puller template does.
 */
import type { Warning } from '../api/warning.ts';

/** One image the configuration names. */
export interface ConfiguredImage {
  reference: string;
  /** Values path, such as `singleuser.profileList[0].kubespawner_override.image`. */
  path: string;
  /** User pods pull it each time (`pullPolicy: Always`). */
  always: boolean;
  /** Named inside `profileList`, so that `prePuller.pullProfileListImages` governs it. */
  profile: boolean;
}

export interface ConfiguredImages {
  /** In pull order: the default image first. Duplicates kept. */
  images: ConfiguredImage[];
  /** `prePuller.pullProfileListImages`; true where the chart does not say. */
  pullProfileListImages: boolean;
  warnings: Warning[];
}
