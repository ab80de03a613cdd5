/** The extension inside a page like Argo CD's, in each state there is, light and dark: what it says, to whoever reads and however. */
import { tracked } from './argocd-site.ts';
import { ALL, argoCdUi, DOWN, FULL, LIVE, PULLER, show } from './argocd-ui.ts';
import { barriers, describeInBrowser, overflow, WHY, words } from './browser.ts';
import { node, pulling, verdict } from './site.ts';

describeInBrowser(`the extension in each state ${WHY}`, () => {
  const ui = argoCdUi();

  const STATES: Record<string, { tell: () => void; line: string; says: readonly string[] }> = {
    'nothing known': { tell: () => undefined, line: LIVE, says: ['No pull is known.'] },
    'under way': {
      tell: () => {
        ui.site.pulls.judged(tracked('mine'), verdict([node('a'), pulling('b')]));
      },
      line: LIVE,
      says: ['↓ Progressing', '1 of 2 nodes pulled, 1 pulling', 'Nothing: it goes on by itself.', 'Pulling 1'],
    },
    failed: {
      tell: () => {
        ui.site.pulls.judged(tracked('mine'), verdict(ALL));
      },
      line: LIVE,
      says: ['✖ Degraded', 'not found in the registry', 'Check the tag', 'In trouble 1', 'Tolerated 1', 'Pulled 1'],
    },
    done: {
      tell: () => {
        ui.site.pulls.judged(tracked('mine'), verdict([node('a'), node('b', FULL)]));
      },
      line: LIVE,
      says: ['✔ Healthy', '1 of 2 nodes pulled, 1 tolerated', 'Make room on the node.'],
    },
    over: {
      tell: () => {
        ui.site.pulls.judged(tracked('mine'), verdict([node('a')]));
        ui.site.pulls.version();
        ui.site.pulls.gone('hub/pull');
      },
      line: LIVE,
      says: ['No pull is known.', 'Past pulls', '1/1 nodes pulled'],
    },
    'without rights': {
      tell: () => {
        ui.host.answers = 'without rights';
      },
      line: 'Argo CD does not let you see this. It takes the right to get this Application, and the right to invoke the extension: p, role:…, extensions, invoke, argocd-prepuller, allow',
      says: [],
    },
    'not set up': {
      tell: () => {
        ui.host.answers = 'not set up';
      },
      line: 'Argo CD knows no way to the controller: its proxy extension argocd-prepuller is not set up.',
      says: [],
    },
    'the controller is down': {
      tell: () => {
        ui.host.answers = 'down';
      },
      line: DOWN,
      says: [],
    },
  };
  /** The browser's own word for an answer that is none. */
  const REFUSALS = ['without rights', 'the controller is down'];

  test.each(Object.keys(STATES))(
    '%s: said in light and dark, without barrier or complaint, in every width',
    async (name) => {
      const { tell, line, says } = STATES[name]!;
      tell();
      const { page, complaints } = await ui.visit({ resource: PULLER });
      await page.locator('#line', { hasText: line }).waitFor();
      for (const text of says) await page.locator('#tab', { hasText: text }).waitFor();
      // It has each colour that there is.
      if (name === 'failed') expect(await barriers(page)).toEqual([]);
      await show(page, { theme: 'dark' });
      await page.locator('#tab div[style*="color-scheme: dark"]').waitFor();
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await overflow(page)]).toEqual([width, 0]);
      }
      expect(await barriers(page)).toEqual([]);
      expect(complaints.filter((text) => !/status of (401|502)/.test(text))).toEqual([]);
      if (!REFUSALS.includes(name)) expect(complaints).toEqual([]);
      // Nobody is told of pulls that he may not see.
      if (name === 'without rights') expect(await words(page, '#panel')).toEqual(['']);
    },
  );
});
