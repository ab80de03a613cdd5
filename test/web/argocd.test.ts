/** What argocd-server may relay: with its secret alone, for one application alone, whatever headers and paths its users think of. */
import { request } from 'node:http';
import { until } from '../watch/kubeconfig.ts';
import { daemonSet, node, pulling, verdict } from './site.ts';
import { relayedFor, SECRET, startArgoCdSite, tracked } from './argocd-site.ts';
import type { ArgoCdSite } from './argocd-site.ts';

let site: ArgoCdSite;
beforeEach(async () => {
  site = await startArgoCdSite();
  site.pulls.judged(tracked('mine', { name: 'pull-mine', uid: 'uid-1' }), verdict([node('a')]));
  site.pulls.judged(tracked('theirs', { name: 'pull-theirs', uid: 'uid-2' }), verdict([node('a')]));
});
afterEach(async () => {
  expect(site.failures).toEqual([]);
  await site.stop();
});

const MINE = relayedFor('argocd:mine');
const PATHS = ['/api/v1/pulls', '/api/v1/pulls/hub/pull-mine', '/api/v1/events', '/api/v1/openapi.json'];

function get(path: string, headers: Record<string, string> = MINE): Promise<Response> {
  return fetch(site.url + path, { headers, redirect: 'manual' });
}

async function namesAt(path: string, headers = MINE): Promise<string[]> {
  const { pulls } = (await (await get(path, headers)).json()) as { pulls: { name: string }[] };
  return pulls.map(({ name }) => name);
}

const without = (name: string) => Object.fromEntries(Object.entries(MINE).filter(([one]) => one !== name));

test.each(PATHS)('%s is answered with the secret alone', async (path) => {
  const right = await get(path);
  expect(right.status).toBe(200);
  await right.body?.cancel();
  const forged = { ...MINE, 'Argocd-Prepuller-Secret': 'not-the-secret-at-all' };
  for (const headers of [without('Argocd-Prepuller-Secret'), forged, { ...MINE, 'Argocd-Prepuller-Secret': '' }]) {
    const answer = await get(path, headers);
    expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining('pull-mine')]);
  }
  const asToken = { ...without('Argocd-Prepuller-Secret'), Authorization: `Bearer ${SECRET}` };
  expect((await get(path, asToken)).status).toBe(401);
});

test.each(['/', '/metrics', '/sign-in', '/livez', '/readyz', '/pulls/hub/pull-mine', '/api/v1', '/api/v1/other'])(
  '%s is not there, with the secret or without',
  async (path) => {
    expect((await get(path)).status).toBe(404);
    expect([401, 404]).toContain((await get(path, {})).status);
  },
);

test.each([
  ['no application', without('Argocd-Application-Name')],
  ['no namespace of Argo CD', without('Argocd-Namespace')],
  ['a name without a namespace', { ...MINE, 'Argocd-Application-Name': 'mine' }],
  ['two names in one', { ...MINE, 'Argocd-Application-Name': 'argocd:mine:theirs' }],
  ['nothing for a name', { ...MINE, 'Argocd-Application-Name': 'argocd:' }],
  ['the name of an instance', { ...MINE, 'Argocd-Application-Name': 'argocd:team_mine' }],
])('%s: refused', async (_what, headers) => {
  const answer = await get('/api/v1/pulls', headers);
  expect([answer.status, await answer.text()]).toEqual([400, expect.not.stringContaining('pull-')]);
});

test('of two headers with applications none is taken: Argo CD has asked about the first alone', async () => {
  const answer = Promise.withResolvers<number | undefined>();
  const two = { ...MINE, 'Argocd-Application-Name': ['argocd:mine', 'argocd:theirs'] };
  request(`${site.url}/api/v1/pulls`, { headers: two }, (response) => {
    response.resume();
    answer.resolve(response.statusCode);
  }).end();
  expect(await answer.promise).toBe(400);
});

test('after thirty wrong secrets an address waits', async () => {
  const wrong = { ...MINE, 'Argocd-Prepuller-Secret': 'not-the-secret-at-all' };
  for (let guess = 0; guess < 30; guess += 1) expect((await get('/api/v1/pulls', wrong)).status).toBe(401);
  expect((await get('/api/v1/pulls')).status).toBe(429);
});

