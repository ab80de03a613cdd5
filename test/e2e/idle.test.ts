/** A settled cluster costs it nothing: no write but its Lease's renewal, no read but the watches that stand. */
import { isWrite } from '../testbed/audit.ts';
import type { Request } from '../testbed/audit.ts';
import { pause } from '../testbed/until.ts';
import { GOOD } from './images.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

/** Ten minutes are PREPULLER_IDLE_SECONDS=600. */
const SECONDS = Number(process.env.PREPULLER_IDLE_SECONDS ?? 60);
/** Until what followed the last verdict is over. */
const SETTLING = 10_000;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('idle');
});
afterAll(() => stage.stop());

function tally(requests: readonly Request[]): Record<string, number> {
  const names = requests.map(({ verb, resource }) => `${verb} ${resource}`);
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));
}

test(
  `${SECONDS} idle seconds: nothing is written but the Lease`,
  async () => {
    const scene = await stage.scene('idle');
    await scene.join('a');
    const full = await scene.join('full', { pods: 1 });
    await scene.fill(full);
    await scene.puller({ images: [GOOD] });
    await scene.puller({ name: 'continuous', role: 'continuous', images: [GOOD] });
    expect(await scene.verdict()).toMatchObject({ status: 'True' });
    expect(await scene.verdict('continuous')).toMatchObject({ status: 'True' });
    await pause(SETTLING);
    const before = Date.now();
    await pause(SECONDS * 1000);
    const requests = stage.plane.requestsOf('reconciler').filter(({ at }) => at >= before);
    const counts = tally(requests);
    console.log(`requests in ${SECONDS} idle seconds: ${JSON.stringify(counts)}`);
    expect(Object.keys(tally(requests.filter(isWrite)))).toEqual(['update leases']);
    const reads = Object.keys(tally(requests.filter((request) => !isWrite(request))));
    expect(reads.filter((read) => read !== 'get leases' && !read.startsWith('watch '))).toEqual([]);
  },
  (SECONDS + 90) * 1000,
);
