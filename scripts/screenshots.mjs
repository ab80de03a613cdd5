/** `npm run screenshots`: the README's pictures of the page, taken from the demo in Debian's Chromium (PREPULLER_CHROMIUM names another). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const ROOT = new URL('..', import.meta.url).pathname;

/** `when`: what the page says at the right moment. */
const PICTURES = [
  { scenario: 'tour', when: '16 of 20 nodes pulled, 1 pulling', name: 'page-pulling', scheme: 'light', width: 1280 },
  { scenario: 'missing-image', when: 'Degraded', name: 'page-failed', scheme: 'dark', width: 1280 },
];

/** The demo that stays, and its page's address. */
async function startDemo(scenario) {
  const child = spawn(process.execPath, ['bin/prepuller.mjs', 'demo', '--stay', '--scenario', scenario], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) return { child, address };
  }
  throw new Error('the demo ended before its page was there');
}

async function take(browser, { scenario, when, name, scheme, width }) {
  const { child, address } = await startDemo(scenario);
  child.stdout.resume();
  try {
    const viewport = { width, height: 720 };
    const page = await browser.newPage({ viewport, colorScheme: scheme, deviceScaleFactor: 1 });
    await page.goto(address);
    const hook = page.locator('[data-pull$="/hook-image-puller"]');
    await hook.getByText(when).first().waitFor({ timeout: 60_000 });
    await hook.screenshot({ path: `${ROOT}docs/${name}.png` });
    await page.close();
  } finally {
    child.kill('SIGINT');
    await once(child, 'close');
  }
  console.log(`docs/${name}.png`);
}

const browser = await chromium.launch({
  executablePath: process.env.PREPULLER_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const picture of PICTURES) await take(browser, picture);
} finally {
  await browser.close();
}
