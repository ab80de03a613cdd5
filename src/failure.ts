/** From what was thrown to the text on stderr and the exit code. The first line is the whole story: Argo CD's UI shows it. */
import { ToolError, UsageError, UserError } from './errors.ts';
import { printable } from './log.ts';
import { KubeError } from './watch/kube-api.ts';

/** A signal ended the call. */
export class Stopped extends Error {
  override name = 'Stopped';
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';

  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', doing: string, left = 'nothing was printed') {
    super(`stopped by ${signal} while ${doing}; ${left}`);
    this.signal = signal;
  }
}

export interface Failure {
  text: string;
  exitCode: number;
}

const FIRST_LINE = 300;
const OTHER_LINE = 2000;
/** As a shell reports it: 128 and the signal's number. */
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** `verbose` shows a bug's own message too; it may quote what was being read, so it stays hidden otherwise. */
export function describeFailure(error: unknown, verbose: boolean): Failure {
  if (error instanceof UsageError) return { text: lines(error.message), exitCode: 2 };
  if (error instanceof UserError) return { text: lines(error.message), exitCode: 1 };
  if (error instanceof KubeError) return { text: lines(`${error.message}\n${nextStep(error)}`), exitCode: 3 };
  if (error instanceof ToolError) return { text: lines(withToolOutput(error)), exitCode: 3 };
  if (error instanceof Stopped) return { text: lines(error.message), exitCode: SIGNAL_CODES[error.signal] };
  return { text: lines(describeBug(error, verbose)), exitCode: 3 };
}

function lines(text: string): string {
  const [first = '', ...others] = text.trimEnd().split('\n').map(printable);
  return [cut(`prepuller: ${first}`, FIRST_LINE), ...others.map((line) => cut(line, OTHER_LINE)), ''].join('\n');
}

/** At most so many UTF-16 units; a surrogate pair is never halved. */
function cut(line: string, length: number): string {
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** What to do about a cluster that says no, or nothing. */
function nextStep({ code }: KubeError): string {
  if (code === undefined)
    return 'Is the cluster there? kubectl get --raw /readyz asks it too; --context and --kubeconfig choose another.';
  if (code === 401)
    return 'The credentials are not known there: log in again, or choose others with --context or --kubeconfig.';
  if (code === 403)
    return 'The right is missing: ask whoever grants it, or choose other credentials with --context or --kubeconfig.';
  return 'Try again; when it stays, the log of the API server says more.';
}

function withToolOutput({ message, failure }: ToolError): string {
  const output = failure.stderr.trim();
  return output === '' || message.includes(output) ? message : `${message}\n${output}`;
}

function describeBug(error: unknown, verbose: boolean): string {
  const story = 'this is a bug in prepuller; please report it with the lines below and the version';
  if (!(error instanceof Error)) return `${story}\n(thrown: ${typeof error})`;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const message = verbose ? error.message : '(message hidden, it may quote your values; -v shows it)';
  return [story, `${error.name}: ${message}`, ...frames].join('\n');
}
