/** From a rendered stream to the images it would pull: the middle of `images`, with and without `--since`. */
import type { Settings } from './config/settings.ts';
import { objectsIn } from './manifest/edit.ts';
import { findHubs } from './manifest/hubs.ts';
import { readStream } from './manifest/stream.ts';
import { prepullOptions } from './options.ts';
import { hubApp } from './prepull/app.ts';
import { imagesReport } from './prepull/images-report.ts';
import type { ImagesReport } from './prepull/images-report.ts';
import { workloadApps } from './prepull/workloads.ts';

export function reportOf(stream: Uint8Array, settings: Settings): ImagesReport {
  const objects = objectsIn(readStream(stream));
  const context = { objects, options: prepullOptions(settings) };
  const hubs = findHubs(objects).map((hub) => hubApp(hub, context));
  return imagesReport([...hubs, ...workloadApps(hubs.length > 0, context)].map(({ wanted }) => wanted));
}
