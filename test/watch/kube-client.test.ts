/** The client over real HTTP: pages, watches, patches, and what comes of each way a request can end. */
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../src/errors.ts';
import { KubeError, pathOf } from '../../src/watch/kube-api.ts';
import type { KubeClient } from '../../src/watch/kube-api.ts';
import { connect } from '../../src/watch/kube-client.ts';
import { configFor, serveSimulation, until } from './kubeconfig.ts';
import type { Served } from './kubeconfig.ts';

let served: Served;
let client: KubeClient;
const never = new AbortController().signal;

beforeAll(async () => {
  served = await serveSimulation();
  client = connect({ kubeconfig: served.kubeconfig }).client;
  for (const name of ['a', 'b', 'c']) served.simulation.node(name);
  served.simulation.puller('pull');
});

afterAll(() => served.stop());

function names(objects: readonly unknown[]): string[] {
  return objects.map((object) => (object as { metadata: { name: string } }).metadata.name);
}

async function failureOf(request: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KubeError);
  return error as KubeError;
}

test('knows the namespace of the context', () => {
  expect(connect({ kubeconfig: served.kubeconfig }).namespace).toBe('hub');
});

test('lists in pages', async () => {
  const first = await client.list(pathOf('nodes'), { limit: 2 }, never);
  expect(names(first.items)).toEqual(['a', 'b']);
  const second = await client.list(pathOf('nodes'), { limit: 2, continue: first.next }, never);
  expect(names(second.items)).toEqual(['c']);
  expect(second.next).toBeUndefined();
  expect(second.resourceVersion).toBe(first.resourceVersion);
});

test('watches from a version on, and ends without an error when stopped', async () => {
  const { resourceVersion } = await client.list(pathOf('nodes'), {}, never);
  const stop = new AbortController();
  const seen: string[] = [];
  let open = false;
  const handler = {
    opened: () => {
      open = true;
    },
    event: (type: string, object: unknown) => void seen.push(`${type} ${names([object])[0] ?? ''}`),
  };
  const watching = client.watch(pathOf('nodes'), { resourceVersion }, handler, stop.signal);
  await until(() => open);
  served.simulation.node('d');
  await until(() => seen.length >= 2);
  expect(seen).toEqual(['ADDED d', 'MODIFIED d']);
  stop.abort();
  await watching;
});

test('a version that is too old ends the watch with 410', async () => {
  served.simulation.node('e');
  served.simulation.server.compact();
  const handler = { opened: () => undefined, event: () => undefined };
  expect((await failureOf(client.watch(pathOf('nodes'), { resourceVersion: '1' }, handler, never))).code).toBe(410);
});

test('a broken connection is an error without a code, a clean end none', async () => {
  const handler = { opened: () => undefined, event: () => undefined };
  const query = { timeoutSeconds: 1 };
  await client.watch(pathOf('nodes'), query, handler, never);
  let open = false;
  const watching = client.watch(pathOf('nodes'), {}, { ...handler, opened: () => void (open = true) }, never);
  await until(() => open);
  served.http.drop();
  expect((await failureOf(watching)).code).toBeUndefined();
});

test('an exception of the handler ends the watch', async () => {
  const handler = {
    opened: () => undefined,
    event: () => {
      throw new TypeError('a bug');
    },
  };
  const { cause } = await failureOf(client.watch(pathOf('nodes'), {}, handler, never));
  expect(cause).toBeInstanceOf(TypeError);
});

