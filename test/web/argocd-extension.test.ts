/** The extension inside a page like Argo CD's: live, cut lines, themes, mouse and keys, its panel, what it opens, hostile texts. */
import { until } from '../watch/kubeconfig.ts';
import { startHost } from './argocd-host.ts';
import { startArgoCdSite, tracked } from './argocd-site.ts';
import { ALL, APPLICATION, argoCdUi, DOWN, LIVE, PULLER, show } from './argocd-ui.ts';
import { barriers, describeInBrowser, WHY, words } from './browser.ts';
import { MISSING, node, pulling, verdict } from './site.ts';

describeInBrowser(`the extension in Argo CD's page ${WHY}`, () => {
  const ui = argoCdUi();

  test('it registers a tab for DaemonSets and a part of the status panel; one that is no puller is told so, unasked', async () => {
    const { page } = await ui.visit({ resource: { metadata: { namespace: 'hub', name: 'other', labels: {} } } });
    const registered = await page.evaluate(
      '[host.tabs, host.panels].map((list) => list.map(({ component, flyout, ...rest }) => rest))',
    );
    expect(registered).toEqual([
      [{ group: 'apps', kind: 'DaemonSet', title: 'Image pulls', icon: 'fa-download' }],
      [{ id: 'argocd-prepuller', title: 'Image pulls' }],
    ]);
    expect(await words(page, '#tab')).toEqual(['This DaemonSet is not a puller.']);
    expect(ui.host.asked.filter(({ path }) => path.includes('/hub/'))).toEqual([]);
  });

  test('it looks like the page, whatever style is around, in the theme of Argo CD', async () => {
    ui.site.pulls.judged(tracked('mine'), verdict(ALL));
    const { page } = await ui.visit({ resource: PULLER });
    await page.locator('.pull h2').waitFor();
    const look = `(() => { const style = (selector) => getComputedStyle(document.querySelector('#tab div').shadowRoot.querySelector(selector));
      return [style('.sheet').backgroundColor, style('.health b').color, style('h2').textTransform]; })()`;
    expect(await page.evaluate(look)).toEqual(['rgb(255, 255, 255)', 'rgb(164, 14, 38)', 'none']);
    await show(page, { theme: 'dark' });
    await until(async () => (await page.evaluate<string[]>(look))[0] === 'rgb(20, 23, 26)');
    expect(await page.evaluate(look)).toEqual(['rgb(20, 23, 26)', 'rgb(255, 154, 154)', 'none']);
  });

  test('changes appear by themselves, cell by cell, and are told', async () => {
    ui.site.pulls.judged(tracked('mine'), verdict([node('a'), pulling('b'), pulling('c')]));
    const { page } = await ui.visit({ resource: PULLER });
    await page.locator('#line', { hasText: LIVE }).waitFor();
    await page.locator('.cells a[title="b"]').focus();
    ui.site.pulls.judged(tracked('mine'), verdict([node('a'), node('b'), pulling('c')]));
    await page.locator('.group.pulled li', { hasText: 'b' }).waitFor();
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.title')).toBe('b');
    expect(await page.locator('a[href^="/"]').count()).toBe(0);
    ui.site.pulls.judged(tracked('mine'), verdict([node('a'), node('b'), node('c', MISSING)]));
    await page.locator('#news', { hasText: 'hub/pull: Degraded.' }).waitFor();
    expect(await words(page, '.group:not([hidden]) h3')).toEqual(['Failed 1', 'Pulled 2']);
  });

  test('the next image is another pull of the same name; a puller that goes is among the past ones', async () => {
    ui.site.pulls.judged(tracked('mine'), verdict([node('a'), pulling('b')]));
    const { page } = await ui.visit({ resource: PULLER });
    await page.locator('.group.pulling li', { hasText: 'b' }).waitFor();
    ui.site.pulls.judged(tracked('mine', { uid: 'uid-2' }), verdict([pulling('x')]));
    await page.locator('.group.pulling li', { hasText: 'x' }).waitFor();
    expect(await page.locator('.cells a[title="b"]').count()).toBe(0);
    ui.site.pulls.gone('hub/pull');
    await page.getByText('No pull is known.').waitFor();
    await page.locator('#before tbody tr').nth(1).waitFor();
  });

  test('a line that is cut is taken up where it was, and a controller that began anew is asked for everything', async () => {
    ui.site.pulls.judged(tracked('mine'), verdict([pulling('a'), pulling('b')]));
    const { page } = await ui.visit({ resource: PULLER });
    await page.locator('#line', { hasText: LIVE }).waitFor();
    ui.host.answers = 'down';
    ui.host.cut();
    await page.locator('#line', { hasText: DOWN }).waitFor();
    ui.site.pulls.judged(tracked('mine'), verdict([node('a'), pulling('b')]));
    ui.host.answers = 'relayed';
    await page.locator('.group.pulled li', { hasText: 'a' }).waitFor();
    await page.locator('#line', { hasText: LIVE }).waitFor();
    const other = await startArgoCdSite();
    other.pulls.judged(tracked('mine'), verdict([node('a'), node('b')]));
    ui.host.backend = other.url;
    ui.host.cut();
    await page.locator('.group.pulled li', { hasText: 'b' }).waitFor();
    await page.locator('#line', { hasText: LIVE }).waitFor();
    await ui.leave();
    await other.stop();
  });

  test('a press on a node tells all of it, by mouse and by keys; its address leads nowhere else', async () => {
    ui.site.pulls.judged(tracked('mine'), verdict(ALL));
    const { page } = await ui.visit({ resource: PULLER });
    await page.locator('.cells a[title="e"]').click();
    await page.locator('#node h2', { hasText: 'Node e' }).waitFor();
    expect((await words(page, '#node'))[0]).toContain('What to do Check the tag and the repository.');
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.id')).toBe('node');
    await page.locator('.cells a[title="e"]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('#node h2', { hasText: 'Node a' }).waitFor();
    ui.site.pulls.judged(tracked('mine'), verdict([node('a', MISSING), ...ALL.slice(1)]));
    await page.locator('#node.failed', { hasText: 'Node a' }).waitFor();
    await page.locator('.pull h2 a').click();
    expect(await page.locator('#node').count()).toBe(0);
    expect(page.url()).toBe(ui.host.url);
  });

  test('the panel says how the worst pull stands, what it opens shows all of them; other applications are never seen', async () => {
    ui.site.pulls.judged(tracked('mine', { name: 'one', uid: 'uid-1' }), verdict([node('a')]));
    ui.site.pulls.judged(tracked('mine', { name: 'two', uid: 'uid-2' }), verdict([pulling('a')]));
    ui.site.pulls.judged(tracked('theirs', { name: 'three', uid: 'uid-3' }), verdict([node('a', MISSING)]));
    const { page, complaints } = await ui.visit({});
    await page.locator('#panel', { hasText: '↓ Progressing' }).waitFor();
    expect(await words(page, '#panel')).toEqual(['IMAGE PULLS MORE ↓ Progressing two: 0/1 nodes pulled (and 1 more)']);
    ui.site.pulls.judged(tracked('mine', { name: 'one', uid: 'uid-1' }), verdict([node('a', MISSING)]));
    await page.locator('#panel', { hasText: '✖ Degraded' }).waitFor();
    await page.getByRole('button', { name: 'More on image pulls' }).click();
    await page.locator('#flyout .pull').nth(1).waitFor();
    expect(await words(page, '#flyout .pull h2')).toEqual(['hub/one', 'hub/two']);
    expect(await words(page, 'body')).toEqual([expect.not.stringContaining('three')]);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('an application without pulls has no panel and holds no line, until a sync begins', async () => {
    const { page } = await ui.visit({});
    await until(() => ui.host.asked.length === 2);
    await page.waitForLoadState('networkidle');
    expect([await words(page, '#panel'), ui.site.stream.clients()]).toEqual([[''], 0]);
    const operationState = { phase: 'Running', startedAt: '2026-04-01T09:00:00Z' };
    await show(page, { application: { ...APPLICATION, status: { operationState } } });
    await until(() => ui.site.stream.clients() === 1);
    ui.site.pulls.judged(tracked('mine'), verdict([pulling('a')]));
    await page.locator('#panel', { hasText: '↓ Progressing' }).waitFor();
  });

  test('all parts share one line, and none is left when they go', async () => {
    ui.site.pulls.judged(tracked('mine'), verdict([pulling('a')]));
    const { page } = await ui.visit({ resource: PULLER, flyout: true });
    await page.locator('#flyout .pull').waitFor();
    await until(() => ui.site.stream.clients() === 1);
    await page.evaluate("ReactDOM.unmountComponentAtNode(document.getElementById('app'))");
    await until(() => ui.site.stream.clients() === 0);
    expect(ui.host.asked.filter(({ path }) => path === '/api/v1/events')).toHaveLength(1);
  });

  test('under a root path it asks there, and names application and project', async () => {
    const other = await startHost(ui.site.url, '/argo/');
    ui.site.pulls.judged(tracked('mine'), verdict([pulling('a')]));
    const { page } = await ui.visit({ resource: PULLER }, 'light', other.url);
    await page.locator('.pull', { hasText: 'Progressing' }).waitFor();
    expect(other.asked[0]?.headers).toMatchObject({
      'argocd-application-name': 'argocd:mine',
      'argocd-project-name': 'default',
    });
    await ui.leave();
    await other.stop();
  });

  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    '#/" onclick="alert(1)',
    '</style><script>alert(1)</script>',
  ];

  test('hostile texts stay texts wherever they stand', async () => {
    const all = HOSTILE.join(' ');
    const states = HOSTILE.map((text) => node(text, { ...MISSING, image: text, message: text, fix: text }));
    const annotations = { 'argocd-prepuller.github.io/commit': `12345678 ${all}` };
    const told = { ...verdict([...states, pulling('b')], { message: all }), images: [{ image: all, nodes: 0 }] };
    ui.site.pulls.judged(tracked('mine', { annotations }), told);
    const { page, complaints } = await ui.visit({ resource: PULLER, flyout: true });
    const alerts: string[] = [];
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    await page.locator('#tab .message', { hasText: all }).waitFor();
    for (const text of HOSTILE) {
      await page.locator('#tab .cells a', { hasText: text }).click();
      await page.locator('#tab #node h2', { hasText: text }).waitFor();
    }
    ui.site.pulls.judged(tracked('mine', { annotations }), { ...told, message: `${all} again` });
    await page.locator('#tab .message', { hasText: 'again' }).waitFor();
    for (const place of ['#panel', '#flyout']) await page.locator(place, { hasText: all }).waitFor();
    expect(await page.locator('#app :is(img, svg, script, [onclick], [onload], [onerror])').count()).toBe(0);
    expect([alerts, complaints]).toEqual([[], []]);
  });
});
