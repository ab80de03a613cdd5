/** What tests ask of nodes that are marked, on a simulated cluster. */
import { resourceNamed } from '../../simulator/resources.ts';
import { PULLED_LABEL } from '../../src/api/names.ts';
import type { PodState } from './puller-objects.ts';
import type { Simulation } from './simulation.ts';
import { startWatcher } from './watchers.ts';
import type { Watcher } from './watchers.ts';

const NODES = resourceNamed('nodes');
export const WRITES = { verb: 'patch', resource: 'nodes' };

/** When every node of three is done. */
export const ALL = { a: 'digest-2', b: 'digest-2', c: 'digest-2' };

export function startMarking(simulation: Simulation, identity = 'one', marksNodes = true): Watcher {
  const writing = { identity, leaseNamespace: 'prepuller', leaseName: 'prepuller', marksNodes };
  return startWatcher(simulation, identity, { writing });
}

/** Node → label, of those that have one. */
export function marks({ store }: Simulation): Record<string, string> {
  const labels = store.list(NODES).map(({ metadata }) => [metadata.name, metadata.labels?.[PULLED_LABEL]]);
  return Object.fromEntries(labels.filter(([, label]) => label !== undefined)) as Record<string, string>;
}

export function setLabel({ server }: Simulation, node: string, label: string | null): Promise<unknown> {
  const body = { metadata: { labels: { [PULLED_LABEL]: label } } };
  const contentType = 'application/merge-patch+json';
  return server.handle({ method: 'PATCH', path: `/api/v1/nodes/${node}`, user: 'admin', contentType, body });
}

export function everyPod(simulation: Simulation, state: PodState, puller = 'pull'): void {
  for (const name of ['a', 'b', 'c']) simulation.pod(puller, name, state);
  simulation.observe(puller);
}

export function writes({ server }: Simulation): number {
  return server.traffic.total(WRITES).requests;
}
