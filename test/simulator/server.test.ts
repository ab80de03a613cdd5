/** The API server on its port: what faults do to clients, what is counted, and that nothing is left behind. */
import { createApiClient } from '../../simulator/api-client.ts';
import type { ApiClient } from '../../simulator/api-client.ts';
import type { Cluster } from '../../simulator/cluster.ts';
import { startCluster } from '../../simulator/cluster.ts';
import { scaledClock } from '../../simulator/clock.ts';
import type { ApiError } from '../../simulator/errors.ts';
import { httpTransport } from '../../simulator/transports.ts';
import type { WatchEvent } from '../../simulator/watches.ts';
import { daemonSet, START } from './fixtures.ts';

/** A cluster on a port, a hundred times as fast, and a client of it who is nobody special. */
async function withHttp(run: (cluster: Cluster, client: ApiClient, url: string) => Promise<void>): Promise<void> {
  const cluster = await startCluster({ clock: scaledClock(100, START), http: true, nodes: [{ name: 'a' }] });
  const transport = httpTransport({ url: cluster.url ?? '', token: 'somebody' });
  try {
    await run(cluster, createApiClient(transport), cluster.url ?? '');
  } finally {
    transport.close();
    await cluster.stop();
  }
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries += 1) {
    if (tries > 1_000) throw new Error('it never came');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const refused = (request: Promise<unknown>): Promise<ApiError> =>
  request.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as ApiError,
  );

test('everything works over HTTP: pulls come to their end, a watch tells of it, bytes are counted', async () => {
  await withHttp(async (cluster, client) => {
    const seen: WatchEvent[] = [];
    const stop = client.watch(
      'daemonsets',
      { namespace: 'default' },
      {
        events: (events) => void seen.push(...events),
        end: () => undefined,
      },
    );
    await client.create(daemonSet({ containers: [{ name: 'pull-0', image: 'r.test/nb:1' }] }));
    await until(() => seen.at(-1)?.object.status?.numberReady === 1);
    stop();
    await until(() => cluster.server.watches.count() === 0);
    const { requests, bytes } = cluster.server.traffic.total({
      user: 'somebody',
      verb: 'watch',
      resource: 'daemonsets',
    });
    expect(requests).toBe(1);
    expect(bytes).toBeGreaterThan(1_000);
    expect(cluster.server.traffic.total({ user: 'somebody', verb: 'patch' })).toEqual({ requests: 0, bytes: 0 });
  });
});

test.each([
  [409, 'Conflict'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
] as const)('%d for a share of the requests of one verb, never for the cluster itself', async (code, reason) => {
  await withHttp(async (cluster, client) => {
    cluster.server.faults.refusals = [{ code, rate: 0.5, verbs: ['list'] }];
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        client.list('pods').then(
          () => 200,
          (error: unknown) => error as ApiError,
        ),
      ),
    );
    const errors = answers.filter((answer) => answer !== 200);
    expect(errors.length).toBeGreaterThan(25);
    expect(errors.length).toBeLessThan(75);
    expect(errors[0]).toMatchObject({ code, reason });
    await client.get({ resource: 'nodes', name: 'a' });
    for (let count = 0; count < 20; count += 1) await cluster.client.list('pods');
  });
});

test('429 comes with Retry-After', async () => {
  await withHttp(async (cluster, _client, url) => {
    cluster.server.faults.refusals = [{ code: 429, rate: 1 }];
    const answer = await fetch(`${url}/api/v1/pods`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
  });
});

test('a right that is taken away is missed at once, and only that one', async () => {
  await withHttp(async (cluster, client) => {
    cluster.server.faults.revoked = [{ verb: '*', resource: 'nodes' }];
    const error = await refused(client.list('nodes'));
    expect(error.code).toBe(403);
    expect(error.message).toBe(
      'nodes "" is forbidden: User "somebody" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    await client.list('pods');
  });
});

test('away: connections break and none is taken, watches end; back again it goes on under the same address', async () => {
  await withHttp(async (cluster, client) => {
    let ended = 0;
    client.watch('pods', {}, { events: () => undefined, end: () => void (ended += 1) });
    await until(() => cluster.server.watches.count() === 1);
    cluster.goAway();
    await until(() => ended === 1);
    expect((await refused(client.list('pods'))).code).not.toBe(200);
    await cluster.client.list('pods');
    cluster.comeBack();
    await until(() =>
      client.list('pods').then(
        () => true,
        () => false,
      ),
    );
  });
});

test('watches that are silenced stay open and say nothing, new ones speak', async () => {
  await withHttp(async (cluster, client) => {
    const first: WatchEvent[] = [];
    const second: WatchEvent[] = [];
    const follow = (into: WatchEvent[]) =>
      client.watch('configmaps', {}, { events: (events) => void into.push(...events), end: () => undefined });
    const write = (name: string) =>
      client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
    follow(first);
    await until(() => cluster.server.watches.count() === 1);
    cluster.server.watches.silence(true);
    await write('unheard');
    cluster.server.watches.silence(false);
    follow(second);
    await until(() => second.length === 1);
    await write('heard');
    await until(() => second.length === 2);
    expect(first).toEqual([]);
    expect(cluster.server.watches.count()).toBe(2);
  });
});

test('a page whose list is forgotten ends with 410', async () => {
  await withHttp(async (cluster, client) => {
    for (const name of ['a', 'b', 'c']) {
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
    }
    const page = await client.list('configmaps', { limit: 1 });
    expect(page.metadata.remainingItemCount).toBe(2);
    await client.delete({ resource: 'configmaps', namespace: 'default', name: 'c' });
    await client.list('configmaps');
    cluster.server.compact();
    const error = await refused(client.list('configmaps', { limit: 1, continue: page.metadata.continue ?? '' }));
    expect([error.code, error.reason]).toEqual([410, 'Expired']);
  });
});

// [request, content type and body, code, a part of the answer]
const JSON_TYPE = 'application/json';
test.each<[string, [string, string], number, string]>([
  ['GET /apis/nowhere/v1/things', [JSON_TYPE, ''], 404, '404 page not found'],
  ['PUT /api/v1/pods', [JSON_TYPE, '{}'], 405, 'the server does not allow this method'],
  ['PATCH /api/v1/nodes/a', ['application/foo', '{}'], 415, '415: Unsupported Media Type'],
  [
    'POST /api/v1/namespaces/no/configmaps',
    [JSON_TYPE, '{"metadata":{"name":"a"}}'],
    404,
    'namespaces \\"no\\" not found',
  ],
  ['POST /api/v1/namespaces/default/configmaps', [JSON_TYPE, '{'], 400, 'no JSON'],
  ['POST /api/v1/namespaces/default/configmaps', [JSON_TYPE, '[]'], 400, 'no object'],
  ['GET /api/v1/pods?limit=1&continue=abc', [JSON_TYPE, ''], 400, 'continue key is not valid'],
  ['GET /api/v1/pods?labelSelector=a%20b', [JSON_TYPE, ''], 400, 'unable to parse requirement'],
  ['GET /livez', [JSON_TYPE, ''], 200, 'ok'],
])('%s', async (request, [type, body], code, text) => {
  await withHttp(async (_cluster, _client, url) => {
    const [method = '', path = ''] = request.split(' ');
    const init = { method, headers: { 'content-type': type }, ...(body === '' ? {} : { body }) };
    const answer = await fetch(url + path, init);
    expect(answer.status).toBe(code);
    expect(await answer.text()).toContain(text);
  });
});
