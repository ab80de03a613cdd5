/** A git repository of our own, in a folder nobody else uses: to show what a commit does. */
import { ToolError } from '../errors.ts';
import { gitIn } from './repository.ts';

const SETTINGS = { 'user.name': 'prepuller demo', 'user.email': 'demo@example.invalid', 'commit.gpgSign': 'false' };

/** Makes the repository in `folder`, on branch main. */
export async function startRepository(folder: string, signal: AbortSignal): Promise<void> {
  await run(folder, signal, ['init', '--quiet', '--initial-branch=main']);
  for (const [key, value] of Object.entries(SETTINGS)) await run(folder, signal, ['config', key, value]);
}

/** Commits all that is in the folder; the answer is the commit's full hash. */
export async function commitAll(folder: string, subject: string, signal: AbortSignal): Promise<string> {
  await run(folder, signal, ['add', '--all']);
  await run(folder, signal, ['commit', '--quiet', '--no-verify', '--message', subject]);
  return run(folder, signal, ['rev-parse', 'HEAD']);
}

/** The lines that the last commit took out and put in, as `git show` marks them. */
export async function changedLines(folder: string, signal: AbortSignal): Promise<string[]> {
  const text = await run(folder, signal, ['show', '--format=', '--unified=0', '--no-ext-diff', '--no-color', 'HEAD']);
  return text.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line));
}

async function run(folder: string, signal: AbortSignal, args: string[]): Promise<string> {
  try {
    return await gitIn(folder, signal).raw(args);
  } catch (error) {
    signal.throwIfAborted();
    const stderr = error instanceof Error ? error.message : '';
    throw new ToolError('git cannot make the repository of the demo: is git 2.28 or newer on the PATH?', {
      command: ['git', ...args],
      stderr,
    });
  }
}
