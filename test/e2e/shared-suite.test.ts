/** The suite that the simulated cluster runs too, on a real control plane: where both pass, the simulator tells the truth. */
import { runCase, suiteRegistry } from '../shared-suite/suite.ts';
import type { SuiteCluster } from '../shared-suite/suite.ts';
import { CASES } from '../shared-suite/cases.ts';
import { startControlPlane } from '../testbed/control-plane.ts';
import type { ControlPlane } from '../testbed/control-plane.ts';
import { startTestbedFleet } from '../testbed/fleet.ts';
import type { TestbedFleet } from '../testbed/fleet.ts';
import { pause } from '../testbed/until.ts';
import { sideBySide } from './stage.ts';

/** While every node of a zone is lost, none is called so: these are never lost. */
const BYSTANDERS = 4;

/** Takes the API server away from all others: alone, and last. */
const ALONE = 'a watch from a version that is forgotten ends with 410';
const together = CASES.filter(({ name }) => name !== ALONE);
const alone = CASES.filter(({ name }) => name === ALONE);

let plane: ControlPlane;
let fleet: TestbedFleet;
let cluster: SuiteCluster;
let outcomes: Map<string, Promise<void>>;
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
  outcomes = sideBySide(together, (one, index) => runCase(cluster, one, `suite-${index}`));
});
afterAll(async () => {
  fleet.stop();
  await plane.stop();
});

describe('shared suite on a real control plane', () => {
  test.each(together)('$name', ({ name }) => outcomes.get(name));
  test.each(alone)('$name', (one) => runCase(cluster, one, 'suite-alone'));
});

test('the suite saw what it is about', () => {
  expect(together.length).toBeGreaterThanOrEqual(35);
  expect(alone).toHaveLength(1);
  console.log(`${CASES.length} cases on a real control plane`);
});
