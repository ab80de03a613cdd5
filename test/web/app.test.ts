/** Probes and metrics over HTTP; what is closed, and that an error says nothing. */
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { createApp } from '../../src/web/app.ts';
import type { Probe, WebParts } from '../../src/web/app.ts';
import { createMetrics } from '../../src/web/metrics.ts';
import { createPulls } from '../../src/web/pulls.ts';
import { serve } from '../../src/web/serve.ts';
import type { Served } from '../../src/web/serve.ts';
import { createStream } from '../../src/web/stream.ts';
import { ASSETS } from './site.ts';

const OK: Probe = { ok: true, problems: [] };
const state = { pictureAge: 2_500 as number | undefined, leading: true, queued: 3 };
const probes = { live: OK, ready: OK };
const metrics = createMetrics({ state: () => state, now: Date.now, version: '1.2.3' });
const pulls = createPulls(Date.now);
const stream = createStream(pulls);
const failures: unknown[] = [];
const parts: WebParts = {
  live: () => probes.live,
  ready: () => probes.ready,
  metrics: { ...metrics, access: 'open' },
  page: { access: 'closed', pulls, stream, assets: ASSETS },
  failed: (error) => void failures.push(error),
};
let server: Served;

beforeAll(async () => {
  server = await serve(createApp(parts), { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  stream.stop();
  await server.stop(1_000);
});

function get(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: 'manual' });
}

test.each(['/livez', '/readyz'] as const)('%s says what is wrong', async (path) => {
  expect((await get(path)).status).toBe(200);
  const probe = path === '/livez' ? 'live' : 'ready';
  probes[probe] = { ok: false, problems: ['one thing', 'another'] };
  const answer = await get(path);
  probes[probe] = OK;
  expect(answer.status).toBe(503);
  expect(await answer.text()).toBe('one thing\nanother\n');
});

test.each([
  '/',
  '/sign-in',
  '/pulls/hub/pull',
  '/api/v1/pulls',
  '/api/v1/events',
  '/api/v1/openapi.json',
  ASSETS.script,
])('%s is not there while the page is closed, and nothing says by what it is served', async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toBe('not found\n');
  expect(answer.headers.get('x-powered-by')).toBeNull();
});

test('metrics that are closed are not there either', async () => {
  const closed = createApp({ ...parts, metrics: { ...metrics, access: 'closed' } });
  const other = await serve(closed, { host: '127.0.0.1', port: 0 });
  expect((await fetch(`http://127.0.0.1:${other.port}/metrics`)).status).toBe(404);
  await other.stop(100);
});

test('an error of ours is told to us alone, one of theirs to nobody', async () => {
  const text = (): Promise<string> => Promise.reject(new Error('secret of the inside'));
  const broken = createApp({ ...parts, metrics: { ...parts.metrics, text } });
  const other = await serve(broken, { host: '127.0.0.1', port: 0 });
  const answer = await fetch(`http://127.0.0.1:${other.port}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([500, 'internal error\n']);
  expect(String(failures.pop())).toContain('secret of the inside');
  await other.stop(100);
});

const daemonSet = readDaemonSet({
  metadata: {
    namespace: 'hub',
    name: 'pull',
    annotations: { 'argocd.argoproj.io/tracking-id': 'lab:apps/DaemonSet:hub/pull' },
  },
});
const verdict = {
  health: 'Degraded',
  reason: 'ImageMissing',
  counts: { eligible: 3, pulled: 1, pulling: 0, tolerated: 0, failed: 2 },
} as Verdict;

test('metrics follow the verdict and go with the puller', async () => {
  metrics.judged(daemonSet, verdict);
  const text = await (await get('/metrics')).text();
  expect(text).toContain('prepull_failed{namespace="hub",name="pull",app="lab",role=""} 1');
  expect(text).toContain('prepull_nodes{namespace="hub",name="pull",app="lab",role="",state="failed"} 2');
  expect(text).toContain(
    'prepull_verdict{namespace="hub",name="pull",app="lab",role="",health="Degraded",reason="ImageMissing"} 1',
  );
  expect(text).toContain('prepuller_picture_age_seconds 2.5');
  expect(text).toContain('prepuller_leader 1');
  metrics.judged(daemonSet, { ...verdict, health: 'Healthy', reason: 'Pulled' });
  expect(await metrics.text()).toContain('prepull_failed{namespace="hub",name="pull",app="lab",role=""} 0');
  metrics.gone('hub/pull');
  expect(await metrics.text()).not.toContain('name="pull"');
});

test('a label that tries to end its line stays in it', async () => {
  const hostile = 'x"} 1\nprepull_failed{namespace="evil"';
  metrics.judged({ ...daemonSet, name: hostile }, verdict);
  const lines = (await metrics.text()).split('\n').filter((line) => line.includes('evil'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^prepull_\w+\{namespace="hub",name="x\\"\} 1\\nprepull_failed/);
  metrics.gone(`hub/${hostile}`);
});

test('a port that is taken is a wrong call', async () => {
  await expect(serve(createApp(parts), { host: '127.0.0.1', port: server.port })).rejects.toThrow('EADDRINUSE');
});
