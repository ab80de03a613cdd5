/** The page in a browser: each state, live changes, restart, keyboard, widths, light and dark, axe, and no complaint on the console. */
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { NodeState } from '../../src/verdict/verdict.ts';
import { openToken } from '../../src/web/token.ts';
import { barriers, describeInBrowser, launch, open, overflow, WHY, words } from './browser.ts';
import type { Opened } from './browser.ts';
import { daemonSet, fleet, IMAGE, MISSING, node, pulling, startSite, verdict } from './site.ts';
import type { Site } from './site.ts';

const RETRYING: Partial<NodeState> = {
  state: 'pulling',
  reason: 'Retrying',
  image: IMAGE,
  message: 'the pull failed and is tried again: 429 Too Many Requests',
  fix: 'Use a mirror.',
};
const FULL: Partial<NodeState> = {
  state: 'tolerated',
  reason: 'NodeFull',
  message: 'the node is full: 1 Too many pods',
  fix: 'Make room on the node.',
};
const ALL = [node('a'), node('b', FULL), pulling('c'), node('d', RETRYING), node('e', MISSING)];

/** Whatever can be told at once. */
const STATES: Record<string, (site: Site) => void> = {
  'nothing known': () => undefined,
  'under way': ({ pulls }) => {
    pulls.judged(daemonSet(), verdict([node('a'), pulling('b')]));
  },
  failed: ({ pulls }) => {
    pulls.judged(daemonSet(), verdict(ALL));
  },
  done: ({ pulls }) => {
    pulls.judged(daemonSet(), verdict([node('a'), node('b', FULL)]));
  },
  'done, others before': ({ pulls }) => {
    for (let number = 0; number < 3; number += 1) {
      pulls.judged(daemonSet({ uid: `uid-${number}` }), verdict(ALL));
      pulls.version();
    }
  },
};

