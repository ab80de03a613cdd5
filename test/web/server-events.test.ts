/** Events out of a fetch stream: the same ones however the bytes are cut, heartbeats among them, and no half of one at the end. */
import fc from 'fast-check';
import { readEvents } from '../../src/web/extension/server-events.ts';
import type { ServerEvent } from '../../src/web/extension/server-events.ts';

const TEXT =
  'retry: 1000\n\n' +
  'id: a-1\nevent: pull\ndata: {"message":"köln: 1/2 ☃ nodes"}\n\n' +
  ': still here\n\n' +
  'id: a-2\nevent: gone\ndata: {"name":"x"}\n\n' +
  'id: a-3\nevent: pull\nda';
const EVENTS: ServerEvent[] = [
  { id: 'a-1', name: 'pull', data: '{"message":"köln: 1/2 ☃ nodes"}' },
  { id: 'a-2', name: 'gone', data: '{"name":"x"}' },
];

async function read(bytes: Uint8Array, cuts: readonly number[]): Promise<{ events: ServerEvent[]; pieces: number }> {
  const places = [0, ...[...cuts].sort((one, other) => one - other), bytes.length];
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const [index, place] of places.slice(1).entries()) controller.enqueue(bytes.slice(places[index], place));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  let pieces = 0;
  await readEvents(
    stream,
    (event) => events.push(event),
    () => (pieces += 1),
  );
  return { events, pieces };
}

test('the same events, wherever the bytes are cut', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const cut = fc.integer({ min: 0, max: bytes.length });
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 8 }), async (cuts) => {
      expect((await read(bytes, cuts)).events).toEqual(EVENTS);
    }),
  );
});

test('each piece is a sign of life, a heartbeat too', async () => {
  const { events, pieces } = await read(new TextEncoder().encode(': still here\n\n: still here\n\n'), [14]);
  expect({ events, pieces }).toEqual({ events: [], pieces: 2 });
});
