/** Clients of the event stream, as browsers are: each reads all it is sent; when an event reached the first of them, and the last. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Listeners {
  /** Milliseconds from the first client that has an event to the last, of each event that all of them have. */
  spreads(): number[];
  connected(): number;
  stop(): void;
}

interface Heard {
  clients: number;
  first: number;
  last: number;
}

const ID = /^id: (\S+)$/gm;

/** Resolves when all are answered. */
export async function listen(port: number, clients: number): Promise<Listeners> {
  const heard = new Map<string, Heard>();
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(port, heard)));
  return {
    spreads: () => [...heard.values()].filter((one) => one.clients === clients).map(({ first, last }) => last - first),
    connected: () => sockets.filter((socket) => !socket.closed).length,
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function open(port: number, heard: Map<string, Heard>): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write('GET /api/v1/events HTTP/1.1\r\nHost: bench\r\n\r\n');
  await once(socket, 'data');
  let rest = '';
  socket.on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    for (const [, id = ''] of text.slice(0, end + 1).matchAll(ID)) count(heard, id);
  });
  return socket;
}

function count(heard: Map<string, Heard>, id: string): void {
  const now = performance.now();
  const known = heard.get(id) ?? { clients: 0, first: now, last: now };
  heard.set(id, { ...known, clients: known.clients + 1, last: now });
}
