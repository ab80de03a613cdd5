/**
 * The git repository around an app's folder. Git runs here only, through simple-git, which strips GIT_… variables
 * and refuses options that would run programs; hooks and file-system monitors of the checkout are switched off.
 */
import { simpleGit } from 'simple-git';
import type { SimpleGit } from 'simple-git';

export interface Repository {
  git: SimpleGit;
  /** Absolute path of the top folder. */
  root: string;
  /** The app's folder below `root`, POSIX separators, empty for `root` itself. */
  prefix: string;
  /** History was cut off when it was cloned: what is not here proves nothing. */
  shallow: boolean;
}

/** What git needs of our environment, and no more: where programs are, and a home for its own settings. */
const KEPT_ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

/** Runs git in `folder`; `index` names a private index file, so that the checkout's own is never touched. */
export function gitIn(folder: string, signal: AbortSignal, index?: string): SimpleGit {
  const kept = KEPT_ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const git = simpleGit({
    baseDir: folder,
    abort: signal,
    trimmed: true,
    config: ['core.quotePath=false'],
    allowEnvironment: ['GIT_INDEX_FILE', 'GIT_OPTIONAL_LOCKS', 'GIT_TERMINAL_PROMPT'],
  });
  return git.env({
    ...(Object.fromEntries(kept) as Record<string, string>),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  });
}

/** The repository that holds `folder`, or undefined where there is none, git is absent, or it cannot be read. */
export async function findRepository(folder: string, signal: AbortSignal): Promise<Repository | undefined> {
  try {
    const git = gitIn(folder, signal);
    const answer = await git.raw(['rev-parse', '--is-shallow-repository', '--show-toplevel', '--show-prefix']);
    const [shallow, root, prefix] = answer.split('\n');
    if (root === undefined || root === '') return undefined;
    return { git, root, prefix: (prefix ?? '').replace(/\/$/, ''), shallow: shallow === 'true' };
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
