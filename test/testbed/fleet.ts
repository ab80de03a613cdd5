/** Nodes without machines on a real control plane: the simulator's scripted kubelets in real time, alive by their Leases. */
import { scaledClock } from '../../simulator/clock.ts';
import { startFleet } from '../../simulator/kubelets.ts';
import type { FleetOptions } from '../../simulator/kubelets.ts';
import { createNodeSwitches } from '../../simulator/node-switches.ts';
import type { NodeSwitches } from '../../simulator/node-switches.ts';
import type { ControlPlane } from './control-plane.ts';

export interface TestbedFleet {
  nodes: NodeSwitches;
  stop(): void;
}

export function startTestbedFleet(
  plane: ControlPlane,
  options: Pick<FleetOptions, 'registry'> & Partial<FleetOptions>,
): TestbedFleet {
  const clock = scaledClock(1, Date.now());
  const client = plane.clientFor('nodes');
  const fleet = startFleet({ heartbeats: true, ...options, client, clock });
  return {
    nodes: createNodeSwitches({ client, fleet, clock, silent: undefined }),
    stop: () => {
      fleet.stop();
    },
  };
}
