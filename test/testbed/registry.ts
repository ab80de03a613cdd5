/** A real registry on loopback, and doors to it that let pass, refuse, ask for a password, dawdle or say nothing at all. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { freePorts } from './ports.ts';
import { start } from './processes.ts';
import { pushImage } from './oci-image.ts';
import type { ImageSpec } from './oci-image.ts';
import { until } from './until.ts';

export interface Registry {
  /** `127.0.0.1:port`, without any door in between. */
  host: string;
  push(image: ImageSpec): Promise<void>;
  stop(): Promise<void>;
}

/** docker-registry, its images in `folder`. */
export async function startRegistry(folder: string): Promise<Registry> {
  const [port = 0] = await freePorts(1);
  const host = `127.0.0.1:${port}`;
  mkdirSync(folder, { recursive: true });
  const config = {
    version: 0.1,
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: host },
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  const log = join(folder, 'registry.log');
  const running = start({
    name: 'registry',
    command: '/usr/bin/docker-registry',
    args: ['serve', join(folder, 'config.yml')],
    log,
  });
  await until('the registry answers', async () => !running.isAlive() || (await fetch(`http://${host}/v2/`)).ok);
  if (!running.isAlive()) throw new Error(`the registry ended:\n${running.lastWords()}`);
  return { host, push: (image) => pushImage(`http://${host}`, image), stop: () => running.kill() };
}

export type Manner =
  | { kind: 'open' }
  | { kind: 'limited' }
  | { kind: 'silent' }
  | { kind: 'private'; user: string; password: string }
  /** Bytes a second. */
  | { kind: 'slow'; rate: number };

export interface Door {
  /** What image references begin with. */
  host: string;
  open(): Promise<void>;
  /** Nobody listens any more. */
  close(): Promise<void>;
}

/** Closed at first: connections are refused. */
export async function makeDoor(registry: Registry, manner: Manner = { kind: 'open' }): Promise<Door> {
  const [port = 0] = await freePorts(1);
  let server: Server | undefined;
  return {
    host: `127.0.0.1:${port}`,
    async open() {
      server = createServer((asked, answer) => {
        answerIn(manner, registry.host, asked, answer);
      }).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      if (server === undefined) return;
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      server = undefined;
      await closed;
    },
  };
}

function answerIn(manner: Manner, host: string, asked: IncomingMessage, answer: ServerResponse): void {
  switch (manner.kind) {
    case 'silent':
      return;
    case 'limited':
      refuse(answer, 429, 'TOOMANYREQUESTS');
      return;
    case 'private': {
      const right = `Basic ${btoa(`${manner.user}:${manner.password}`)}`;
      if (asked.headers.authorization === right) pass(host, asked, answer);
      else refuse(answer.setHeader('www-authenticate', 'Basic realm="private"'), 401, 'UNAUTHORIZED');
      return;
    }
    default:
      pass(host, asked, answer, manner.kind === 'slow' ? manner.rate : Infinity);
  }
}

function refuse(answer: ServerResponse, code: number, text: string): void {
  answer.writeHead(code, { 'content-type': 'application/json' });
  answer.end(JSON.stringify({ errors: [{ code: text, message: text.toLowerCase() }] }));
}

function pass(host: string, asked: IncomingMessage, answer: ServerResponse, rate = Infinity): void {
  const [hostname, port] = host.split(':');
  const { method, url } = asked;
  // docker-registry asks nobody for a password, and answers 401 to one it does not know.
  const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => name !== 'authorization'));
  const options = { hostname, port, path: url, method, headers: { ...headers, host } };
  const onward = request(options, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    if (rate === Infinity) response.pipe(answer);
    else response.pipe(throttle(rate)).pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}

function throttle(rate: number): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      setTimeout(
        () => {
          done(null, chunk);
        },
        (chunk.length / rate) * 1000,
      );
    },
  });
}
