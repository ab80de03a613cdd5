/**
 * Server-sent events: each change is put into bytes once, whoever listens. Who reconnects gets what came meanwhile, as far as it is
 * kept; who is too slow is dropped and comes back by itself.
 */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { eventOf } from './events.ts';
import type { Pulls } from './pulls.ts';
import { createReplay } from './replay.ts';
import type { Kept } from './replay.ts';

export interface Stream {
  /** Answers until the client goes; an `application` hears of its own pulls alone. */
  connect(request: Request, response: Response, application: string | undefined): void;
  clients(): number;
  /** Of the newest event: a page that shows this state listens from there on. */
  lastId(): string;
  stop(): void;
}

/** Listeners at most; the next one is asked to come later. */
export const CLIENTS = 1_000;
/** Bytes that may wait for one client. They are the same bytes for all, so that few slow ones cost little. */
const BACKLOG = 2 * 1024 * 1024;
/** Milliseconds between two signs of life, for proxies. */
const HEARTBEAT = 15_000;
/** Milliseconds until a client comes back. */
const RETRY = 1_000;

export function createStream(pulls: Pulls): Stream {
  // Versions begin anew with each process, so that an id must say whose it is.
  const owner = randomBytes(6).toString('hex');
  const idOf = (version: number): string => `${owner}-${version}`;
  /** With what each may hear of: undefined is everything. */
  const clients = new Map<Response, string | undefined>();
  const replay = createReplay(pulls.version());

  pulls.onChange((changes) => {
    if (clients.size === 0) {
      replay.skip(changes.at(-1)?.version ?? 0);
      return;
    }
    const events = changes.map((change) => ({
      version: change.version,
      owner: change.owner,
      bytes: Buffer.from(eventOf(change, idOf(change.version), pulls.now())),
    }));
    replay.keep(events);
    for (const event of events) {
      for (const [client, application] of clients) if (mayHear(application, event)) send(client, event.bytes);
    }
  });

  const heart = setInterval(() => {
    for (const client of clients.keys()) send(client, Buffer.from(': still here\n\n'));
  }, HEARTBEAT);
  heart.unref();

  return {
    connect(request, response, application) {
      if (clients.size >= CLIENTS) {
        response.status(503).set('Retry-After', '5').json({ error: 'too many listeners; come back later' });
        return;
      }
      const newest = pulls.version();
      const version = versionIn(request, owner);
      const missed = version > newest ? undefined : replay.after(version);
      open(response);
      if (missed === undefined) response.write(`id: ${idOf(newest)}\nevent: reset\ndata: {}\n\n`);
      else for (const event of missed) if (mayHear(application, event)) response.write(event.bytes);
      clients.set(response, application);
      response.on('close', () => clients.delete(response));
    },
    clients: () => clients.size,
    lastId: () => idOf(pulls.version()),
    stop() {
      clearInterval(heart);
      for (const client of clients.keys()) client.end();
    },
  };
}

function mayHear(application: string | undefined, event: Kept): boolean {
  return application === undefined || event.owner === application;
}

function open(response: Response): void {
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // For nginx, which would hold events back.
    'X-Accel-Buffering': 'no',
  });
  // A client that went while we wrote: its end is told by `close`.
  response.on('error', () => undefined);
  response.write(`retry: ${RETRY}\n\n`);
}

function send(client: Response, bytes: Buffer): void {
  client.write(bytes);
  if (client.writableLength > BACKLOG) client.destroy();
}

/** The version a client has seen, by the id it gives; -1 without one, or with another process's. */
function versionIn(request: Request, owner: string): number {
  const given = request.get('last-event-id') ?? request.query.after;
  const [whose, version = ''] = typeof given === 'string' ? given.split('-') : [];
  return whose === owner && /^\d{1,15}$/.test(version) ? Number(version) : -1;
}
