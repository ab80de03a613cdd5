/**
 * Runs one program to its end: no shell, its own process group, bounded output, one signal that stops it.
 * The only file that spawns. Nothing a child writes reaches our stdout.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { ToolError } from '../errors.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Argo CD's repository server takes no answer above 100 MB. */
const MAX_STDOUT = 100 * 1024 * 1024;
/** Beyond this a child is stopped; of what it wrote, the beginning and the end are kept. */
const MAX_STDERR = 16 * 1024 * 1024;
const KEPT_STDERR = 32 * 1024;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2000;

export interface Command {
  program: string;
  args: readonly string[];
  folder: string;
  env: Record<string, string>;
  signal: AbortSignal;
}

/** How a child ended. `flood` names the stream it was stopped for; `spawnError` that it never began. */
export interface Ended {
  stdout: Buffer;
  stderr: string;
  exitCode: number | undefined;
  signal: string | undefined;
  flood?: 'stdout' | 'stderr';
  spawnError?: NodeJS.ErrnoException;
}

const UNBEGUN: Ended = { stdout: Buffer.alloc(0), stderr: '', exitCode: undefined, signal: undefined };

/** Resolves however the child ends; throws the signal's reason once the child and its group are gone. */
export async function run(command: Command): Promise<Ended> {
  command.signal.throwIfAborted();
  const child = start(command);
  if (!('stdout' in child)) return { ...UNBEGUN, spawnError: child };
  const ended = await collect(child, command.signal);
  if (command.signal.aborted) throw nameCommand(command.signal.reason, command);
  return ended;
}

/** Node throws some errors (a command line that is too long) and emits others: both come back as values. */
function start(command: Command): Child | NodeJS.ErrnoException {
  try {
    return spawn(command.program, command.args, {
      cwd: command.folder,
      env: command.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** A time limit says what it cut off; every other reason is its owner's. */
function nameCommand(reason: unknown, { program, args }: Command): unknown {
  if (!(reason instanceof ToolError)) return reason;
  const command = [basename(program), ...args.slice(0, args[0] === 'dependency' ? 2 : 1)];
  return new ToolError(`${reason.message} (it was in ${command.join(' ')})`, { command, stderr: '' });
}

function collect(child: Child, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    const stderr = boundedText(KEPT_STDERR);
    const size = { stdout: 0, stderr: 0 };
    const ended: Ended = { ...UNBEGUN };
    const stop = stopper(child);
    const count = (stream: 'stdout' | 'stderr', bytes: number, limit: number): boolean => {
      size[stream] += bytes;
      if (size[stream] <= limit) return true;
      ended.flood ??= stream;
      stop.now();
      return false;
    };
    child.stdout.on('data', (chunk: Buffer) => {
      if (count('stdout', chunk.length, MAX_STDOUT)) stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (count('stderr', chunk.length, MAX_STDERR)) stderr.add(chunk);
    });
    child.on('error', (error) => (ended.spawnError = error));
    child.on('close', (exitCode, endedBy) => {
      signal.removeEventListener('abort', stop.now);
      stop.done();
      resolve({
        ...ended,
        stdout: Buffer.concat(stdout),
        stderr: stderr.text(),
        // What was cut off is no answer, however the child ended.
        exitCode: ended.flood === undefined ? (exitCode ?? undefined) : undefined,
        signal: endedBy ?? undefined,
      });
    });
    signal.addEventListener('abort', stop.now, { once: true });
  });
}

/** Ends the child's whole group: kustomize starts helm, helm starts plugins. */
function stopper(child: Child): { now: () => void; done: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const signalGroup = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Already gone.
    }
  };
  return {
    now: () => {
      if (timer !== undefined) return;
      signalGroup('SIGTERM');
      timer = setTimeout(() => {
        signalGroup('SIGKILL');
      }, GRACE_MS);
    },
    done: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      signalGroup('SIGKILL');
    },
  };
}

/** Keeps the first and the last `limit` bytes: helm warns first and says why it failed last. */
function boundedText(limit: number): { add: (chunk: Buffer) => void; text: () => string } {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let cut = false;
  return {
    add: (chunk) => {
      const room = limit - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const rest = chunk.subarray(Math.max(0, room));
      if (rest.length === 0) return;
      const joined = Buffer.concat([tail, rest]);
      cut ||= joined.length > limit;
      tail = joined.subarray(Math.max(0, joined.length - limit));
    },
    text: () => `${head.toString('utf8')}${cut ? '\n[…]\n' : ''}${tail.toString('utf8')}`,
  };
}
