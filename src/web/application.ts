/** Which application of Argo CD an object belongs to (util/argo: ResourceTracking), and where its commits can be read. */
import type { DaemonSet } from '../verdict/snapshot.ts';
import { clean } from '../verdict/text.ts';

/** Of the tracking id `app:group/Kind:namespace/name`, else of the label that Argo CD's label tracking sets; empty without either. */
export function applicationOf({ annotations, instance }: DaemonSet): string {
  const tracked = annotations.get('argocd.argoproj.io/tracking-id')?.split(':')[0];
  return clean(tracked ?? instance, 253);
}

/**
 * The application whose tracking id the object carries as its own: one that was copied with the annotations of another object
 * does not count, nor does a label, which Helm sets too.
 */
export function ownerOf({ annotations, namespace, name }: DaemonSet): string | undefined {
  const [owner, ...rest] = annotations.get('argocd.argoproj.io/tracking-id')?.split(':') ?? [];
  return rest.join(':') === `apps/DaemonSet:${namespace}/${name}` ? owner : undefined;
}

/** Where the path of a commit is known, by the repository's host. */
const COMMIT_PATHS: readonly { host: RegExp; path: string }[] = [
  { host: /^(?:www\.)?github\.com$|^github\./, path: '/commit/' },
  { host: /^gitlab\./, path: '/-/commit/' },
  { host: /^bitbucket\.org$/, path: '/commits/' },
  { host: /^codeberg\.org$|^gitea\.|^forgejo\./, path: '/commit/' },
];

/** The page of a commit; undefined unless the repository's address is https and its host one that is known. */
export function commitLink(repository: string | undefined, hash: string): string | undefined {
  if (repository === undefined || !URL.canParse(repository)) return undefined;
  const { protocol, host, pathname, hostname } = new URL(repository);
  const known = COMMIT_PATHS.find((one) => one.host.test(hostname));
  if (protocol !== 'https:' || known === undefined) return undefined;
  return `https://${host}${pathname.replace(/(?:\.git)?\/*$/, '')}${known.path}${hash}`;
}
