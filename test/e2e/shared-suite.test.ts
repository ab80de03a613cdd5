/** The suite that the simulated cluster runs too, on a real control plane: where both pass, the simulator tells the truth. */
import { runCase, suiteRegistry } from '../shared-suite/suite.ts';
import type { SuiteCluster } from '../shared-suite/suite.ts';
import { CASES } from '../shared-suite/cases.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import type { TestbedFleet } from '../testbed/fleet.ts';
import { pause } from '../testbed/until.ts';

/** While every node of a zone is lost, none is called so: these are never lost. */
const BYSTANDERS = 4;

let plane: ControlPlane;
let fleet: TestbedFleet;
let cluster: SuiteCluster;
beforeAll(async () => {
  plane = await startControlPlane('shared-suite');
  fleet = startTestbedFleet(plane, { registry: suiteRegistry });
  for (let n = 0; n < BYSTANDERS; n += 1) await fleet.nodes.add({ name: `bystander-${n}` });
  cluster = {
    client: plane.clientFor('admin'),
    nodes: fleet.nodes,
    wait: pause,
    forgetHistory: () => plane.forgetHistory(),
  };
});
afterAll(async () => {
  fleet.stop();
  await plane.stop();
});

describe('shared suite on a real control plane', () => {
  test.each(CASES.map((one, index) => ({ ...one, index })))('$name', async (one) => {
    await runCase(cluster, one, `suite-${one.index}`);
  });
});

test('the suite saw what it is about', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(20);
  console.log(`${CASES.length} cases on a real control plane`);
});
