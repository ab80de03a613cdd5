/** Ways to an API server: in the same process, or over HTTP to the simulated or a real one. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ApiRequest, Server } from './server.ts';
import type { WatchEvent } from './watches.ts';

export type Asked = Omit<ApiRequest, 'user'>;

/** How a watch came to its end: nothing when the stream is over, an answer when it was refused, an Error when the connection broke. */
export type WatchEnd = (problem?: Error | { code: number; body: unknown }) => void;

export interface Transport {
  request(asked: Asked): Promise<{ code: number; body: unknown }>;
  watch(asked: Asked, events: (events: WatchEvent[]) => void, end: WatchEnd): () => void;
  /** Lets go of idle connections. */
  close(): void;
}

/** Objects pass as they are, without a copy: whoever gets one must not change it. */
export function directTransport(server: Server, user: string): Transport {
  return {
    async request(asked) {
      const { code, body } = await server.handle({ ...asked, user });
      return { code, body };
    },
    watch(asked, events, end) {
      let stop = (): void => undefined;
      let stopped = false;
      server.handle({ ...asked, user }).then(({ code, body, watch }) => {
        if (stopped) return;
        if (watch === undefined) end({ code, body });
        else stop = watch(events, end);
      }, end);
      return () => {
        stopped = true;
        stop();
      };
    },
    close: () => undefined,
  };
}

export interface HttpOptions {
  url: string;
  token: string;
}

/** Plain HTTP, or HTTPS to a server on loopback whose certificate is not checked. */
export function httpTransport({ url, token }: HttpOptions): Transport {
  const secure = url.startsWith('https:');
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 64 })
    : new HttpAgent({ keepAlive: true, maxSockets: 64 });
  const streams = secure ? new HttpsAgent({ rejectUnauthorized: false }) : new HttpAgent();

  function open({ method, path, contentType, body }: Asked, from: HttpAgent): ClientRequest {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': contentType,
      'content-length': Buffer.byteLength(text ?? ''),
    };
    const request = (secure ? httpsRequest : httpRequest)(new URL(path, url), { method, headers, agent: from });
    request.end(text);
    return request;
  }

  return {
    request: (asked) =>
      new Promise((resolve, reject) => {
        const request = open(asked, agent).on('error', reject);
        request.on('response', (response) => {
          whole(response).then(resolve, reject);
        });
      }),
    watch: (asked, events, end) => follow(open(asked, streams), events, end),
    close() {
      agent.destroy();
      streams.destroy();
    },
  };
}

async function whole(response: IncomingMessage): Promise<{ code: number; body: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return { code: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** Reads lines of JSON until the stream ends; `end` is called once, and not after the answer of this function. */
function follow(request: ClientRequest, events: (events: WatchEvent[]) => void, end: WatchEnd): () => void {
  let over = false;
  const finish: WatchEnd = (problem) => {
    if (over) return;
    over = true;
    end(problem);
  };
  request.on('error', finish);
  request.on('response', (response) => {
    if (response.statusCode !== 200) {
      whole(response).then(finish, finish);
      return;
    }
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (!over && lines.length > 0) events(lines.map((line) => JSON.parse(line) as WatchEvent));
    });
    response.on('error', finish);
    response.on('close', () => {
      finish();
    });
  });
  return () => {
    over = true;
    request.destroy();
  };
}
