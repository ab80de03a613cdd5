/** Server-sent events: resume, what cannot be resumed, 200 listeners at 5,000 nodes, slow ones dropped, one serialisation for all. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { OPENAPI } from '../../src/web/openapi.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { until } from '../watch/kubeconfig.ts';
import { daemonSet, fleet, node, pulling, startSite, verdict } from './site.ts';
import type { Site } from './site.ts';

const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
ajv.addSchema(OPENAPI, 'openapi');

let site: Site;
let sockets: Socket[] = [];
beforeEach(async () => {
  site = await startSite();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await site.stop();
});

interface Event {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** A listener that takes everything, or after a while nothing. */
function listen(query = '', headers = ''): { text: () => string; events: () => Event[]; socket: Socket } {
  const socket = connect(site.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1/events${query} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return { text: () => text, events: () => eventsIn(text), socket };
}

/** Chunk sizes are lines of their own. */
function eventsIn(text: string): Event[] {
  const found = text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/g);
  return [...found].map(([, id = '', event = '', data = '']) => ({
    id,
    event,
    data: JSON.parse(data) as Record<string, unknown>,
  }));
}

test('a change comes as it is in the contract, with the nodes that changed and no others', async () => {
  site.pulls.judged(daemonSet(), verdict([pulling('a'), pulling('b')]));
  const listener = listen(`?after=${site.stream.lastId()}`);
  await until(() => listener.text().includes('retry: '));
  site.pulls.judged(daemonSet(), verdict([node('a'), pulling('b')]));
  await until(() => listener.events().length === 1);
  site.pulls.gone('hub/pull');
  await until(() => listener.events().length === 2);
  const [pull, gone] = listener.events();
  expect([pull?.event, gone?.event]).toEqual(['pull', 'gone']);
  expect((pull?.data.nodes as { node: string }[]).map((one) => one.node)).toContain('a');
  for (const [schema, data] of [
    ['PullEvent', pull?.data],
    ['GoneEvent', gone?.data],
  ] as const) {
    expect([ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, data), ajv.errors]).toEqual([true, null]);
  }
});

test('who comes back gets what came meanwhile, once and in order', async () => {
  const first = listen(`?after=${site.stream.lastId()}`);
  await until(() => site.stream.clients() === 1);
  const other = listen(`?after=${site.stream.lastId()}`);
  await until(() => site.stream.clients() === 2);
  site.pulls.judged(daemonSet(), verdict([pulling('a')]));
  await until(() => first.events().length === 1);
  first.socket.destroy();
  await until(() => site.stream.clients() === 1);
  for (const state of [node('a'), pulling('a'), node('a')]) {
    site.pulls.judged(daemonSet(), verdict([state]));
    site.pulls.version();
  }
  await until(() => other.events().length === 4);
  const again = listen('', `Last-Event-ID: ${first.events()[0]!.id}\r\n`);
  await until(() => again.events().length === 3);
  expect(again.events()).toEqual(other.events().slice(1));
});

test.each([
  ['no id', ''],
  ['an id of another process', '?after=0123456789ab-1'],
  ['an id that is none', '?after=%00%0aevent:evil'],
  ['an id of the future', '?after=SAME-99'],
])('%s begins anew', async (_case, query) => {
  site.pulls.judged(daemonSet(), verdict([pulling('a')]));
  const listener = listen(query.replace('SAME', site.stream.lastId().split('-')[0]!));
  await until(() => listener.events().length > 0);
  expect(listener.events()[0]).toMatchObject({ event: 'reset', id: site.stream.lastId(), data: {} });
});

test('what happened while nobody listened is not kept', async () => {
  const { socket, text } = listen();
  await until(() => text().includes('reset'));
  const id = site.stream.lastId();
  socket.destroy();
  await until(() => site.stream.clients() === 0);
  site.pulls.judged(daemonSet(), verdict([pulling('a')]));
  const listener = listen(`?after=${id}`);
  await until(() => listener.events().length > 0);
  expect(listener.events()[0]?.event).toBe('reset');
});

test('names of a cluster cannot begin a field of an event', async () => {
  const listener = listen(`?after=${site.stream.lastId()}`);
  await until(() => site.stream.clients() === 1);
  site.pulls.judged(daemonSet({ name: 'x\n\nevent: evil\ndata: {}\n\n' }), verdict([pulling('a\r\nid: evil\n\n')]));
  await until(() => listener.events().length === 1);
  expect(listener.text()).not.toMatch(/^(event|id|data): evil/m);
});

/** Counts what comes. */
function countBytes(query: string): { socket: Socket; bytes: () => number } {
  const socket = connect(site.port, '127.0.0.1');
  sockets.push(socket);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1/events${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return { socket, bytes: () => bytes };
}

/** Every one of 5,000 cells changes. */
function changeAll(round: number): void {
  site.pulls.judged(daemonSet(), verdict(fleet(5_000, (name) => pulling(name, 1_000_000 + round * 1_000))));
  site.pulls.version();
}

test('200 listeners at 5,000 nodes: each gets everything, and all of them the same bytes', async () => {
  const LISTENERS = 200;
  changeAll(0);
  const after = `?after=${site.stream.lastId()}`;
  const listeners = Array.from({ length: LISTENERS }, () => countBytes(after));
  await until(() => site.stream.clients() === LISTENERS);
  let most = 0;
  let sent = 0;
  for (let round = 1; round <= 5; round += 1) {
    const before = process.memoryUsage().arrayBuffers;
    changeAll(round);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    await until(() => new Set(listeners.map(({ bytes }) => bytes())).size === 1 && listeners[0]!.bytes() > sent);
    sent = listeners[0]!.bytes();
  }
  expect(site.stream.clients()).toBe(LISTENERS);
  expect(sent).toBeGreaterThan(5 * 5_000 * 50);
  console.log(
    `${(sent / 5e6).toFixed(2)} MB a change, to each of ${LISTENERS}; buffers at most ${(most / 1e6).toFixed(1)} MB`,
  );
  // What waits to be sent, before any of it is: a copy for each listener would be two hundred times a change.
  expect(most).toBeLessThan((sent / 5) * 20);
}, 60_000);

test('a listener that does not read is dropped, the others are not', async () => {
  changeAll(0);
  const after = `?after=${site.stream.lastId()}`;
  const [slow, quick] = [countBytes(after), countBytes(after)];
  await until(() => site.stream.clients() === 2);
  slow.socket.pause();
  for (let round = 1; site.stream.clients() === 2; round += 1) {
    expect(round).toBeLessThan(200);
    const seen = quick.bytes();
    changeAll(round);
    await until(() => quick.bytes() > seen);
  }
  const seen = quick.bytes();
  changeAll(1_000);
  await until(() => quick.bytes() > seen);
  expect(site.stream.clients()).toBe(1);
}, 60_000);