test('patches a status by strategic merge, and only the object of that UID', async () => {
  const path = `${pathOf('daemonsets', 'hub')}/pull/status`;
  const condition = { type: 'Test', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await client.patch(path, { status: { conditions: [condition] } }, never);
  await client.patch(path, { status: { conditions: [{ ...condition, type: 'Other' }] } }, never);
  const { status } = (await client.get(`${pathOf('daemonsets', 'hub')}/pull`, never)) as {
    status: { conditions: { type: string }[] };
  };
  expect(status.conditions.map(({ type }) => type).sort()).toEqual(['Other', 'Test']);
  const another = { metadata: { uid: 'another' }, status: { conditions: [condition] } };
  // 422, as controllers of Kubernetes expect it of an object that was made anew (controller_ref_manager.go).
  expect((await failureOf(client.patch(path, another, never))).code).toBe(422);
});

test.each([403, 409, 429, 500, 503] as const)('an answer %d is told by its code', async (code) => {
  const { faults } = served.simulation.server;
  if (code === 403) faults.revoked.push({ verb: 'get', resource: 'nodes' });
  else faults.refusals.push({ code, rate: 1 });
  const error = await failureOf(client.get(`${pathOf('nodes')}/a`, never));
  Object.assign(faults, { revoked: [], refusals: [] });
  expect(error.code).toBe(code);
  expect(error.retryAfter).toBe(code === 429 ? 1_000 : undefined);
  expect(error.message).not.toContain('tester-token');
});

/** A server of a few lines, for what the simulated one never does. */
async function withServer(listener: RequestListener, run: (kubeconfig: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = `${served.kubeconfig}-${port}`;
  writeFileSync(kubeconfig, JSON.stringify(configFor(`http://127.0.0.1:${port}`)));
  try {
    await run(kubeconfig);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test('a watch that falls silent ends, one that speaks goes on', async () => {
  const bookmark = `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } })}\n`;
  await withServer(
    (_request, response) => {
      response.writeHead(200);
      // Five bookmarks, each in two pieces, then nothing more.
      for (let index = 0; index < 10; index += 1) {
        const half = index % 2 === 0 ? bookmark.slice(0, 20) : bookmark.slice(20);
        setTimeout(() => response.write(half), index * 40);
      }
    },
    async (kubeconfig) => {
      let bookmarks = 0;
      const { client: quick } = connect({ kubeconfig, silence: 200 });
      const handler = { opened: () => undefined, event: () => void (bookmarks += 1) };
      const error = await failureOf(quick.watch('/api/v1/pods', {}, handler, never));
      expect(error.message).toContain('silent');
      expect(bookmarks).toBe(5);
    },
  );
});

test('a request that gets no answer is given up', async () => {
  await withServer(
    () => undefined,
    async (kubeconfig) => {
      const { client: quick } = connect({ kubeconfig, timeout: 100 });
      expect((await failureOf(quick.get('/api/v1/nodes/a', never))).code).toBeUndefined();
    },
  );
});

test('connections are kept', async () => {
  const ports = new Set<number | undefined>();
  const answer = (request: IncomingMessage): string => {
    ports.add(request.socket.remotePort);
    return '{"metadata":{}}';
  };
  await withServer(
    (request, response) => response.end(answer(request)),
    async (kubeconfig) => {
      const { client: one } = connect({ kubeconfig });
      for (let index = 0; index < 20; index += 1) await one.get('/api/v1/nodes/a', never);
      expect(ports.size).toBeLessThan(5);
    },
  );
});

test('an API server behind a proxy of the environment is asked through it', async () => {
  const asked: string[] = [];
  await withServer(
    (request, response) => {
      asked.push(request.url ?? '');
      response.end('{"metadata":{}}');
    },
    async (kubeconfig) => {
      const proxy = (
        JSON.parse(JSON.stringify(configFor(`http://127.0.0.1:${kubeconfig.split('-').at(-1) ?? ''}`))) as {
          clusters: { cluster: { server: string } }[];
        }
      ).clusters[0]!.cluster.server;
      const { HTTP_PROXY, NO_PROXY } = process.env;
      Object.assign(process.env, { HTTP_PROXY: proxy, NO_PROXY: '' });
      try {
        writeFileSync(kubeconfig, JSON.stringify(configFor('http://kubernetes.example:6443')));
        const { client: through } = connect({ kubeconfig });
        await through.get('/api/v1/nodes/a', never).catch(() => undefined);
        expect(asked.join()).toContain('kubernetes.example');
      } finally {
        Object.assign(process.env, { HTTP_PROXY: HTTP_PROXY ?? '', NO_PROXY: NO_PROXY ?? '' });
      }
    },
  );
});

test('neither a kubeconfig nor a service account is a wrong call', () => {
  const { HOME, KUBECONFIG } = process.env;
  const nobody = mkdtempSync(join(tmpdir(), 'nobody-'));
  delete process.env.KUBECONFIG;
  process.env.HOME = nobody;
  try {
    expect(() => connect()).toThrow(
      new UsageError('no cluster is configured: set KUBECONFIG, or --kubeconfig and --context'),
    );
  } finally {
    process.env.HOME = HOME;
    if (KUBECONFIG !== undefined) process.env.KUBECONFIG = KUBECONFIG;
    rmSync(nobody, { recursive: true });
  }
});

test.each([
  ['a file that is not there', 'nowhere', /cannot be read \(ENOENT\)/],
  ['a file that is no kubeconfig', 'broken', /it is no kubeconfig/],
  ['a context that is not in it', 'other', /no cluster is configured/],
])('%s is a wrong call', (_what, name, message) => {
  const kubeconfig = `${served.kubeconfig}-${name}`;
  if (name === 'broken') writeFileSync(kubeconfig, 'token: [secret-token');
  if (name === 'other') writeFileSync(kubeconfig, JSON.stringify({ ...configFor('http://x'), contexts: [] }));
  const call = (): unknown => connect({ kubeconfig });
  expect(call).toThrow(UsageError);
  expect(call).toThrow(message);
  expect(call).not.toThrow(/secret-token/);
});
