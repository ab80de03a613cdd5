/** What a plan is made for: one hub, or the labelled workloads of one namespace, and what all plans of a stream share. */
import type { Warning } from '../api/warning.ts';
import { hookOf, waveOf } from '../manifest/hooks.ts';
import type { Hub } from '../manifest/hubs.ts';
import { objectsInNamespace } from '../manifest/inventory.ts';
import { componentOf, hubLabelsOf, roleOf, sameHubLabels } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asText, valueAt } from '../manifest/mapping.ts';
import { podSpecOf } from '../manifest/pod-spec.ts';
import type { Draft } from './draft.ts';
import type { PrepullOptions } from './options.ts';
import { pullerBase, type PullerBase, type PullerRole } from './puller-base.ts';
import { wantedImages, type WantedImages } from './wanted-images.ts';

export interface Context {
  objects: readonly KubeObject[];
  options: PrepullOptions;
  draft: Draft;
  warnings: Warning[];
}

export interface App {
  /** For people: `hub` or `workloads`, with what tells it apart. */
  title: string;
  /** For workloads without a hub: one that has nothing but a namespace. */
  hub: Hub;
  wanted: WantedImages;
  pauseImage: string;
  base: (role: PullerRole) => PullerBase | undefined;
  /** Ordinary workloads that must not come before the images: the hub, or the labelled workloads. */
  users: readonly KubeObject[];
}

/** Kubernetes' own, where neither chart nor parameter names one. */
export const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10.1';

export function hubApp(hub: Hub, { objects, options }: Pick<Context, 'objects' | 'options'>): App {
  const wanted = wantedImages(hub, options);
  const pauseImage = wanted.pauseImage ?? configuredPauseImage(hub) ?? PAUSE_IMAGE;
  const names = [hub.labels.app, hub.labels.release].filter((name) => name !== undefined);
  return {
    title: ['hub', ...names].join(' '),
    hub,
    wanted,
    pauseImage,
    base: (role) => pullerBase(hub, role, pauseImage),
    users: usersOf(hub, objects),
  };
}

function configuredPauseImage({ configuration }: Hub): string | undefined {
  const image = valueAt(configuration?.values, 'prePuller', 'pause', 'image');
  const [name, tag] = [asText(valueAt(image, 'name')), asText(valueAt(image, 'tag'))];
  return name === undefined || tag === undefined ? undefined : `${name}:${tag}`;
}

/** The hub starts user pods; where no workload is known as the hub, any of its namespace may. */
function usersOf(hub: Hub, objects: readonly KubeObject[]): KubeObject[] {
  const here = objectsInNamespace(objects, hub.namespace).filter(isOrdinaryWorkload);
  const hubs = here.filter((object) => componentOf(object) === 'hub' && sameHubLabels(hub.labels, hubLabelsOf(object)));
  return hubs.length > 0 ? hubs : here;
}

/** Runs pods, is no hook, and no puller or prerequisite of ours or the chart's. */
export function isOrdinaryWorkload(object: KubeObject): boolean {
  return podSpecOf(object) !== undefined && hookOf(object) === undefined && !isPullerPart(object);
}

/** Ours, or a puller of the chart. */
export function isPullerPart(object: KubeObject): boolean {
  return roleOf(object) !== undefined || componentOf(object)?.endsWith('image-puller') === true;
}

/** The sync wave in which a puller comes before all users of its images. */
export function waveBefore(users: readonly KubeObject[], puller: KubeObject): number {
  return Math.min(waveOf(puller), ...users.map((user) => waveOf(user) - 1), ...(users.length === 0 ? [-1] : []));
}