test('pulls of another application are in no list, are not found, and are not among the past ones', async () => {
  expect(await namesAt('/api/v1/pulls')).toEqual(['pull-mine']);
  expect(await namesAt('/api/v1/pulls', relayedFor('argocd:theirs'))).toEqual(['pull-theirs']);
  expect((await get('/api/v1/pulls/hub/pull-theirs')).status).toBe(404);
  expect((await get('/api/v1/pulls/hub/pull-mine')).status).toBe(200);
  site.pulls.gone('hub/pull-mine');
  site.pulls.gone('hub/pull-theirs');
  expect(await namesAt('/api/v1/pulls?past=true')).toEqual(['pull-mine']);
  expect(await namesAt('/api/v1/pulls')).toEqual([]);
});

test('an application of another namespace is another one', async () => {
  expect(await namesAt('/api/v1/pulls', relayedFor('team:mine'))).toEqual([]);
  site.pulls.judged(tracked('team_mine', { name: 'pull-team', uid: 'uid-3' }), verdict([node('a')]));
  expect(await namesAt('/api/v1/pulls', relayedFor('team:mine'))).toEqual(['pull-team']);
  expect(await namesAt('/api/v1/pulls')).toEqual(['pull-mine']);
});

test('a tracking id that is not the own one, or a label alone, belongs to no application', async () => {
  const copied = { 'argocd.argoproj.io/tracking-id': 'mine:apps/DaemonSet:hub/pull-mine' };
  site.pulls.judged(daemonSet({ name: 'copy', uid: 'uid-3', annotations: copied }), verdict([node('a')]));
  const labelled = { ...daemonSet({ name: 'label', uid: 'uid-4' }), instance: 'mine' };
  site.pulls.judged(labelled, verdict([node('a')]));
  expect(site.pulls.current().map(({ pull }) => pull.name)).toEqual(['copy', 'label', 'pull-mine', 'pull-theirs']);
  expect(await namesAt('/api/v1/pulls')).toEqual(['pull-mine']);
});

/** What a listener of an application hears, from `after` on. */
async function listen(application: string, after: string): Promise<{ text: () => string; stop: () => void }> {
  const controller = new AbortController();
  const headers = { ...relayedFor(application), 'Last-Event-ID': after };
  const response = await fetch(`${site.url}/api/v1/events`, { headers, signal: controller.signal });
  let text = '';
  const decoder = new TextDecoder();
  const stream = response.body!.pipeTo(
    new WritableStream({ write: (chunk: Uint8Array) => void (text += decoder.decode(chunk)) }),
  );
  stream.catch(() => undefined);
  return {
    text: () => text,
    stop: () => {
      controller.abort();
    },
  };
}

test('changes of another application are not heard of: not live, not in what is replayed, not when one takes a puller over', async () => {
  const start = site.stream.lastId();
  const [mine, theirs] = [await listen('argocd:mine', start), await listen('argocd:theirs', start)];
  site.pulls.judged(tracked('theirs', { name: 'pull-theirs', uid: 'uid-2' }), verdict([pulling('secret-node')]));
  site.pulls.judged(tracked('mine', { name: 'pull-mine', uid: 'uid-1' }), verdict([pulling('own-node')]));
  await until(() => theirs.text().includes('secret-node') && mine.text().includes('own-node'));
  site.pulls.judged(tracked('theirs', { name: 'pull-mine', uid: 'uid-1' }), verdict([pulling('taken-node')]));
  await until(() => theirs.text().includes('taken-node') && mine.text().includes('event: gone'));
  site.pulls.gone('hub/pull-theirs');
  await until(() => theirs.text().includes('event: gone'));
  const replayed = await listen('argocd:mine', start);
  await until(() => replayed.text().includes('event: gone'));
  for (const { text } of [mine, replayed]) {
    expect(text()).not.toMatch(/secret-node|taken-node|pull-theirs/);
    expect(text().match(/^event: /gm)).toHaveLength(2);
  }
  expect(theirs.text()).not.toContain('own-node');
  for (const { stop } of [mine, theirs, replayed]) stop();
});
