/** Decides which images are pulled: what the rendered pullers list, joined with what the hub's configuration lets a user start. */
import type { Warning } from '../api/warning.ts';
import type { Hub } from '../manifest/hubs.ts';
import type { PrepullOptions } from './options.ts';

export interface ImageSource {
  /** `Kind/name`, or the parameter that names the image. */
  object: string;
  /** Values path in a hub's configuration, JSON path in a pod spec. */
  path: string;
}

export interface WantedImage {
  /** Normalised: the identity of the image. */
  reference: string;
  /** As written first. */
  written: string;
  sources: ImageSource[];
  /** Pulled with `imagePullPolicy: Always`. */
  always: boolean;
}

export interface WantedImages {
  /** In pull order, each once. */
  images: WantedImage[];
  /** What the pullers' main container runs, or the parameter; never among `images` for that alone. */
  pauseImage?: string;
  /** Named but not pulled. */
  skipped: { reference: string; why: string }[];
  warnings: Warning[];
}

export type ImageOptions = Pick<PrepullOptions, 'images' | 'profileImages' | 'mutableTags' | 'pauseImage'>;
export type FindWantedImages = (hub: Hub, options: ImageOptions) => WantedImages;
