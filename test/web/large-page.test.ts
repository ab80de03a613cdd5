/** The page at 5,000 nodes: there at once, and changes of hundreds of cells do not stop it. */
import type { Browser } from 'playwright-core';
import { describeInBrowser, launch, open, WHY } from './browser.ts';
import { daemonSet, fleet, node, pulling, startSite, verdict } from './site.ts';
import type { Site } from './site.ts';

const NODES = 5_000;
const PART = 500;

describeInBrowser(`a large page ${WHY}`, () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    browser = await launch();
    site = await startSite();
  }, 30_000);
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });

  function tell(done: number): void {
    const states = fleet(NODES, (name, index) => (index < done ? node(name) : pulling(name, index)));
    site.pulls.judged(daemonSet(), verdict(states));
    site.pulls.version();
  }

  test('cells go to their groups while it is looked at', async () => {
    tell(0);
    const { page, complaints } = await open(browser);
    await page.goto(site.url);
    await page.getByText('Live: changes appear by themselves.').waitFor();
    expect(await page.locator('.group.pulling li').count()).toBe(NODES);
    for (let done = PART; done <= NODES; done += PART) {
      tell(done);
      await page.locator('.facts', { hasText: `${done} of ${NODES} nodes pulled` }).waitFor();
    }
    expect(await page.locator('.group.pulled li').count()).toBe(NODES);
    expect(complaints).toEqual([]);
  }, 60_000);
});