describeInBrowser(`the page ${WHY}`, () => {
  let browser: Browser;
  let site: Site;
  let opened: Opened[] = [];
  beforeAll(async () => {
    browser = await launch();
  }, 30_000);
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startSite();
    opened = [];
  });
  afterEach(async () => {
    for (const { page } of opened) await page.context().close();
    await site.stop();
  });

  async function visit(path = '/', options = {}): Promise<Opened> {
    const one = await open(browser, options);
    opened.push(one);
    await one.page.goto(site.url + path);
    return one;
  }

  async function isLive(page: Page): Promise<void> {
    await page.getByText('Live: changes appear by themselves.').waitFor();
  }

  test.each(Object.entries(STATES))(
    '%s: no barrier in light and dark, no complaint, nothing beside the window',
    async (_state, tell) => {
      tell(site);
      const { page, complaints } = await visit('/', { colorScheme: 'dark' });
      await isLive(page);
      expect(await barriers(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      for (const width of [1920, 1280, 768, 480, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await overflow(page)]).toEqual([width, 0]);
      }
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
    30_000,
  );

  test('which node holds which image back, since when, and what to do, worst first', async () => {
    site.pulls.judged(daemonSet(), verdict(ALL));
    const { page } = await visit();
    expect(await words(page, '.open tbody tr td:not(:nth-child(5))')).toEqual([
      ...[
        '✖ Failed',
        'e',
        IMAGE,
        `not found in the registry: ${IMAGE}: not found`,
        'Check the tag and the repository.',
      ],
      ...['! In trouble', 'd', IMAGE, 'the pull failed and is tried again: 429 Too Many Requests', 'Use a mirror.'],
      ...['↓ Pulling', 'c', IMAGE, 'pulling, image 1 of 1', 'Nothing: it goes on by itself.'],
      ...['○ Tolerated', 'b', '–', 'the node is full: 1 Too many pods', 'Make room on the node.'],
    ]);
    expect(await words(page, '.group:not([hidden]) h3')).toEqual([
      'Failed 1',
      'In trouble 1',
      'Pulling 1',
      'Tolerated 1',
      'Pulled 1',
    ]);
  });

  test('it says as much without a script', async () => {
    site.pulls.judged(daemonSet(), verdict(ALL));
    const { page } = await visit('/', { javaScriptEnabled: false });
    const said = (await words(page, 'main'))[0]!;
    for (const text of ['Degraded', 'not found in the registry', 'Check the tag', '1 of 5 nodes pulled']) {
      expect(said).toContain(text);
    }
    await page.locator('.cells a', { hasText: 'e' }).first().click();
    expect(await words(page, '#node h2')).toEqual(['Node e']);
    expect(await words(page, '#line')).toEqual(['This page does not change by itself: scripts are off. Reload it.']);
  });

  test('one node in full: image, what it does, since when, the last error, what to do', async () => {
    const base = verdict(ALL);
    const text = `failed to resolve reference "${IMAGE}": unexpected status from HEAD request: 429`;
    const error = { kind: 'busy', text, refusedAt: undefined, kindSince: 0, at: 0, shown: '', seen: 0 } as const;
    const errors = new Map([[`d ${IMAGE}`, error]]);
    site.pulls.judged(daemonSet(), { ...base, facts: { ...base.facts, errors } });
    const { page } = await visit('/pulls/hub/pull?node=d');
    expect((await words(page, '#node'))[0]).toBe(
      `Node d State ! In trouble Image ${IMAGE} What it is doing the pull failed and is tried again: 429 Too Many Requests ` +
        `Since – Last error ${text} What to do Use a mirror. ` +
        'Reason Retrying: The pull failed for a reason that may pass; the kubelet tries again.',
    );
    expect(await barriers(page)).toEqual([]);
    await isLive(page);
    site.pulls.judged(daemonSet(), verdict([...ALL.filter(({ node: name }) => name !== 'd'), node('d')]));
    await page.locator('#node.pulled').waitFor();
    expect((await words(page, '#node'))[0]).toContain('State ✔ Pulled');
  }, 15_000);

  test('changes come by themselves: cells move, the head is new, a screen reader hears of the end', async () => {
    site.pulls.judged(daemonSet(), verdict([pulling('a', 1_000), pulling('b', 2_000), pulling('c', 3_000)]));
    const { page, complaints } = await visit();
    await isLive(page);
    expect(await words(page, '.group.pulling li')).toEqual(['↓a', '↓b', '↓c']);
    site.pulls.judged(daemonSet(), verdict([node('a'), pulling('b', 9_000), pulling('c', 3_000)]));
    await page.locator('.group.pulled li').waitFor();
    expect(await words(page, '.group.pulling li')).toEqual(['↓c', '↓b']);
    expect((await words(page, '.facts'))[0]).toContain('1 of 3 nodes pulled, 2 pulling');
    site.pulls.judged(daemonSet(), verdict([node('a'), node('b'), node('d')]));
    await page.locator('.health.healthy').waitFor();
    expect(await words(page, '.group.pulled li')).toEqual(['✔a', '✔b', '✔d']);
    expect(await words(page, '#news')).toEqual(['hub/pull: Healthy. 3/3 nodes pulled']);
    site.pulls.judged(daemonSet({ name: 'next', uid: 'uid-9' }), verdict([pulling('a')]));
    await page.locator('[data-pull="hub/next"]').waitFor();
    site.pulls.gone('hub/pull');
    await page.locator('#past', { hasText: 'hub/pull' }).waitFor();
    expect(await page.locator('[data-pull="hub/pull"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  }, 20_000);

  test('a restart: the page finds back by itself within five seconds, and is right', async () => {
    site.pulls.judged(daemonSet(), verdict([pulling('a')]));
    const { page } = await visit();
    await isLive(page);
    const { port } = site;
    await site.stop();
    await page.getByText('The line is down; trying again.').waitFor();
    site = await startSite('open', { port });
    site.pulls.judged(daemonSet(), verdict([node('a')]));
    const began = Date.now();
    await page.locator('.health.healthy').waitFor();
    expect(Date.now() - began).toBeLessThan(5_000);
    await isLive(page);
  }, 20_000);

  test('by keyboard alone: one stop for all cells, arrows among them, Enter into one', async () => {
    site.pulls.judged(
      daemonSet(),
      verdict(fleet(60, (name, index) => (index < 5 ? pulling(name, index) : node(name)))),
    );
    const { page } = await visit();
    await isLive(page);
    const stops: string[] = [];
    for (let stop = 0; stop < 20; stop += 1) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate<string>(
        "(document.activeElement?.closest('.cells') ? 'cell ' : '') + (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()",
      );
      if (label === '' || stops.includes(label)) break;
      stops.push(label);
    }
    expect(stops.filter((label) => label.startsWith('cell '))).toEqual(['cell node-00000: Pulling']);
    await page.locator('.cells a').first().focus();
    const at = () => page.evaluate<string>('document.activeElement.textContent');
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return at();
    };
    expect(await press('ArrowRight')).toBe('↓node-00001');
    expect(await press('End')).toBe('✔node-00059');
    expect(await press('Home')).toBe('↓node-00000');
    expect(await press('ArrowDown')).toBe('✔node-00005');
    expect(await press('ArrowUp')).toBe('↓node-00000');
    await page.keyboard.press('ArrowRight');
    // A cell that moves keeps the focus.
    site.pulls.judged(daemonSet(), verdict(fleet(60, (name, index) => (index === 0 ? pulling(name) : node(name)))));
    await page.locator('.group.pulled li').nth(58).waitFor({ state: 'attached' });
    expect(await at()).toBe('✔node-00001');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?node=node-00001$/);
  }, 20_000);

  test('signing in: the form, a wrong token, the page, out again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prepuller-page-'));
    writeFileSync(join(folder, 'token'), 'correct-horse-battery-staple');
    const access = await openToken({ file: join(folder, 'token'), now: Date.now, failed: () => undefined });
    await site.stop();
    site = await startSite(access);
    site.pulls.judged(daemonSet(), verdict(ALL));
    const { page } = await visit('/pulls/hub/pull?node=e');
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Token').fill('correct-horse-battery-staple');
    await page.keyboard.press('Enter');
    await page.locator('#node').waitFor();
    expect(page.url()).toContain('/pulls/hub/pull?node=e');
    await isLive(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    rmSync(folder, { recursive: true });
  }, 20_000);
});
