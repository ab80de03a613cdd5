/** How the chart's own awaiter decides, to be seen beside ours: by three numbers of the DaemonSet's status. */
import type { ApiObject } from '../../simulator/store.ts';

/** How long it takes the scheduler for busy before it counts scheduled pods instead of desired ones (its default). */
const SCHEDULING_WAIT = 10_000;

/** The rule of zero-to-jupyterhub's image-awaiter after so many milliseconds. */
export function isUpstreamDone({ status = {} }: ApiObject, waited: number): boolean {
  const number = (field: string): number => (status[field] as number | undefined) ?? 0;
  const wanted = waited < SCHEDULING_WAIT ? number('desiredNumberScheduled') : number('currentNumberScheduled');
  return number('numberReady') >= wanted;
}
