/**
 * Reads image references by the OCI grammar (distribution/reference) and says in plain words what is wrong with the others.
 * Identity is what a container runtime would pull: Docker Hub and `latest` filled in, a digest before any tag.
 */
import { findReferenceProblem, type ReferenceProblem } from './problem.ts';

export type { ProblemKind, ReferenceProblem } from './problem.ts';

export interface Reference {
  /** As written in the chart. */
  readonly text: string;
  /** Host with optional port; undefined where the text names none (Docker Hub). */
  readonly registry?: string;
  /** Path below the registry, as written. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:…`. */
  readonly digest?: string;
}

const DOCKER_HUB = 'docker.io';
const OLD_DOCKER_HUB = 'index.docker.io';
const DEFAULT_TAG = 'latest';
const OFFICIAL_IMAGES = 'library/';

const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const HOST_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = new RegExp(`^(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const REPOSITORY = new RegExp(`^${PATH_PART}(?:/${PATH_PART})*$`);
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
/** Lengths of the digests that registries use. */
const HEX_DIGITS = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);
/** Names of this form would be taken for an image on the node. */
const IMAGE_ID = /^[a-f0-9]{64}$/;
const MAX_NAME = 255;

/** The parts of the text, or why no runtime could pull it. */
export function parseReference(text: string): Reference | ReferenceProblem {
  const [beforeDigest = '', digest, ...more] = text.split('@');
  const { name, tag } = splitTag(beforeDigest);
  const { registry, repository } = splitRegistry(name);
  const parts = {
    repository,
    ...(registry !== undefined && { registry }),
    ...(tag !== undefined && { tag }),
    ...(digest !== undefined && { digest: [digest, ...more].join('@') }),
  };
  const problem = findReferenceProblem(text, parts, isValid({ text, ...parts }));
  return problem ?? { text, ...parts };
}

export function isProblem(parsed: Reference | ReferenceProblem): parsed is ReferenceProblem {
  return 'problem' in parsed;
}

/** The reference put together from its parts. */
export function printReference({ registry, repository, tag, digest }: Omit<Reference, 'text'>): string {
  const name = registry === undefined ? repository : `${registry}/${repository}`;
  return `${name}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** Identity: two references with the same answer are one image. Registry and tag filled in; a digest leaves the tag out. */
export function normaliseReference({ registry, repository, tag, digest }: Omit<Reference, 'text'>): string {
  const host = registry === undefined || registry === OLD_DOCKER_HUB ? DOCKER_HUB : registry;
  const path = host === DOCKER_HUB && !repository.includes('/') ? OFFICIAL_IMAGES + repository : repository;
  return digest === undefined ? `${host}/${path}:${tag ?? DEFAULT_TAG}` : `${host}/${path}@${digest}`;
}

/** Whether the tag may move to another image: no tag is `latest`; a digest never moves. */
export function isMutable({ tag, digest }: Omit<Reference, 'text'>, mutableTags: readonly string[]): boolean {
  if (digest !== undefined) return false;
  return tag === undefined || tag === DEFAULT_TAG || mutableTags.includes(tag);
}

/** The last colon begins the tag, unless a slash follows: then it was a registry's port. */
function splitTag(text: string): { name: string; tag: string | undefined } {
  const colon = text.lastIndexOf(':');
  if (colon <= 0 || text.includes('/', colon) || text.includes(']', colon)) return { name: text, tag: undefined };
  return { name: text.slice(0, colon), tag: text.slice(colon + 1) };
}

/** The first part is a registry if it could not be the path of a Docker Hub image: a dot, a port, an upper-case letter, or localhost. */
function splitRegistry(name: string): { registry: string | undefined; repository: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isRegistry = /[.:\]]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isRegistry
    ? { registry: first, repository: name.slice(slash + 1) }
    : { registry: undefined, repository: name };
}

function isValid({ registry, repository, tag, digest }: Reference): boolean {
  return (
    isName(registry, repository) && (tag === undefined || TAG.test(tag)) && (digest === undefined || isDigest(digest))
  );
}

function isName(registry: string | undefined, repository: string): boolean {
  if (!REPOSITORY.test(repository)) return false;
  if (registry === undefined) return repository.length <= MAX_NAME && !IMAGE_ID.test(repository);
  return HOST.test(registry) && registry.length + 1 + repository.length <= MAX_NAME;
}

function isDigest(digest: string): boolean {
  const [algorithm = '', hex = ''] = digest.split(':');
  const digits = HEX_DIGITS.get(algorithm);
  return DIGEST.test(digest) && (digits === undefined || (hex.length === digits && hex === hex.toLowerCase()));
}
