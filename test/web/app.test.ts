/** Probes and metrics over HTTP. */
import { readDaemonSet } from '../../src/verdict/read-daemonset.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { createApp } from '../../src/web/app.ts';
import type { Probe } from '../../src/web/app.ts';
import { createMetrics } from '../../src/web/metrics.ts';
import { serve } from '../../src/web/serve.ts';
import type { Served } from '../../src/web/serve.ts';

const OK: Probe = { ok: true, problems: [] };
const state = { pictureAge: 2_500 as number | undefined, leading: true, queued: 3 };
const probes = { live: OK, ready: OK };
const metrics = createMetrics(() => state);
let server: Served;

beforeAll(async () => {
  server = await serve(createApp({ live: () => probes.live, ready: () => probes.ready, metrics }), {
    host: '127.0.0.1',
    port: 0,
  });
});

afterAll(() => server.stop(1_000));

function get(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`);
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

test('nothing else is served, and nothing says by what', async () => {
  const answer = await get('/');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('x-powered-by')).toBeNull();
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
  counts: { eligible: 3, pulled: 1, pulling: 0, tolerated: 0, failed: 2 },
} as Verdict;

test('metrics follow the verdict and go with the puller', async () => {
  metrics.judged(daemonSet, verdict);
  const text = await (await get('/metrics')).text();
  expect(text).toContain('prepull_failed{namespace="hub",name="pull",app="lab"} 1');
  expect(text).toContain('prepull_nodes{namespace="hub",name="pull",app="lab",state="failed"} 2');
  expect(text).toContain('prepull_health{namespace="hub",name="pull",app="lab",health="Healthy"} 0');
  expect(text).toContain('prepuller_picture_age_seconds 2.5');
  expect(text).toContain('prepuller_leader 1');
  metrics.judged(daemonSet, { ...verdict, health: 'Healthy' });
  expect(await metrics.text()).toContain('prepull_failed{namespace="hub",name="pull",app="lab"} 0');
  metrics.gone('hub/pull');
  expect(await metrics.text()).not.toContain('name="pull"');
});

test('a port that is taken is a wrong call', async () => {
  const app = createApp({ live: () => OK, ready: () => OK, metrics });
  await expect(serve(app, { host: '127.0.0.1', port: server.port })).rejects.toThrow('EADDRINUSE');
});
