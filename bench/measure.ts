/** Runs programs and takes their time: from before the spawn to the end of the process, output read and thrown away. */
import { spawn } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface Program {
  command: string;
  args: readonly string[];
  folder: string;
  env: NodeJS.ProcessEnv;
  /** A file for stdin; nothing without. */
  stdin?: string;
}

/** Milliseconds of one run. Throws when the program fails: a failed run takes any time. */
export async function timeOf(program: Program): Promise<number> {
  const begin = performance.now();
  await run(program);
  return performance.now() - begin;
}

/**
 * A round runs each program once, in another order each time, so that what the machine does besides falls on all alike.
 * Gives the samples of each program, in the order of the rounds.
 */
export async function interleave<Name extends string>(
  programs: Readonly<Record<Name, Program>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(programs) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    const start = round % names.length;
    for (const name of [...names.slice(start), ...names.slice(0, start)]) {
      samples[name].push(await timeOf(programs[name]));
    }
  }
  return samples;
}

/** The most memory a Node program ever held resident, in bytes, as the program itself tells it when it ends. */
export async function peakMemoryOf(program: Program, file: string): Promise<number> {
  const preload = new URL('peak-memory.mjs', import.meta.url).href;
  const args = ['--import', preload, ...program.args];
  await run({ ...program, args, env: { ...program.env, PEAK_MEMORY_FILE: file } });
  return Number(await readFile(file, 'utf8'));
}

/**
 * The same for any program on Linux: /proc is read every millisecond until the program ends; undefined elsewhere. VmHWM never
 * falls, so only what is gained in the last millisecond can be missed.
 */
export async function watchedPeakMemoryOf(program: Program): Promise<number | undefined> {
  let peak: number | undefined;
  await run(program, (pid) => {
    try {
      const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      if (found !== null) peak = Number(found[1]) * 1024;
    } catch {
      // No /proc, or the process has just ended.
    }
  });
  return peak;
}

function run({ command, args, folder, env, stdin }: Program, look?: (pid: number) => void): Promise<void> {
  const input = stdin === undefined ? undefined : openSync(stdin, 'r');
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env, stdio: [input ?? 'ignore', 'pipe', 'pipe'] });
    const { pid } = child;
    const looking = look !== undefined && pid !== undefined ? setInterval(look, 1, pid) : undefined;
    const errors: Buffer[] = [];
    child.stdout?.resume();
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearInterval(looking);
      if (input !== undefined) closeSync(input);
      const text = Buffer.concat(errors).toString('utf8').trim();
      if (exitCode === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${exitCode ?? 'a signal'}: ${text}`));
    });
  });
}
