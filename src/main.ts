/**
 * From the command line to one command, loaded when it is called, and from its outcome to stdout, stderr and the exit code.
 * The only file that prints or decides how the process ends. It sets the exit code and never exits before stdout is drained.
 */
import { addAbortSignal } from 'node:stream';
import type { Call, Result } from './command.ts';
import type { CommandEntry, Parsed } from './command-line.ts';
import { UsageError } from './errors.ts';
import { describeFailure, Stopped } from './failure.ts';
import { createLog, warningLines } from './log.ts';
import type { Log } from './log.ts';
import { writeStderr, writeStdout } from './output.ts';
import { createTerminal } from './terminal.ts';

const COMMANDS: Record<string, CommandEntry> = {
  generate: {
    summary: 'render the app in the working directory and add the pullers (what Argo CD calls)',
    load: () => import('./generate.ts'),
  },
  transform: { summary: 'add the pullers to a rendered stream from stdin', load: () => import('./transform.ts') },
  images: { summary: 'list what would be pulled, and where each image comes from', load: () => import('./images.ts') },
  parameters: { summary: 'print the parameters as plugin.yaml announces them', load: () => import('./parameters.ts') },
  controller: {
    summary: 'judge pullers and write their verdicts, with probes and metrics',
    load: () => import('./controller.ts'),
  },
  await: { summary: 'wait for one puller, and exit by its verdict', load: () => import('./await.ts') },
  explain: {
    summary: 'say how pullers stand, in the cluster or in a saved list, node by node, and why',
    load: () => import('./explain.ts'),
  },
  'let-through': { summary: 'let a sync go on without waiting for its images', load: () => import('./let-through.ts') },
  'give-up': { summary: 'fail a sync that waits for its images now', load: () => import('./give-up.ts') },
  retry: { summary: 'forget what went wrong before now, and judge a puller afresh', load: () => import('./retry.ts') },
  clean: { summary: 'list and remove what hooks left behind', load: () => import('./clean.ts') },
  demo: { summary: 'tell a sync, from the commit to its end, on a simulated cluster', load: () => import('./demo.ts') },
};

/** The installed package: its version and its folder. */
export interface Program {
  version: string;
  home: URL;
}

/** `argv` without program and script. Sets process.exitCode; resolves when everything is written. */
export async function main(argv: readonly string[], program: Program): Promise<void> {
  const verbose = argv.includes('-v') || argv.includes('--verbose');
  const log = createLog(verbose, (line) => void writeStderr(line));
  const signal = watchSignals(log);
  try {
    const { stdout, stderr } = await execute(argv, { program, signal, log });
    await writeStdout(stdout);
    await writeStderr(stderr);
  } catch (error) {
    const { text, exitCode } = describeFailure(error, verbose);
    process.exitCode = exitCode;
    await writeStderr(text);
  }
}

/** Aborted with the reason to show. Signals come twice when a launcher passes on what the whole group got: repeats change nothing. */
function watchSignals(log: Log): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      stop.abort(new Stopped(name, log.current()));
    });
  }
  process.on('uncaughtException', (error) => {
    stop.abort(error);
  });
  return stop.signal;
}

async function execute(
  argv: readonly string[],
  { program, signal, log }: { program: Program; signal: AbortSignal; log: Log },
): Promise<{ stdout: string | Uint8Array; stderr: string }> {
  // Scripts ask for the version before each call: it is answered without loading commander.
  if (argv.length === 1 && argv[0] === '--version') return { stdout: `${program.version}\n`, stderr: '' };
  const parsed = await (bareGenerate(argv) ?? parse(argv, program));
  if ('text' in parsed) return { stdout: parsed.text, stderr: '' };
  const { module, given } = parsed;
  const call: Call = {
    ...given,
    env: process.env,
    folder: process.cwd(),
    home: program.home,
    readStdin: () => readStdin(signal),
    signal,
    log,
    terminal: createTerminal(signal),
  };
  const result = module.endsBySignal === true ? await module.run(call) : await unlessAborted(module.run(call), signal);
  const wantsSummary = given.options.summary === true || process.stderr.isTTY;
  return { stdout: result.stdout, stderr: remarks(result, wantsSummary) };
}

/** Argo CD's call has no flags, its parameters come by environment: there is nothing to parse, and commander takes a tenth of the time. */
function bareGenerate(argv: readonly string[]): Promise<Parsed> | undefined {
  if (argv.length !== 1 || argv[0] !== 'generate') return undefined;
  return import('./generate.ts').then((module) => ({ module, given: { args: [], options: {}, flags: {} } }));
}

async function parse(argv: readonly string[], { version }: Program): Promise<Parsed> {
  const { parseCommandLine } = await import('./command-line.ts');
  return parseCommandLine(argv, version, COMMANDS);
}

async function unlessAborted(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => {
    aborted.reject(signal.reason as Error);
  });
  const outcome = await Promise.race([result, aborted.promise]);
  signal.throwIfAborted();
  return outcome;
}

function remarks({ warnings = [], summary }: Result, wantsSummary: boolean): string {
  const lines = warningLines(warnings).map((line) => `${line}\n`);
  return lines.join('') + (wantsSummary && summary !== undefined ? `${summary.trimEnd()}\n` : '');
}

async function readStdin(signal: AbortSignal): Promise<Uint8Array> {
  if (process.stdin.isTTY) throw new UsageError('nothing is piped in: helm template … | prepuller transform');
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of addAbortSignal(signal, process.stdin)) chunks.push(chunk as Uint8Array);
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`standard input cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
  return Buffer.concat(chunks);
}
