/** Scripted kubelets show of a pull what a real one shows: the same cases run on a real node in test/e2e/real-pulls.test.ts. */
import { KUBELET_CASES } from '../shared-suite/kubelet-cases.ts';
import { GOOD, MISSING, SLOW, suiteRegistry } from '../shared-suite/suite.ts';
import { withCluster } from './fixtures.ts';

test.each(KUBELET_CASES)('$name', async ({ run }) => {
  await withCluster({ nodes: [{ name: 'a' }], registry: suiteRegistry }, async ({ client }, clock) => {
    await run({
      client,
      namespace: 'default',
      node: 'a',
      images: { quick: GOOD, slow: SLOW, missing: MISSING },
      wait: (milliseconds) => clock.advance(milliseconds),
    });
  });
});

test('no case is lost', () => {
  console.log(`${KUBELET_CASES.length} cases of what a kubelet shows, on scripted nodes`);
  expect(KUBELET_CASES).toHaveLength(3);
});
