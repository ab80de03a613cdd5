/** Runs a command with the project's helm and kubectl first on PATH: `node scripts/with-tools.mjs COMMAND [ARG...]`. */
import { spawn } from 'node:child_process';
import { toolsFolder } from './tools.mjs';

const [command, ...args] = process.argv.slice(2);
const env = { ...process.env };
if (env.PREPULLER_TOOLS !== 'path') env.PATH = `${await toolsFolder()}:${env.PATH}`;
const child = spawn(command, args, { env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exitCode = 127;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (signal === 'SIGTERM' ? 15 : 2);
});
