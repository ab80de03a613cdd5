/** The simulated cluster behaves as the shared suite says; the same cases run on a real control plane. */
import { startCluster } from '../../simulator/cluster.ts';
import { steppedClock } from '../../simulator/clock.ts';
import { CASES } from '../shared-suite/cases.ts';
import { runCase, suiteRegistry } from '../shared-suite/suite.ts';

const START = Date.parse('2026-01-05T08:00:00Z');

test.each(CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  const clock = steppedClock(START);
  const cluster = await startCluster({ clock, registry: suiteRegistry });
  try {
    const { client, nodes, server } = cluster;
    const wait = (milliseconds: number): Promise<void> => clock.advance(milliseconds);
    const forgetHistory = (): Promise<void> => {
      server.compact();
      return Promise.resolve();
    };
    await runCase({ client, nodes, wait, forgetHistory }, one, 'case');
  } finally {
    await cluster.stop();
  }
  expect(clock.untilNext()).toBeUndefined();
});

test('no case is lost', () => {
  console.log(`shared suite: ${String(CASES.length)} cases on the simulator`);
  expect(CASES.length).toBeGreaterThanOrEqual(36);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});
