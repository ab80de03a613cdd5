/**
 * The page of a git repository, from the address it is cloned by, in the forms git knows (git-clone: GIT URLS). Such an address may
 * hold credentials: only host and path are taken, and nothing where it is not plain which is which.
 */

/** Scheme, host, port, path. An `@` behind the first slash may be the end of a password with a slash in it. */
const URL_LIKE = /^(https?|ssh|git):\/\/(?:[^/?#\\\s]*@)?([a-z0-9.-]+)(:\d+)?\/([\w.~%+/-]+)(?:[?#][^@]*)?$/i;

/** `user@host:path`. */
const SCP_LIKE = /^(?:[^/\s]*@)?([a-z0-9.-]+):([\w.~%+-][\w.~%+/-]*)$/i;

export function repositoryPage(address: string): string | undefined {
  const [, scheme = 'ssh', host, port = '', path = ''] = URL_LIKE.exec(address) ?? scpLike(address);
  if (host === undefined || path.includes('%40')) return undefined;
  const isPage = /^http/i.test(scheme);
  // Another port than that of the pages.
  const site = isPage ? `${scheme.toLowerCase()}://${host}${port}` : `https://${host}`;
  return `${site}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}

function scpLike(address: string): (string | undefined)[] {
  const [, host, path] = SCP_LIKE.exec(address) ?? [];
  return ['', 'ssh', host, '', path];
}
