/** One test's stage for the extension: the controller's port, a page like Argo CD's before it, and browsers that visit it. */
import { jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startHost } from './argocd-host.ts';
import type { ArgoCdHost } from './argocd-host.ts';
import { startArgoCdSite } from './argocd-site.ts';
import type { ArgoCdSite } from './argocd-site.ts';
import { launch, open } from './browser.ts';
import type { Opened } from './browser.ts';
import { IMAGE, MISSING, node, pulling } from './site.ts';

// A browser on a busy machine takes its time.
jest.setTimeout(20_000);

export const APPLICATION = { metadata: { name: 'mine', namespace: 'argocd' }, spec: { project: 'default' } };
export const PULLER = {
  metadata: { namespace: 'hub', name: 'pull', labels: { 'argocd-prepuller.github.io/role': 'hook' } },
};
export const FULL = {
  state: 'tolerated',
  reason: 'NodeFull',
  message: 'the node is full',
  fix: 'Make room on the node.',
} as const;
const RETRYING = {
  state: 'pulling',
  reason: 'Retrying',
  image: IMAGE,
  message: 'tried again: 429',
  fix: 'Use a mirror.',
} as const;
export const ALL = [node('a'), node('b', FULL), pulling('c'), node('d', RETRYING), node('e', MISSING)];
export const LIVE = 'Live: changes appear by themselves.';
export const DOWN = 'The line is down; trying again. What you see may be old.';

export interface ArgoCdUi {
  site: ArgoCdSite;
  host: ArgoCdHost;
  /** A page that shows this, in the theme, at the host's address or another. */
  visit(shown: object, theme?: string, url?: string): Promise<Opened>;
  /** Ends all visits. */
  leave(): Promise<void>;
}

/** Another one for each test of the file. */
export function argoCdUi(): ArgoCdUi {
  let browser: Browser;
  let opened: Opened[] = [];
  const ui = {
    async visit(shown: object, theme = 'light', url = ui.host.url) {
      const one = await open(browser);
      opened.push(one);
      await one.page.goto(url);
      await show(one.page, { application: APPLICATION, theme, ...shown });
      return one;
    },
    async leave() {
      for (const { page } of opened) await page.context().close();
      opened = [];
    },
  } as ArgoCdUi;
  beforeAll(async () => {
    browser = await launch();
  }, 30_000);
  afterAll(() => browser.close());
  beforeEach(async () => {
    ui.site = await startArgoCdSite();
    ui.host = await startHost(ui.site.url);
  });
  afterEach(async () => {
    await ui.leave();
    await ui.host.stop();
    expect(ui.site.failures).toEqual([]);
    await ui.site.stop();
  });
  return ui;
}

/** Renders anew, with these changes. */
export function show(page: Page, changes: object): Promise<void> {
  return page.evaluate(`show(${JSON.stringify(changes)})`);
}
