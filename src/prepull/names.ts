/**
 * Makes the names of what we add: RFC 1123 labels of at most 63 characters, which every kind of object takes. A name is a pure
 * function of what it stands for, and the hash at its end keeps apart what the readable words would not.
 */
import type { Hub } from '../manifest/hubs.ts';
import { asText, valueAt } from '../manifest/mapping.ts';
import { shortHash } from './digest.ts';
import type { PrepullOptions } from './options.ts';

const MAX_LENGTH = 63;

/** Readable words, then a hash over `identity`, the list of texts that tells the object apart from every other. */
export function uniqueName(words: readonly string[], identity: readonly string[]): string {
  return join(words, shortHash(identity));
}

/** Whose object it is: two applications, or two hubs of one, must not write the same cluster-scoped name. */
export interface Scope {
  app: string;
  namespace: string;
  /** The hub's labels, as texts. */
  hub: readonly string[];
}

export function scopeOf(hub: Hub, { app }: Pick<PrepullOptions, 'app'>): Scope {
  const { labels } = hub;
  const namespace = namespaceForHub(hub, app.namespace) ?? 'default';
  return { app: app.name, namespace, hub: [labels.app ?? '', labels.release ?? ''] };
}

/** Where a hub's objects end up: as written, else where the app deploys to, else where Helm released the chart (in its values). */
export function namespaceForHub({ namespace, configuration }: Hub, ofApp: string | undefined): string | undefined {
  return namespace ?? ofApp ?? asText(valueAt(configuration?.values, 'Release', 'Namespace'));
}

/** A cluster-scoped name: application, namespace, what it is, then the hash. */
export function clusterName(words: readonly string[], identity: readonly string[], scope: Scope): string {
  const { app, namespace, hub } = scope;
  return uniqueName([app, namespace, ...words], [app, namespace, ...hub, ...words, ...identity]);
}

/** A priority as a word of a name: −10 → `minus-10`. */
export function valueWord(value: unknown): string {
  return String(value).replace('-', 'minus-');
}

/** The text itself where it is a valid label already, else its readable rest and a hash of it. */
export function labelName(text: string): string {
  return text.length <= MAX_LENGTH && isLabel(text) ? text : join([text], shortHash([text]));
}

/** Unique through its number; the last part of the repository makes it readable: `pull-2-datascience-notebook`. */
export function containerName(index: number, reference: string): string {
  const [path = ''] = reference.split('@');
  const [repository = ''] = path.slice(path.lastIndexOf('/') + 1).split(':');
  return clean(`pull-${index}-${repository}`, MAX_LENGTH);
}

function join(words: readonly string[], hash: string): string {
  const readable = clean(words.filter((word) => word !== '').join('-'), MAX_LENGTH - hash.length - 1);
  // A label may start with a digit, so the hash alone is a name too.
  return readable === '' ? hash : `${readable}-${hash}`;
}

function isLabel(text: string): boolean {
  return /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** Lower case, everything else a hyphen, cut to the length, no hyphen at either end. */
function clean(text: string, length: number): string {
  const label = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return label.replace(/^-+/, '').slice(0, length).replace(/-+$/, '');
}
