/** From rendered objects to the images that would be pulled: the middle of `images`, with and without `--since`. */
import type { Settings } from './config/settings.ts';
import { findHubs } from './manifest/hubs.ts';
import type { KubeObject } from './manifest/manifest.ts';
import { prepullOptions } from './options.ts';
import { hubApp } from './prepull/app.ts';
import { imagesReport } from './prepull/images-report.ts';
import type { ImagesReport } from './prepull/images-report.ts';
import { workloadApps } from './prepull/workloads.ts';

export function reportOf(objects: readonly KubeObject[], settings: Settings): ImagesReport {
  const context = { objects, options: prepullOptions(settings) };
  const hubs = findHubs(objects).map((hub) => hubApp(hub, context));
  return imagesReport([...hubs, ...workloadApps(hubs.length > 0, context)].map(({ wanted }) => wanted));
}
