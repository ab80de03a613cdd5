/** A git repository of our own, in a folder nobody else uses: to show what a commit does. */
import { gitIn } from './repository.ts';

const AUTHOR = { 'user.name': 'prepuller demo', 'user.email': 'demo@example.invalid', 'commit.gpgSign': 'false' };

/** Makes the repository in `folder`, on branch main. */
export async function startRepository(folder: string, signal: AbortSignal): Promise<void> {
  const git = gitIn(folder, signal);
  await git.raw(['init', '--quiet', '--initial-branch=main']);
  for (const [key, value] of Object.entries(AUTHOR)) await git.addConfig(key, value);
}

/** Commits all that is in the folder; the answer is the commit's full hash. */
export async function commitAll(folder: string, subject: string, signal: AbortSignal): Promise<string> {
  const git = gitIn(folder, signal);
  await git.raw(['add', '--all']);
  await git.raw(['commit', '--quiet', '--no-verify', '--message', subject]);
  return git.raw(['rev-parse', 'HEAD']);
}

/** The lines a commit took out and put in, as `git show` marks them. */
export async function changedLines(folder: string, signal: AbortSignal): Promise<string[]> {
  const text = await gitIn(folder, signal).raw([
    'show',
    '--format=',
    '--unified=0',
    '--no-ext-diff',
    '--no-color',
    'HEAD',
  ]);
  return text.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line));
}
