/** What to do at a known registry about credentials and rate limits, where the general advice can be said more exactly. */
import { fixOf, type PullErrorKind } from './pull-errors.ts';

interface Registry {
  name: string;
  /** Matches the host an image reference begins with. */
  host: RegExp;
  fixes: Partial<Record<PullErrorKind, string>>;
}

export const REGISTRIES: readonly Registry[] = [
  {
    name: 'Docker Hub',
    host: /^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io)$/,
    fixes: {
      credentials:
        'Docker Hub says the same of a repository that does not exist: check its name, else give the puller a pull secret.',
      busy: 'Docker Hub limits anonymous pulls: give the puller a pull secret, or use a mirror.',
    },
  },
  {
    name: 'Quay',
    host: /^quay\.io$/,
    fixes: {
      credentials:
        'Quay says the same of a repository that does not exist: check its name, else give its robot account read access.',
    },
  },
  {
    name: 'GHCR',
    host: /^ghcr\.io$/,
    fixes: { credentials: 'Make the package public, or use a pull secret whose token has read:packages.' },
  },
  {
    name: 'ECR',
    host: /\.dkr\.ecr(?:-fips)?\.[^.]+\.amazonaws\.com(?:\.cn)?$|^public\.ecr\.aws$/,
    fixes: {
      credentials:
        'Give the role of the nodes ecr:BatchGetImage and ecr:GetDownloadUrlForLayer; a token in a pull secret lives 12 hours.',
      missing: 'Check account, region, repository and tag; lifecycle rules of ECR remove old tags.',
    },
  },
  {
    name: 'GAR',
    host: /(?:^|-)docker\.pkg\.dev$|(?:^|\.)gcr\.io$/,
    fixes: {
      credentials:
        'Give the service account of the nodes artifactregistry.reader; the registry says the same of a repository that does not exist.',
    },
  },
  {
    name: 'ACR',
    host: /\.azurecr\.(?:io|cn|us)$/,
    fixes: { credentials: 'Give the kubelet identity AcrPull on the registry, or use a pull secret.' },
  },
];

/** What to do about an error of this class for this image. */
export function adviceFor(kind: PullErrorKind, image: string): string {
  const host = hostOf(image);
  return REGISTRIES.find((registry) => registry.host.test(host))?.fixes[kind] ?? fixOf(kind);
}

/** The registry's host without its port; a reference whose first part is no host is Docker Hub's. */
function hostOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0 || !/[.:]|^localhost$/.test(first)) return 'docker.io';
  return first.replace(/:\d+$/, '');
}
