/**
 * Runs one program and never lets it outlive whoever wanted it: `node watchdog.mjs LOG COMMAND [ARG...]`. When stdin ends, because
 * the caller says so or is dead, the program's whole process group is killed. Ends when the program ends, with its exit code.
 */
import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';

const [log, ...command] = process.argv.slice(2);
const output = openSync(log, 'a');
/** Should the watchdog itself be killed, the kernel ends the program. */
const SETPRIV = '/usr/bin/setpriv';
const [program, ...args] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...command] : command;

const child = spawn(program, args, { detached: true, stdio: ['ignore', output, output] });

function end() {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

/** A byte asks for a gentle end; the end of stdin for one at once. */
process.stdin.on('data', () => child.kill('SIGTERM'));
process.stdin.on('end', end);
process.stdin.on('error', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
child.on('error', (error) => {
  process.stderr.write(`${command[0]}: ${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code) => {
  end();
  process.exit(code ?? 1);
});
