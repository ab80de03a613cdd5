/** The API server on a socket: plain HTTP on loopback, any free port, watches as lines of JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiAnswer, ApiRequest, Server } from './server.ts';
import { ConnectionLost } from './server.ts';

export interface HttpServer {
  url: string;
  /** Breaks every connection, as a server that goes away does. */
  drop(): void;
  /** Ends the server and every connection. */
  stop(): Promise<void>;
}

export async function serveHttp(server: Server): Promise<HttpServer> {
  const http = createHttpServer((request, response) => {
    answer(server, request, response).catch((error: unknown) => {
      // Also a bug in the simulator ends here: the client sees a 500, the test sees why.
      if (!(error instanceof ConnectionLost)) process.emitWarning(error as Error);
      request.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    drop() {
      http.closeAllConnections();
    },
    stop() {
      const closed = new Promise<void>((resolve) => {
        http.close(() => {
          resolve();
        });
      });
      http.closeAllConnections();
      return closed;
    },
  };
}

async function answer(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await readRequest(request);
  if (asked === undefined) {
    send(response, { code: 400, headers: {}, body: 'the body is no JSON' });
    return;
  }
  send(response, await server.handle(asked));
}

/** Undefined when the body is no JSON. */
async function readRequest(request: IncomingMessage): Promise<ApiRequest | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { method = 'GET', url: path = '/', headers } = request;
  const { authorization = '', 'content-type': type = 'application/json' } = headers;
  const user = /^Bearer (.*)$/.exec(authorization)?.[1] ?? 'anonymous';
  const asked = { method, path, user, contentType: type.replace(/;.*$/, '') };
  try {
    return text === '' ? asked : { ...asked, body: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { code, headers, body, watch, sent }: ApiAnswer): void {
  if (watch !== undefined) {
    stream(response, watch, sent);
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  sent?.(Buffer.byteLength(text));
  response.writeHead(code, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Texts of objects, since several watches often send the same one. */
const texts = new WeakMap<object, string>();

function textOf(object: object): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  texts.set(object, text);
  return text;
}

function stream(response: ServerResponse, watch: NonNullable<ApiAnswer['watch']>, sent: ApiAnswer['sent']): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const stop = watch(
    (events) => {
      const lines = events.map(({ type, object }) => `{"type":"${type}","object":${textOf(object)}}\n`).join('');
      sent?.(Buffer.byteLength(lines));
      response.write(lines);
    },
    () => {
      response.end();
    },
  );
  response.on('close', stop);
}
