/** A git repository that Argo CD reads: the stand-in chart, and the values of one hub in a file of their own. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { simpleGit } from 'simple-git';

export interface Repository {
  url: string;
  /** Writes files, by their paths, and commits them; the commit's hash. */
  commit(files: Readonly<Record<string, string>>, message: string): Promise<string>;
}

const EXAMPLES = join(import.meta.dirname, '../../examples');

/** Makes one in a folder that does not exist, with `chart/` of examples/ in it. */
export async function createRepository(folder: string): Promise<Repository> {
  mkdirSync(folder, { recursive: true });
  cpSync(join(EXAMPLES, 'chart'), join(folder, 'chart'), { recursive: true });
  const git = simpleGit(folder);
  await git.init(['--initial-branch=main']);
  await git.addConfig('user.name', 'Test').addConfig('user.email', 'test@example.org');
  return {
    url: `file://${folder}`,
    async commit(files, message) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      await git.add('.');
      await git.commit(message, { '--allow-empty': null });
      return (await git.revparse(['HEAD'])).trim();
    },
  };
}
