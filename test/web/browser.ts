/** Debian's Chromium for the tests of the page: where it is not, they are skipped, except in CI. */
import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export const CHROMIUM = process.env.PREPULLER_CHROMIUM ?? '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);
if (!isThere && process.env.CI !== undefined) throw new Error(`${CHROMIUM} is not there: apt-get install chromium`);

export const WHY = `(skipped where ${CHROMIUM} is not there)`;
export const describeInBrowser = isThere ? describe : describe.skip;

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

export interface Opened {
  page: Page;
  /** What the browser complained of. */
  complaints: string[];
}

export async function open(browser: Browser, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  return { page, complaints };
}

/** What axe finds, each with the element it is about; empty when all is well. */
export async function barriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));
}

/** By how many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** The page's words as a reader meets them, single spaces between. */
export async function words(page: Page, selector: string): Promise<string[]> {
  const texts = await page.locator(selector).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
