/**
 * Helm's list of repositories for one call: those the dependencies name, with the credentials of the mounted list.
 * Argo CD adds each with `helm repo add` first, because a chart with a lock file is refused without.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { UserError } from '../errors.ts';
import type { Dependency } from './chart-file.ts';
import { mountedRepositories } from './environment.ts';
import { quote } from './place.ts';
import type { Env } from './source.ts';

interface Repository {
  name: string;
  url: string;
}

/** Writes the list into `scratch`, readable by us alone, and returns its path. */
export async function privateRepositories(
  dependencies: readonly Dependency[],
  env: Env,
  scratch: string,
): Promise<string> {
  const mounted = await readMounted(mountedRepositories(env));
  const wanted = new Map<string, Repository>();
  for (const dependency of dependencies) {
    const repository = repositoryOf(dependency, mounted);
    if (repository !== undefined) wanted.set(repository.name, repository);
  }
  const path = join(scratch, 'repositories.yaml');
  await writeFile(path, JSON.stringify({ apiVersion: '', repositories: [...wanted.values()] }), { mode: 0o600 });
  return path;
}

function repositoryOf({ name, repository }: Dependency, mounted: readonly Repository[]): Repository | undefined {
  const alias = /^(?:@|alias:)(.*)$/.exec(repository)?.[1];
  if (alias !== undefined) {
    const known = mounted.find((one) => one.name === alias);
    if (known !== undefined) return known;
    throw new UserError(
      `Chart.yaml: dependency ${quote(name)} is of repository ${quote(repository)}, which no mounted repositories.yaml names: ` +
        `write its URL, or vendor it with helm dependency build`,
    );
  }
  if (!/^https?:\/\//.test(repository)) return undefined;
  const known = mounted.find((one) => withoutSlash(one.url) === withoutSlash(repository));
  return (
    known ?? {
      name: `prepuller-${createHash('sha256').update(repository).digest('hex').slice(0, 16)}`,
      url: repository,
    }
  );
}

/** Credentials and certificates travel along untouched. */
async function readMounted(path: string | undefined): Promise<Repository[]> {
  if (path === undefined) return [];
  const file = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError(
      `Helm's repositories in ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  });
  const list = load(file) as { repositories?: Repository[] } | null;
  return list?.repositories ?? [];
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
