/**
 * `npm run screenshots`: the pictures of the page, and of the extension in a page like Argo CD's, taken from the demo in Debian's Chromium
 * (PREPULLER_CHROMIUM names another).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { startHost } from '../test/web/argocd-host.ts';

const ROOT = new URL('..', import.meta.url).pathname;

/** `when`: what the page says at the right moment. */
const PICTURES = [
  { scenario: 'tour', when: '16 of 20 nodes pulled, 1 pulling', name: 'page-pulling', scheme: 'light' },
  { scenario: 'missing-image', when: 'Degraded', name: 'page-failed', scheme: 'dark' },
  { scenario: 'tour', when: '16 of 20 nodes pulled, 1 pulling', name: 'extension', scheme: 'light', inArgoCd: true },
];
const WIDTH = 1280;

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

/** The demo's API is open: what relays for Argo CD needs no secret there. */
async function visitInArgoCd(page, address) {
  const host = await startHost(address.replace(/\/$/, ''));
  await page.goto(host.url);
  const { pulls } = await (await fetch(`${address}api/v1/pulls`)).json();
  const { namespace, name, application: app } = pulls.find((pull) => pull.name === 'hook-image-puller');
  const application = { metadata: { namespace: 'argocd', name: app }, spec: { project: 'default' } };
  const resource = { metadata: { namespace, name, labels: { 'argocd-prepuller.github.io/role': 'hook' } } };
  await page.evaluate(`show(${JSON.stringify({ application, resource })})`);
  return { host, shown: page.locator('#app > div') };
}

async function take(browser, { scenario, when, name, scheme, inArgoCd }) {
  const { child, address } = await startDemo(scenario);
  child.stdout.resume();
  try {
    const viewport = { width: WIDTH, height: 720 };
    const page = await browser.newPage({ viewport, colorScheme: scheme, deviceScaleFactor: 1 });
    await page.goto(address);
    const hook = page.locator('[data-pull$="/hook-image-puller"]');
    await hook.waitFor({ timeout: 60_000 });
    const { host, shown } = inArgoCd ? await visitInArgoCd(page, address) : { shown: hook };
    await hook.getByText(when).first().waitFor({ timeout: 60_000 });
    await shown.screenshot({ path: `${ROOT}docs/${name}.png` });
    await page.close();
    await host?.stop();
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
