/** Programs of a test, each under a watchdog of its own: however the test ends, they end too. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Program {
  name: string;
  command: string;
  args: readonly string[];
  /** Where its output goes, appended. */
  log: string;
  env?: Readonly<Record<string, string>>;
}

export interface Running {
  name: string;
  isAlive(): boolean;
  /** Its exit code once it ended. */
  exited: Promise<number>;
  /** Kills it and all it started; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end by SIGTERM; resolves when it is gone. */
  terminate(): Promise<void>;
  /** The last lines it wrote. */
  lastWords(): string;
}

const WATCHDOG = fileURLToPath(new URL('watchdog.mjs', import.meta.url));
const LAST_LINES = 15;

/** Out of the test's own process group: what is sent to that must not kill the watchdog before its program. */
export function start({ name, command, args, log, env = {} }: Program): Running {
  const watchdog = spawn(process.execPath, [WATCHDOG, log, command, ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  let alive = true;
  const exited = once(watchdog, 'exit').then(([code]) => {
    alive = false;
    return (code as number | null) ?? 1;
  });
  watchdog.stdin.on('error', () => undefined);
  return {
    name,
    exited,
    isAlive: () => alive,
    async kill() {
      watchdog.stdin.end();
      await exited;
    },
    async terminate() {
      watchdog.stdin.write('.');
      await exited;
    },
    lastWords: () => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n'),
  };
}
